package source

import (
	"bytes"
	"strings"
)

// sniffed is how much of a file is looked at to tell whether it holds objects.
const sniffed = 4 << 10

// manifest reports whether a file holds objects: its name says so, or it begins as they
// do. Logs, by far the most of a must-gather, do neither.
func manifest(name string, head []byte) bool {
	for _, suffix := range []string{".yaml", ".yml", ".json"} {
		if strings.HasSuffix(strings.ToLower(name), suffix) {
			return true
		}
	}
	text := bytes.TrimPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("---\n"))
	for _, begin := range []string{"apiVersion:", "kind:"} {
		if bytes.HasPrefix(text, []byte(begin)) || bytes.Contains(head, []byte("\n"+begin)) {
			return true
		}
	}
	return len(text) > 0 && text[0] == '{' && bytes.Contains(head, []byte(`"apiVersion"`))
}
