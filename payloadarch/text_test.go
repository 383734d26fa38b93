package payloadarch_test

import (
	"strings"
	"testing"

	"github.com/polyarch/polyarch/payloadarch"
)

// An error says where in the document what is wrong, and what would be right.
func TestMetadataErrorText(t *testing.T) {
	for _, tc := range []struct{ name, data, want string }{
		{"too large", strings.Repeat(" ", payloadarch.MaxReleaseMetadata+1), "release metadata: more than 1048576 bytes"},
		{"trailing", `{} {}`, "release metadata: data after the document, at byte 3"},
		{"no object", `["kind"]`, `release metadata: found ["kind"] at byte 0, must be an object`},
		{"metadata no object, behind another list", `{"nodes":[],"metadata":[1]}`,
			"release metadata: metadata: found [1] at byte 23, must be an object"},
		{"another kind, behind an equal value", `{"version":"x","kind":"x"}`,
			`release metadata: kind: found "x" at byte 22, must be "cincinnati-metadata-v0"`},
		{"not JSON", `{"kind":?}`,
			"release metadata: not JSON at byte 8: invalid character '?' looking for beginning of value"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := payloadarch.FromReleaseMetadata([]byte(tc.data))
			if err == nil || err.Error() != tc.want {
				t.Errorf("error is %v, want %s", err, tc.want)
			}
		})
	}
}

// A string is the same however it is escaped.
func TestEscapedKind(t *testing.T) {
	v, err := payloadarch.FromReleaseMetadata([]byte(`{"kind":"\u0063incinnati-metadata-v0"}`))
	if err != nil || v.Kind != payloadarch.Single {
		t.Errorf("%v, %v, want Single", v, err)
	}
}

// What is not UTF-8 is told as JSON reads it.
func TestMetadataNotUTF8(t *testing.T) {
	for _, b := range []string{"\x80", "\xff"} {
		v, err := payloadarch.FromReleaseMetadata([]byte(`{"metadata":{"release.openshift.io/architecture":"` + b + `"}}`))
		if err != nil || len(v.Problems) != 1 {
			t.Fatalf("%v, %v, want one problem", v, err)
		}
		if got := v.Problems[0].BadValue; got != "\ufffd" {
			t.Errorf("value is %q, want the replacement character", got)
		}
	}
}

// A value that is no JSON at all comes from a caller's own map.
func TestValueThatIsNoJSON(t *testing.T) {
	v := payloadarch.FromReleaseArchitecture(make(chan int), true)
	if len(v.Problems) != 1 || v.Problems[0].BadValue != "a value of type chan int" {
		t.Errorf("problems are %v", v.Problems)
	}
}

// A problem lists what is supported.
func TestUnsupportedText(t *testing.T) {
	v := payloadarch.FromReleaseArchitecture("arm64", true)
	if len(v.Problems) != 1 || !strings.Contains(v.Problems[0].Error(), `supported values: "multi"; `) {
		t.Errorf("problems are %v", v.Problems)
	}
}
