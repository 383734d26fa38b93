package payloadarch_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/payloadarch"
)

const architectureAt = "metadata[release.openshift.io/architecture]"

func TestFromReleaseMetadata(t *testing.T) {
	isMulti := verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonMetadata, Field: architectureAt}
	isSingle := verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonMetadata, Field: "metadata"}
	bad := func(t field.ErrorType) verdict {
		return verdict{Reason: payloadarch.ReasonUnrecognized, Field: architectureAt, Problems: []problem{{t, architectureAt}}}
	}
	misspelled := func(v verdict) verdict {
		v.Findings = []finding{{payloadarch.FindingMetadataSpelling, "metadata"}}
		return v
	}
	for _, tc := range []struct {
		name, data string
		want       verdict
	}{
		{"11: multi", document(`"release.openshift.io/architecture":"multi"`), isMulti},
		{"11: multi among others", document(`"url":"https://example.com","release.openshift.io/architecture":"multi","description":""`), isMulti},
		{"11: escapes in the value", document(`"release.openshift.io/architecture":"mult\u0069"`), isMulti},
		{"11: escapes in the key", document(`"release.openshift.io\/architecture":"multi"`), isMulti},
		{"11: no kind", `{"metadata":{"release.openshift.io/architecture":"multi"}}`, isMulti},
		{"11: white space around the document", " \r\n\t" + document(`"release.openshift.io/architecture":"multi"`) + "\n\n", isMulti},
		{"11: metadata in two objects", `{"metadata":{"release.openshift.io/architecture":"multi"},"metadata":{"url":""}}`, isMulti},
		{"11: top-level keys in another letter case, as upstream", `{"Kind":"cincinnati-metadata-v0","METADATA":{"release.openshift.io/architecture":"multi"}}`, isMulti},

		{"12: no key", document(`"url":"https://example.com"`), isSingle},
		{"12: empty metadata", document(``), isSingle},
		{"12: no metadata", `{"kind":"cincinnati-metadata-v0","version":"4.1.0"}`, isSingle},
		{"12: metadata null", `{"kind":"cincinnati-metadata-v0","metadata":null}`, isSingle},
		{"12: metadata forgotten by a null behind it", `{"metadata":{"release.openshift.io/architecture":"multi"},"metadata":null}`, isSingle},
		{"12: an empty object", `{}`, isSingle},
		{"12: the key outside of metadata", `{"release.openshift.io/architecture":"multi"}`, isSingle},
		{"12: the key deeper in metadata", document(`"x":{"release.openshift.io/architecture":"multi"}`), isSingle},
		{"12,17: the key in another letter case", document(`"Release.openshift.io/Architecture":"multi"`), misspelled(isSingle)},
		{"11,17: both spellings", document(`"RELEASE.OPENSHIFT.IO/ARCHITECTURE":"x","release.openshift.io/architecture":"multi","Release.openshift.io/architecture":1`), misspelled(isMulti)},

		{"13: Multi", document(`"release.openshift.io/architecture":"Multi"`), bad(field.ErrorTypeNotSupported)},
		{"13: an architecture", document(`"release.openshift.io/architecture":"amd64"`), bad(field.ErrorTypeNotSupported)},
		{"13: empty", document(`"release.openshift.io/architecture":""`), bad(field.ErrorTypeNotSupported)},
		{"13: blanks around it", document(`"release.openshift.io/architecture":" multi"`), bad(field.ErrorTypeNotSupported)},
		{"13: not UTF-8", document("\"release.openshift.io/architecture\":\"multi\xff\""), bad(field.ErrorTypeNotSupported)},
		{"14: null", document(`"release.openshift.io/architecture":null`), bad(field.ErrorTypeTypeInvalid)},
		{"14: true", document(`"release.openshift.io/architecture":true`), bad(field.ErrorTypeTypeInvalid)},
		{"14: a number", document(`"release.openshift.io/architecture":1`), bad(field.ErrorTypeTypeInvalid)},
		{"14: a list", document(`"release.openshift.io/architecture":["multi"]`), bad(field.ErrorTypeTypeInvalid)},
		{"14: an object", document(`"release.openshift.io/architecture":{"multi":true}`), bad(field.ErrorTypeTypeInvalid)},
		{"16: twice, different", document(`"release.openshift.io/architecture":"x","release.openshift.io/architecture":"multi"`), bad(field.ErrorTypeDuplicate)},
		{"16: twice, the same", document(`"release.openshift.io/architecture":"multi","release.openshift.io/architecture":"multi"`), bad(field.ErrorTypeDuplicate)},
		{"16: once in each of two metadata", `{"metadata":{"release.openshift.io/architecture":"multi"},"metadata":{"release.openshift.io/architecture":"x"}}`, bad(field.ErrorTypeDuplicate)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := payloadarch.FromReleaseMetadata([]byte(tc.data))
			if err != nil {
				t.Fatal(err)
			}
			checkVerdict(t, got, tc.want)
		})
	}
}

func TestFromReleaseMetadataErrors(t *testing.T) {
	type fields struct {
		Code   payloadarch.MetadataErrorCode
		Offset int64
		Field  string
		Value  string
	}
	const kind = `{"kind":"cincinnati-metadata-v0"}`
	for _, tc := range []struct {
		name, data string
		want       fields
		wraps      bool // an error of encoding/json
	}{
		{"18: over 1 MiB", kind + strings.Repeat(" ", payloadarch.MaxReleaseMetadata-len(kind)+1),
			fields{Code: payloadarch.MetadataTooLarge, Offset: payloadarch.MaxReleaseMetadata}, false},
		{"18: no bytes", "", fields{Code: payloadarch.MetadataSyntax}, true},
		{"18: white space only", " \n", fields{Code: payloadarch.MetadataSyntax, Offset: 2}, true},
		{"18: no JSON", "kind: x", fields{Code: payloadarch.MetadataSyntax}, true},
		{"18: a byte order mark", "\xef\xbb\xbf" + kind, fields{Code: payloadarch.MetadataSyntax}, true},
		{"18: a bad byte within", `{"kind":?}`, fields{Code: payloadarch.MetadataSyntax, Offset: 8}, true},
		{"18: a bad last byte", `{]`, fields{Code: payloadarch.MetadataSyntax, Offset: 1}, true},
		{"18: ends too soon", kind[:len(kind)-1], fields{Code: payloadarch.MetadataSyntax, Offset: int64(len(kind) - 1)}, true},
		{"18: ends within a literal", "nul", fields{Code: payloadarch.MetadataSyntax, Offset: 3}, true},
		{"18: too deep", strings.Repeat("[", 10001), fields{Code: payloadarch.MetadataSyntax, Offset: 10000}, true},
		{"18: another document behind it", kind + "\n" + kind, fields{Code: payloadarch.MetadataTrailing, Offset: int64(len(kind) + 1)}, true},
		{"18: a NUL behind it", kind + "\x00", fields{Code: payloadarch.MetadataTrailing, Offset: int64(len(kind))}, true},
		{"18: a list", `["kind"]`, fields{Code: payloadarch.MetadataWrongType, Value: `["kind"]`}, true},
		{"18: a string", "\"x\"\n", fields{Code: payloadarch.MetadataWrongType, Value: `"x"`}, true},
		{"18: null", "  null", fields{Code: payloadarch.MetadataWrongType, Offset: 2, Value: "null"}, false},
		{"18: metadata no object", `{"metadata":"multi"}`, fields{Code: payloadarch.MetadataWrongType, Offset: 12, Field: "metadata", Value: `"multi"`}, true},
		{"18: a second metadata no object", `{"metadata":{}, "Metadata": [] }`, fields{Code: payloadarch.MetadataWrongType, Offset: 28, Field: "metadata", Value: `[]`}, true},
		{"18: metadata null, then no object", `{"metadata":null,"metadata":1}`, fields{Code: payloadarch.MetadataWrongType, Offset: 28, Field: "metadata", Value: `1`}, true},
		{"18: another kind", `{"kind":"cincinnati-metadata-v1"}`, fields{Code: payloadarch.MetadataWrongKind, Offset: 8, Field: "kind", Value: `"cincinnati-metadata-v1"`}, false},
		{"18: an empty kind", `{"kind":""}`, fields{Code: payloadarch.MetadataWrongKind, Offset: 8, Field: "kind", Value: `""`}, false},
		{"18: kind null", `{"kind":null}`, fields{Code: payloadarch.MetadataWrongKind, Offset: 8, Field: "kind", Value: `null`}, false},
		{"18: kind no string", `{"kind":{}}`, fields{Code: payloadarch.MetadataWrongKind, Offset: 8, Field: "kind", Value: `{}`}, false},
		{"18: a second kind", `{"kind":"cincinnati-metadata-v0","kind":1,"kind":"cincinnati-metadata-v0"}`, fields{Code: payloadarch.MetadataWrongKind, Offset: 40, Field: "kind", Value: `1`}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := payloadarch.FromReleaseMetadata([]byte(tc.data))
			var e *payloadarch.MetadataError
			if !errors.As(err, &e) {
				t.Fatalf("error is %v, want a *MetadataError", err)
			}
			if diff := cmp.Diff(tc.want, fields{e.Code, e.Offset, e.Field, e.Value}); diff != "" {
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

// document is release metadata with the given members of "metadata".
func document(members string) string {
	return `{"kind":"cincinnati-metadata-v0","version":"4.19.0","previous":["4.18.9"],"metadata":{` + members + `}}`
}
