package documented

import "testing"

// A failed is a test that only keeps whether it failed.
type failed struct {
	testing.TB
	is bool
}

func (*failed) Helper() {}

func (f *failed) Errorf(string, ...any) { f.is = true }

func TestDefects(t *testing.T) {
	const text = "| defect | kit | rules |\n" +
		"| a | mine | `x`, `y` |\n" +
		"| b | theirs | `z` |\n"
	a := Defect{"a", []string{"y", "x"}}
	for _, tc := range []struct {
		name    string
		text    string
		defects []Defect
		fails   bool
	}{
		{"as it is, in any order of the rules", text, []Defect{a}, false},
		{"another rule", text, []Defect{{"a", []string{"x"}}}, true},
		{"no row", text, []Defect{a, {"b", []string{"z"}}}, true},
		{"no defect", text, nil, true},
		{"two defects of one name", text, []Defect{a, a}, true},
		{"two rows of one name", text + "| a | mine | `z` |\n", []Defect{a}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var f failed
			if Defects(&f, tc.text, "mine", tc.defects); f.is != tc.fails {
				t.Errorf("fails: %t", f.is)
			}
		})
	}
}
