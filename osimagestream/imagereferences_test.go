package osimagestream

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseImageReferences(t *testing.T) {
	padded := func(n int) string {
		b := []byte(`{"kind":"ImageStream","apiVersion":"image.openshift.io/v1"}`)
		return string(b) + string(bytes.Repeat([]byte(" "), n-len(b)))
	}
	for _, tc := range []struct {
		name, data string
		want       ImageReferencesError // zero: readable
	}{
		{"4: a payload", `{"kind":"ImageStream","apiVersion":"image.openshift.io/v1","metadata":{"name":"4.22.0"},"spec":{"tags":[{"name":"a"}]}}`, ImageReferencesError{}},
		{"3,4: the API version of old releases", `{"kind":"ImageStream","apiVersion":"v1"}`, ImageReferencesError{}},
		{"4: unknown fields", `{"kind":"ImageStream","apiVersion":"v1","new":1}`, ImageReferencesError{}},
		{"1: as large as may be", padded(MaxImageReferences), ImageReferencesError{}},
		{"1: a byte too large", padded(MaxImageReferences + 1), ImageReferencesError{Code: ImageReferencesTooLarge, Value: "4194305"}},
		{"3: wrong kind", `{"kind":"ImageStreamList","apiVersion":"image.openshift.io/v1"}`, ImageReferencesError{Code: ImageReferencesWrongKind, Field: "kind", Value: "ImageStreamList"}},
		{"3: no kind", `{}`, ImageReferencesError{Code: ImageReferencesWrongKind, Field: "kind"}},
		{"3: null", `null`, ImageReferencesError{Code: ImageReferencesWrongKind, Field: "kind"}},
		{"3: wrong group", `{"kind":"ImageStream","apiVersion":"apps/v1"}`, ImageReferencesError{Code: ImageReferencesWrongKind, Field: "apiVersion", Value: "apps/v1"}},
		{"2: no JSON", `kind: ImageStream`, ImageReferencesError{Code: ImageReferencesMalformed}},
		{"2: no data", ``, ImageReferencesError{Code: ImageReferencesMalformed}},
		{"2: trailing data", `{"kind":"ImageStream","apiVersion":"v1"}{}`, ImageReferencesError{Code: ImageReferencesMalformed}},
		{"2: tags of the wrong type", `{"kind":"ImageStream","apiVersion":"v1","spec":{"tags":7}}`, ImageReferencesError{Code: ImageReferencesMalformed}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is, err := ParseImageReferences([]byte(tc.data))
			if tc.want.Code == "" {
				if err != nil || is == nil {
					t.Fatalf("ParseImageReferences = %v, %v", is, err)
				}
				return
			}
			var e *ImageReferencesError
			if !errors.As(err, &e) {
				t.Fatalf("error %v is not an *ImageReferencesError", err)
			}
			if is != nil {
				t.Error("a result beside the error")
			}
			if e.Code != tc.want.Code || e.Field != tc.want.Field || e.Value != tc.want.Value {
				t.Errorf("error %+v, want %+v", *e, tc.want)
			}
			if (e.Code == ImageReferencesMalformed) != (e.Err != nil) || errors.Unwrap(err) != e.Err {
				t.Errorf("wrapped error %v", e.Err)
			}
			if e.Error() == "" {
				t.Error("no message")
			}
		})
	}
	var syntax *json.SyntaxError
	if _, err := ParseImageReferences([]byte("{")); !errors.As(err, &syntax) {
		t.Errorf("error %v does not lead to the cause", err)
	}
}

func TestParseKeepsLackOfOrigin(t *testing.T) {
	t.Run("4: a candidate without an origin", testParseKeepsLackOfOrigin)
}

func testParseKeepsLackOfOrigin(t *testing.T) {
	is, err := ParseImageReferences([]byte(`{"kind":"ImageStream","apiVersion":"v1","spec":{"tags":[{"name":"rhel-coreos"},{"name":"etcd"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if tags := is.Spec.Tags; len(tags) != 1 || tags[0].From != nil || tags[0].Annotations != nil {
		t.Errorf("tags %+v", tags)
	}
}

// Discover would not look at anything that is left out of the payload.
func TestParseKeepsWhatDiscoveryNeeds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genSources(t)
		s.Payload.Kind, s.Payload.APIVersion, s.Payload.Name = "ImageStream", "image.openshift.io/v1", "5.0.0"
		for i := range s.Payload.Spec.Tags {
			s.Payload.Spec.Tags[i].Annotations = map[string]string{"other": "x"}
			if rapid.Bool().Draw(t, "annotated") {
				s.Payload.Spec.Tags[i].Annotations[sourceAnnotation] = "https://github.com/openshift/os"
			}
		}
		data, err := json.Marshal(s.Payload)
		if err != nil {
			t.Fatal(err)
		}
		want := Discover(s)
		if s.Payload, err = ParseImageReferences(data); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, Discover(s)); d != "" || s.Payload.Name != "5.0.0" {
			t.Fatalf("%s: %s", s.Payload.Name, d)
		}
	})
}
