package payloadarch_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/payloadarch"
)

func TestSet(t *testing.T) {
	for _, tc := range []struct {
		name  string
		names []string
		text  string
		all   []string
	}{
		{"48,49: nothing", nil, "", nil},
		{"48: one", []string{"arm64"}, "arm64", []string{"arm64"}},
		{"48: ascending", []string{"s390x", "amd64", "arm64"}, "amd64,arm64,s390x", []string{"amd64", "arm64", "s390x"}},
		{"48,49: each once", []string{"amd64", "amd64"}, "amd64", []string{"amd64"}},
		{"49: blanks around a name", []string{" arm64\t", "arm64"}, "arm64", []string{"arm64"}},
		{"49: empty names", []string{"", "amd64", " "}, "amd64", []string{"amd64"}},
		{"48: a name with commas is several", []string{"s390x,amd64", ","}, "amd64,s390x", []string{"amd64", "s390x"}},
		{"50: aliases are other names", []string{"x86_64", "amd64"}, "amd64,x86_64", []string{"amd64", "x86_64"}},
		{"50: unknown names are kept", []string{"riscv64"}, "riscv64", []string{"riscv64"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := payloadarch.SetOf(tc.names...)
			if s.String() != tc.text {
				t.Errorf("SetOf(%q) = %q, want %q", tc.names, s, tc.text)
			}
			if diff := cmp.Diff(tc.all, slices.Collect(s.All())); diff != "" {
				t.Errorf("All differs (-want +got):\n%s", diff)
			}
			if s.Len() != len(tc.all) {
				t.Errorf("Len() = %d, want %d", s.Len(), len(tc.all))
			}
			for _, a := range tc.all {
				if !s.Has(a) {
					t.Errorf("Has(%q) = false", a)
				}
			}
			if got := payloadarch.ParseSet(tc.text); got != s {
				t.Errorf("ParseSet(%q) = %q, want %q", tc.text, got, s)
			}
		})
	}
}

func TestParseSet(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"51: a text form", "amd64,arm64", "amd64,arm64"},
		{"51: the empty text", "", ""},
		{"49,51: what somebody typed", " s390x ,amd64,, amd64,\n", "amd64,s390x"},
		{"50,51: bytes that are no architecture", "\xff,a\x00b", "a\x00b,\xff"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := payloadarch.ParseSet(tc.text); got.String() != tc.want {
				t.Errorf("ParseSet(%q) = %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

func TestSetEqual(t *testing.T) {
	a, b := payloadarch.SetOf("s390x", "amd64"), payloadarch.ParseSet("amd64,s390x")
	if !a.Equal(b) || a.Equal(payloadarch.SetOf("amd64")) || !(payloadarch.Set{}).Equal(payloadarch.SetOf()) {
		t.Error("Equal differs from ==")
	}
	// cmp.Diff panics at the unexported field of a type without Equal.
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("cmp.Diff of equal sets:\n%s", diff)
	}
	if cmp.Diff(a, payloadarch.Set{}) == "" {
		t.Error("cmp.Diff sees no difference to the empty set")
	}
}

func TestSetHasNoMoreThanItsNames(t *testing.T) {
	s := payloadarch.SetOf("amd64", "arm64")
	for _, a := range []string{"", "arm", "amd64,arm64", "64,a", "s390x"} {
		if s.Has(a) {
			t.Errorf("%q.Has(%q) = true", s, a)
		}
	}
	if (payloadarch.Set{}).Has("") {
		t.Error("the empty set has the empty name")
	}
}

func TestSetAllStops(t *testing.T) {
	for a := range payloadarch.SetOf("s390x", "amd64").All() {
		if a != "amd64" {
			t.Errorf("first of All is %q, want amd64", a)
		}
		break
	}
}

func TestSetInJSON(t *testing.T) {
	type stored struct {
		Architectures payloadarch.Set `json:"architectures"`
	}
	in := stored{payloadarch.SetOf("s390x", "amd64")}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"architectures":"amd64,s390x"}`; string(data) != want {
		t.Errorf("json.Marshal = %s, want %s", data, want)
	}
	var out stored
	if err := json.Unmarshal([]byte(`{"architectures":" s390x , amd64,amd64,"}`), &out); err != nil {
		t.Fatal(err)
	}
	if out != in {
		t.Errorf("json.Unmarshal = %q, want %q", out, in)
	}
}
