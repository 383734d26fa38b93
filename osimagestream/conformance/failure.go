package conformance

import (
	"fmt"
	"strings"
)

// A failure is a row or property that does not hold.
type failure struct {
	Outcome
	// panicked is what the implementation panicked with, and where.
	panicked string
	// seed is the flag that repeats the run of a property.
	seed string
}

// text says what does not hold, and how to see it again.
func (f *failure) text(pkg string, rule Rule, test string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s rule %s (%s) does not hold: %s\n%s: %s\n", pkg, rule.ID, rule.Strength, rule.Name, rule.Number, rule.Sentence)
	if f.panicked != "" {
		fmt.Fprintf(&b, "panic: %s\n", f.panicked)
	} else {
		fmt.Fprintf(&b, "input: %s\n", indent(Source(f.Input)))
		for _, object := range objects(f.Input) {
			fmt.Fprintf(&b, "as YAML:\n%s", indent("\t"+YAML(object)))
		}
		fmt.Fprintf(&b, "want: %s\ngot:  %s\n", indent(Source(f.Want)), indent(Source(f.Got)))
	}
	fmt.Fprintf(&b, "run again: go test -run '%s'", runPattern(test))
	if f.seed != "" {
		fmt.Fprintf(&b, " %s", f.seed)
	}
	return b.String()
}

// runPattern is the argument of -run for one subtest.
func runPattern(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + quoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

func quoteMeta(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func indent(s string) string { return strings.ReplaceAll(s, "\n", "\n\t") }
