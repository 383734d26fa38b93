package payloadarch_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

const architectureAt = "metadata[release.openshift.io/architecture]"

// metadataVerdict returns the whole verdict of a row.
func metadataVerdict(rule string, want payloadarchtest.Answer) verdict {
	v := verdict{Kind: kindOf(want.Kind), Reason: payloadarch.ReasonMetadata, Field: architectureAt}
	if want.Kind == payloadarchtest.KindSingle {
		v.Field = "metadata"
	}
	types := map[string]field.ErrorType{"metadata-other-string": field.ErrorTypeNotSupported,
		"metadata-no-string": field.ErrorTypeTypeInvalid, "metadata-key-twice": field.ErrorTypeDuplicate}
	if want.Problem {
		v.Reason = payloadarch.ReasonUnrecognized
		v.Problems = []problem{{types[rule], architectureAt}}
	}
	if rule == "metadata-key-case" {
		v.Findings = []finding{{payloadarch.FindingMetadataSpelling, "metadata"}}
	}
	return v
}

func TestFromReleaseMetadata(t *testing.T) {
	for _, c := range payloadarchtest.MetadataCases() {
		if c.Rule == "metadata-unreadable" {
			continue
		}
		t.Run(c.Rule+"/"+c.Name, func(t *testing.T) {
			got, err := payloadarch.FromReleaseMetadata([]byte(c.Data))
			if err != nil {
				t.Fatal(err)
			}
			checkVerdict(t, got, metadataVerdict(c.Rule, c.Want))
		})
	}
}

// The error says where and why.
func TestFromReleaseMetadataErrors(t *testing.T) {
	type fields struct {
		Code   payloadarch.MetadataErrorCode
		Offset int64
		Field  string
		Value  string
	}
	want := map[string]struct {
		fields
		wraps bool // an error of encoding/json
	}{
		"over 1 MiB":                    {fields{Code: payloadarch.MetadataTooLarge, Offset: payloadarch.MaxReleaseMetadata}, false},
		"no bytes":                      {fields{Code: payloadarch.MetadataSyntax}, true},
		"white space only":              {fields{Code: payloadarch.MetadataSyntax, Offset: 2}, true},
		"no JSON":                       {fields{Code: payloadarch.MetadataSyntax}, true},
		"a byte order mark":             {fields{Code: payloadarch.MetadataSyntax}, true},
		"a bad byte within":             {fields{Code: payloadarch.MetadataSyntax, Offset: 8}, true},
		"a bad last byte":               {fields{Code: payloadarch.MetadataSyntax, Offset: 1}, true},
		"ends too soon":                 {fields{Code: payloadarch.MetadataSyntax, Offset: 32}, true},
		"ends within a literal":         {fields{Code: payloadarch.MetadataSyntax, Offset: 3}, true},
		"too deep":                      {fields{Code: payloadarch.MetadataSyntax, Offset: 10000}, true},
		"another document behind it":    {fields{Code: payloadarch.MetadataTrailing, Offset: 34}, true},
		"a NUL behind it":               {fields{Code: payloadarch.MetadataTrailing, Offset: 33}, true},
		"a list":                        {fields{Code: payloadarch.MetadataWrongType, Value: `["kind"]`}, true},
		"a string":                      {fields{Code: payloadarch.MetadataWrongType, Value: `"x"`}, true},
		"null":                          {fields{Code: payloadarch.MetadataWrongType, Offset: 2, Value: "null"}, false},
		"metadata no object":            {fields{Code: payloadarch.MetadataWrongType, Offset: 12, Field: "metadata", Value: `"multi"`}, true},
		"a second metadata no object":   {fields{Code: payloadarch.MetadataWrongType, Offset: 28, Field: "metadata", Value: `[]`}, true},
		"metadata null, then no object": {fields{Code: payloadarch.MetadataWrongType, Offset: 28, Field: "metadata", Value: `1`}, true},
		"another kind":                  {fields{Code: payloadarch.MetadataWrongKind, Offset: 8, Field: "kind", Value: `"cincinnati-metadata-v1"`}, false},
		"an empty kind":                 {fields{Code: payloadarch.MetadataWrongKind, Offset: 8, Field: "kind", Value: `""`}, false},
		"kind null":                     {fields{Code: payloadarch.MetadataWrongKind, Offset: 8, Field: "kind", Value: `null`}, false},
		"kind no string":                {fields{Code: payloadarch.MetadataWrongKind, Offset: 8, Field: "kind", Value: `{}`}, false},
		"a second kind":                 {fields{Code: payloadarch.MetadataWrongKind, Offset: 40, Field: "kind", Value: `1`}, false},
	}
	for _, c := range payloadarchtest.MetadataCases() {
		if c.Rule != "metadata-unreadable" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			tc, ok := want[c.Name]
			if !ok {
				t.Fatal("what the error says is not listed here")
			}
			delete(want, c.Name)
			got, err := payloadarch.FromReleaseMetadata([]byte(c.Data))
			var e *payloadarch.MetadataError
			if !errors.As(err, &e) {
				t.Fatalf("error is %v, want a *MetadataError", err)
			}
			if diff := cmp.Diff(tc.fields, fields{e.Code, e.Offset, e.Field, e.Value}); diff != "" {
				t.Errorf("error differs (-want +got):\n%s", diff)
			}
			if wraps := errors.Unwrap(err) != nil; wraps != tc.wraps {
				t.Errorf("wraps an error of encoding/json: %v, want %v", wraps, tc.wraps)
			}
			if err.Error() == "" {
				t.Error("the error has no text")
			}
			checkVerdict(t, got, verdict{})
		})
	}
	for name := range want {
		t.Errorf("there is no row %q", name)
	}
}

// Which of the two values was meant is for a person to see, so both are named.
func TestRepeatedKeyNamesBothValues(t *testing.T) {
	for _, tc := range []struct{ name, members, want string }{
		{"16: two values", `"release.openshift.io/architecture":"x","release.openshift.io/architecture":"multi"`, `the key holds "x" and then "multi"; `},
		{"16: three values", `"release.openshift.io/architecture":1,"release.openshift.io/architecture":[],"release.openshift.io/architecture":"multi"`,
			`the key holds 1 and then [], and 1 more; `},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v, err := payloadarch.FromReleaseMetadata([]byte(document(tc.members)))
			if err != nil || len(v.Problems) != 1 || !strings.HasPrefix(v.Problems[0].Detail, tc.want) {
				t.Errorf("%v, %v; want a detail that begins with %q", v.Problems, err, tc.want)
			}
		})
	}
}

func TestSyntaxErrorIsWrapped(t *testing.T) {
	_, err := payloadarch.FromReleaseMetadata([]byte("{]"))
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		t.Errorf("%v does not wrap a *json.SyntaxError", err)
	}
}

func TestReleaseMetadataAtTheLimit(t *testing.T) {
	doc := document(`"release.openshift.io/architecture":"multi"`)
	doc += strings.Repeat(" ", payloadarch.MaxReleaseMetadata-len(doc))
	got, err := payloadarch.FromReleaseMetadata([]byte(doc))
	if err != nil || got.Kind != payloadarch.Multi {
		t.Errorf("kind = %v, error = %v at exactly %d bytes; want Multi", got.Kind, err, len(doc))
	}
}
