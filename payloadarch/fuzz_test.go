package payloadarch_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

func FuzzFromReleaseMetadata(f *testing.F) {
	for _, seed := range []string{
		document(`"release.openshift.io/architecture":"multi"`),                           // a multi payload
		document(`"url":"https://access.redhat.com/errata/RHSA-1"`),                       // a single one
		document(`"release.openshift.io/architecture":"Multi"`),                           // what ClusterVersion says, not metadata
		document(`"Release.openshift.io/architecture":"multi"`),                           // a key that only folding would match
		document(`"release.openshift.io\/architecture":"mult\u0069"`),                     // escapes
		`{"metadata":{"release.openshift.io/architecture":"multi"},"metadata":null}`,      // forgotten again
		`{"metadata":{"release.openshift.io/architecture":1},"metadata":{"x":{}}}`,        // merged
		`{"\u212aind":"x","metadata":{"release.open\u017fhift.io/architecture":"multi"}}`, // letters that fold to ASCII
		`{"kind":"cincinnati-metadata-v1"}`,                                               // another kind
		`{"kind":"cincinnati-metadata-v0"} {}`,                                            // trailing data
		`{"kind":"cincinnati-metadata-v0"`,                                                // cut off
		`{"metadata":[]}`, `[]`, ` null `, ``, "\xef\xbb\xbf{}", "{]",                     // no object
		"{\"metadata\":{\"release.openshift.io/architecture\":\"multi\xff\"}}", // not UTF-8
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := slices.Clone(data)
		got, err := payloadarch.FromReleaseMetadata(data)
		if !slices.Equal(before, data) {
			t.Fatal("the argument was changed")
		}
		want, trouble := payloadarchtest.OracleMetadata(data)
		if trouble == "" {
			if err != nil || got.Kind != kindOf(want.Kind) || (len(got.Problems) > 0) != want.Problem {
				t.Fatalf("%q: %v, %v, %v; want %+v", data, got.Kind, got.Problems, err, want)
			}
			return
		}
		var e *payloadarch.MetadataError
		if !errors.As(err, &e) || string(e.Code) != trouble {
			t.Fatalf("%q: error %v, want code %s", data, err, trouble)
		}
		if got.Kind != 0 || got.Reason != "" || got.Field != "" || got.Problems != nil || got.Findings != nil {
			t.Fatalf("%q: verdict %+v beside an error", data, got)
		}
		if e.Offset < 0 || e.Offset > int64(len(data)) || !strings.HasPrefix(string(data[e.Offset:]), e.Value) {
			t.Fatalf("%q: offset %d with value %q", data, e.Offset, e.Value)
		}
	})
}

func FuzzParseSet(f *testing.F) {
	for _, seed := range []string{
		"", "amd64", "amd64,arm64", // what is written
		" s390x , amd64,amd64,",                                // what somebody typed
		",", " , ", "\t\n", "x86_64,AMD64", "a\x00b", "\xff,é", // what nobody should
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := payloadarch.ParseSet(text)
		if again := payloadarch.ParseSet(s.String()); again != s {
			t.Fatalf("%q: text form %q does not round-trip, gives %q", text, s, again)
		}
		all := slices.Collect(s.All())
		if !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) || len(all) != s.Len() {
			t.Fatalf("%q: names %q, Len %d", text, all, s.Len())
		}
		for _, a := range all {
			if a == "" || a != strings.TrimSpace(a) || !s.Has(a) || !strings.Contains(text, a) {
				t.Fatalf("%q: name %q", text, a)
			}
		}
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" && !s.Has(part) {
				t.Fatalf("%q: %q was lost", text, part)
			}
		}
	})
}
