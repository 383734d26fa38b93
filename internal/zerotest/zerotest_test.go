package zerotest

import (
	"errors"
	"go/ast"
	"slices"
	"testing"
)

type good struct{ N int }

func (good) String() string { return "good" }

type panicking struct{ Err error }

func (p *panicking) Error() string { return p.Err.Error() }

// elsewhere has a method that panics without comments and is not ours.
type elsewhere struct{ ast.CommentGroup }

// ownMethod embeds a type of this module.
type ownMethod struct{ nested }

type nested struct{ N *int }

func (n nested) Panics() int { return *n.N }

type hiding struct{ n int }

type takesArguments struct{}

func (takesArguments) M(m map[string]int, more ...string) int { return m["x"] + len(more) }

// A checker that finds nothing proves nothing, so it is shown what it must find.
func TestCheckFinds(t *testing.T) {
	for _, tc := range []struct {
		name  string
		value any
		want  int
	}{
		{"nothing to find", good{}, 0},
		{"arguments are zero", takesArguments{}, 0},
		{"a panicking method of the pointer", panicking{}, 1},
		{"the same method with what it needs", panicking{errors.New("x")}, 1}, // cmp compares no *errorString
		{"an unexported field", hiding{1}, 1},
		{"a panicking method of an embedded type of this module", ownMethod{}, 2}, // and cmp cannot see the unexported nested
		{"a panicking method of an embedded type of others", elsewhere{}, 0},
	} {
		if got := check(tc.value); len(got) != tc.want {
			t.Errorf("%s: %d problems, want %d: %v", tc.name, len(got), tc.want, got)
		}
	}
}

func TestExportedTypes(t *testing.T) {
	got, err := exportedTypes("../../importmode")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Decision", "TagDecision", "Options"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %v", want, got)
		}
	}
	if slices.Contains(got, "Mode") {
		t.Error("Mode is an interface")
	}
}
