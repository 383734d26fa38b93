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
	var l list[string]
	parseArchitectures(value, &l)
	return append([]string{}, l.all()...)
}

// parseArchitectures adds what ParseArchitectures returns to an empty list.
func parseArchitectures(value string, l *list[string]) {
	for part := range strings.SplitSeq(value, ",") {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(l.all(), part) {
			l.add(part)
		}
	}
}
