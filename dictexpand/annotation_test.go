package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestParseArchitectures(t *testing.T) {
	for _, tc := range []struct {
		name, value string
		want        []string
	}{
		{"one", "amd64", []string{"amd64"}},
		{"order is kept", "s390x,amd64,arm64", []string{"s390x", "amd64", "arm64"}},
		{"blanks, an empty part and a repetition", " amd64 , arm64,amd64,", []string{"amd64", "arm64"}},
		{"other white space", "\tamd64\n,\u00a0arm64", []string{"amd64", "arm64"}},
		{"no name is judged", "x86_64,AMD64,nope!", []string{"x86_64", "AMD64", "nope!"}},
		{"blanks inside a name stay", "amd 64", []string{"amd 64"}},
		{"empty", "", nil},
		{"blanks only", "  \t", nil},
		{"commas only", ",,,", nil},
		{"blanks and commas only", " , , ", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, dictexpand.ParseArchitectures(tc.value), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("ParseArchitectures(%q), -want +got:\n%s", tc.value, diff)
			}
		})
	}
}
