package manifestlist

import (
	"errors"
	"testing"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

// TestChildContradictsItself is rules A1 and A2 where they refuse.
func TestChildContradictsItself(t *testing.T) {
	type row struct {
		name  string
		child Child
		code  Code
		path  string
	}
	var rows []row
	for _, c := range manifestlisttest.ChildCases() {
		rows = append(rows, row{c.Name, fromKit(c.Child)[0], Code(c.Code), c.Path})
	}
	for _, tc := range rows {
		if tc.code == "" {
			continue // it is no contradiction
		}
		t.Run(tc.name, func(t *testing.T) {
			_, err := Assemble([]Child{tc.child}, Options{})
			var first *IndexError
			if !errors.As(err, &first) {
				t.Fatalf("error %v, want %s", err, tc.code)
			}
			if first.Code != tc.code || first.Path != "children[0]."+tc.path || place(first.Child) != 0 {
				t.Errorf("%s at %s of child %d, want %s at children[0].%s", first.Code, first.Path, place(first.Child), tc.code, tc.path)
			}
		})
	}
}
