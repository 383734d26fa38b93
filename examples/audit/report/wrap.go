package report

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Width is the most columns that a line of the text has.
const Width = 100

var longDigest = regexp.MustCompile(`\b(sha256|sha512):([0-9a-f]{12})[0-9a-f]{20,}`)

// short cuts digests to what tells them apart. The JSON has them whole.
func short(s string) string { return longDigest.ReplaceAllString(s, "$1:$2…") }

var escape = regexp.MustCompile("\x1b\\[[0-9]*m")

func columns(s string) int { return utf8.RuneCountInString(escape.ReplaceAllString(s, "")) }

// wrap breaks a text into lines of at most width columns, at blanks where it can.
func wrap(s string, width int) []string { return wrapFrom(s, width, width) }

// wrapFrom is wrap with another width for the first line.
func wrapFrom(s string, first, rest int) []string {
	var lines []string
	width := max(first, 10)
	for paragraph := range strings.SplitSeq(s, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			for {
				switch {
				case line != "" && columns(line)+1+columns(word) <= width:
					line += " " + word
					word = ""
				case line != "":
					lines, line, width = append(lines, line), "", max(rest, 10)
					continue
				case columns(word) <= width:
					line, word = word, ""
				default:
					head, tail := breakWord(word, width)
					lines, word, width = append(lines, head), tail, max(rest, 10)
					continue
				}
				break
			}
		}
		lines, width = append(lines, line), max(rest, 10)
	}
	return lines
}

// breakWord cuts a word that is too long, behind a dot, a slash or their like if it can.
func breakWord(word string, width int) (head, tail string) {
	runes := []rune(word)
	cut := width
	for i := width; i > width/2; i-- {
		if strings.ContainsRune("./:,]=|-", runes[i-1]) {
			cut = i
			break
		}
	}
	return string(runes[:cut]), string(runes[cut:])
}

// wrapCommand breaks a command so that it can still be copied whole: at blanks with a
// backslash, and within single quotes, where JSON is, behind commas.
func wrapCommand(s string, width int) []string {
	var lines []string
	line, quoted := "", false
	var words []string // what must stay together, with the blank or comma behind it
	word := ""
	for _, r := range s {
		word += string(r)
		if r == '\'' {
			quoted = !quoted
		}
		if r == ' ' && !quoted || quoted && r == ',' {
			words, word = append(words, word), ""
		}
	}
	words = append(words, word)
	for i, w := range words {
		room := width
		if i < len(words)-1 {
			room -= 2 // for the backslash
		}
		if line != "" && columns(line)+columns(strings.TrimRight(w, " ")) > room {
			if strings.HasSuffix(line, " ") {
				line += `\`
			}
			lines, line = append(lines, line), ""
		}
		line += w
	}
	return append(lines, strings.TrimRight(line, " "))
}
