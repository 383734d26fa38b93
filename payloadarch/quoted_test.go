package payloadarch_test

import (
	"errors"
	"strings"
	"testing"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

// A value of half a megabyte is not repeated in an event, a condition or a log.
func TestValuesInTextsAreCut(t *testing.T) {
	const most = 1000 // 128 characters of up to three values, and the words around them
	huge := strings.Repeat("x", 500_000)
	metadata := func(members string) func() []string {
		return func() []string {
			v, err := payloadarch.FromReleaseMetadata([]byte(document(members)))
			if err != nil {
				return []string{err.Error()}
			}
			return textsOf(v)
		}
	}
	const key = `"release.openshift.io/architecture":`
	for _, tc := range []struct {
		name  string
		texts func() []string
	}{
		{"2,52: the architecture", func() []string {
			return textsOf(payloadarch.FromClusterVersion(clusterVersion(configv1.ClusterVersionArchitecture(huge), v1, imageA), nil))
		}},
		{"13,52: a string", metadata(key + `"` + huge + `"`)},
		{"14,52: a list", metadata(key + `["` + huge + `"]`)},
		{"16,52: the key twice", metadata(key + `"` + huge + `",` + key + `"` + huge + `"`)},
		{"18,52: another kind", func() []string {
			_, err := payloadarch.FromReleaseMetadata([]byte(`{"kind":"` + huge + `"}`))
			var e *payloadarch.MetadataError
			if !errors.As(err, &e) || e.Value != `"`+huge+`"` {
				t.Error("the field Value does not hold the whole value")
			}
			return []string{err.Error()}
		}},
		{"18,52: not an object", func() []string {
			_, err := payloadarch.FromReleaseMetadata([]byte(`"` + huge + `"`))
			return []string{err.Error()}
		}},
		{"22,52: payloadArch", func() []string { return textsOf(payloadarch.FromHostedCluster(huge)) }},
		{"31,52: an operating system", func() []string { return textsOf(payloadarch.FromIndex(entries(entry(huge, "amd64"), linux("amd64")))) }},
		{"32,52: an architecture of the index", func() []string { return textsOf(payloadarch.FromIndex(entries(linux(huge), linux("amd64")))) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			texts := tc.texts()
			if len(texts) == 0 {
				t.Fatal("no text")
			}
			for _, text := range texts {
				if len(text) > most || !strings.Contains(text, "(128 of ") {
					t.Errorf("%d bytes: %.300s", len(text), text)
				}
			}
		})
	}
	t.Run("28,52: another spelling", func(t *testing.T) {
		for _, text := range textsOf(payloadarch.FromIndex(entries(linux(strings.Repeat(" ", 500_000) + "x86_64")))) {
			if len(text) > most {
				t.Errorf("%d bytes", len(text))
			}
		}
	})
	t.Run("6,52: the version in a path", func(t *testing.T) {
		v := payloadarch.FromClusterVersion(clusterVersion("", huge, imageA), featureGate(disabled(huge)))
		if v.Reason != payloadarch.ReasonGateDisabled || len(v.Field) > most {
			t.Errorf("%s at a path of %d bytes", v.Reason, len(v.Field))
		}
	})
}

// textsOf returns the texts of a verdict as a caller prints them.
func textsOf(v payloadarch.Verdict) (texts []string) {
	for _, p := range v.Problems {
		texts = append(texts, p.Error())
	}
	for _, f := range v.Findings {
		texts = append(texts, f.String())
	}
	return texts
}

// A problem says what follows from it.
func TestProblemsNameTheConsequence(t *testing.T) {
	twice, err := payloadarch.FromReleaseMetadata([]byte(document(`"release.openshift.io/architecture":1,"release.openshift.io/architecture":2`)))
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]payloadarch.Verdict{
		"2: ClusterVersion":     payloadarch.FromClusterVersion(clusterVersion("multi", v1, imageA), nil),
		"13: a string":          payloadarch.FromReleaseArchitecture("Multi", true),
		"14: no string":         payloadarch.FromReleaseArchitecture(1, true),
		"16: the key twice":     twice,
		"22: the HostedCluster": payloadarch.FromHostedCluster("multi"),
	} {
		t.Run(name, func(t *testing.T) {
			const want = "the kind of the payload is Unknown, and what was decided from it before stays"
			if len(v.Problems) != 1 || !strings.HasSuffix(v.Problems[0].Error(), want) {
				t.Errorf("problems %v, want one that ends in %q", v.Problems, want)
			}
		})
	}
}
