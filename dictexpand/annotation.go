package dictexpand

import (
	"slices"
	"strings"
)

// ParseArchitectures returns the architectures that a value of
// AnnotationArchitectures lists, in its order: without blanks around them,
// without empty parts, and each once. It is total and judges no name; a value of
// blanks and commas gives none.
func ParseArchitectures(value string) []string {
	list := make([]string, 0, strings.Count(value, ",")+1)
	for part := range strings.SplitSeq(value, ",") {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(list, part) {
			list = append(list, part)
		}
	}
	return list
}
