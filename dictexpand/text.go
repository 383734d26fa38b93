package dictexpand

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/quote"
)

// path is relative to the object that holds the list.
func path(t *Template) *field.Path { return pathOf(t.Name) }

func pathOf(template string) *field.Path {
	return field.NewPath("dataImportCronTemplates").Key(quote.Cut(template))
}

// maxNames is how many names a text holds at most.
const maxNames = 10

func quoted(list []string) string { return quotedOf(list, len(list)) }

// quotedOf quotes the first names of n.
func quotedOf(list []string, n int) string {
	if n == 0 {
		return "none"
	}
	var b strings.Builder
	for i, name := range list[:min(len(list), maxNames)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quote.Quote(name))
	}
	if n > maxNames {
		fmt.Fprintf(&b, " and %d more", n-maxNames)
	}
	return b.String()
}

func sortProblems(problems field.ErrorList) {
	slices.SortStableFunc(problems, func(a, b *field.Error) int {
		if c := strings.Compare(a.Field, b.Field); c != 0 {
			return c // the value is seldom needed, and may have to be formatted
		}
		return cmp.Or(strings.Compare(string(a.Type), string(b.Type)), strings.Compare(value(a), value(b)), strings.Compare(a.Detail, b.Detail))
	})
}

func value(err *field.Error) string {
	if s, ok := err.BadValue.(string); ok {
		return s
	}
	return fmt.Sprint(err.BadValue)
}
