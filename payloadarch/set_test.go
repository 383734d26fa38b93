package payloadarch_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

func TestSet(t *testing.T) {
	for _, c := range payloadarchtest.SetCases() {
		t.Run(c.Rule+"/"+c.Name, func(t *testing.T) {
			s, all := payloadarch.SetOf(c.Names...), payloadarchtest.OracleSet(c.Names...)
			if diff := cmp.Diff(all, append([]string{}, slices.Collect(s.All())...)); diff != "" {
				t.Errorf("All differs (-want +got):\n%s", diff)
			}
			if s.Len() != len(all) {
				t.Errorf("Len() = %d, want %d", s.Len(), len(all))
			}
			for _, a := range all {
				if !s.Has(a) {
					t.Errorf("Has(%q) = false", a)
				}
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
