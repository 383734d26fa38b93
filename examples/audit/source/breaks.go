package source

import (
	"bytes"
	"errors"
	"io"

	"go.yaml.in/yaml/v2"
)

var errBreaks = errors.New("another document stands behind this one, and carriage returns alone (or other ends of lines that " +
	"are no line feeds) part them, so that only the first would be read: end the lines with line feeds")

// checkBreaks returns an error if the text is more than one document to YAML, for which
// other things end lines, too.
func checkBreaks(text []byte) error {
	if !hasOtherBreaks(text) {
		return nil
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	var document any
	if err := d.Decode(&document); err != nil {
		return nil // which whoever reads the object says
	}
	if err := d.Decode(&document); !errors.Is(err, io.EOF) {
		return errBreaks
	}
	return nil
}

// hasOtherBreaks reports whether the text has ends of lines, to YAML, that are no line feed
// and no carriage return before one.
func hasOtherBreaks(text []byte) bool {
	for rest := text; ; {
		i := bytes.IndexByte(rest, '\r')
		if i < 0 {
			break
		}
		if rest = rest[i+1:]; len(rest) > 0 && rest[0] != '\n' {
			return true
		}
	}
	return bytes.Contains(text, []byte("\u0085")) || bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029"))
}
