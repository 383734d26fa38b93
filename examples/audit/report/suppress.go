package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// A Suppression is an entry that somebody has decided to live with.
type Suppression struct {
	Code string `json:"code"`
	// Object is that of the entry; * stands for any text.
	Object string `json:"object"`
	Reason string `json:"reason"`
	// Line is where it stands in its file.
	Line int `json:"line"`
}

// Suppressed is an entry with the suppression that it matches.
type Suppressed struct {
	By    Suppression `json:"by"`
	Entry Entry       `json:"entry"`
}

// ParseSuppressions reads a file of lines CODE OBJECT REASON. Empty lines, and those
// that begin with #, are skipped.
func ParseSuppressions(r io.Reader) ([]Suppression, error) {
	var all []Suppression
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) < 3 {
			return nil, fmt.Errorf("line %d: want a code, an object and a reason", n)
		}
		all = append(all, Suppression{fields[0], fields[1], strings.Join(fields[2:], " "), n})
	}
	return all, lines.Err()
}

func (u Suppression) matches(e Entry) bool { return u.Code == e.Code && like(u.Object, e.Object) }

// like reports whether the text is as the pattern, in which * stands for any text.
func like(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(text) < len(first)+len(last) || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		return false
	}
	text = text[len(first) : len(text)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return true
}
