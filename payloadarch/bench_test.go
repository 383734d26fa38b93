package payloadarch_test

import (
	"encoding/json"
	"testing"

	"github.com/polyarch/polyarch/payloadarch"
)

// The floor of FromReleaseMetadata is json.Unmarshal into a struct of the two
// fields that it reads; internal/benchmarks holds the ratio to at most 1.3.
func BenchmarkFromReleaseMetadata(b *testing.B) {
	data := []byte(document(`"release.openshift.io/architecture":"multi","url":"https://access.redhat.com/errata/RHSA-2025:16113"`))
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if v, err := payloadarch.FromReleaseMetadata(data); err != nil || v.Kind != payloadarch.Multi {
				b.Fatal(v, err)
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var doc struct {
				Kind     string `json:"kind"`
				Metadata struct {
					Architecture string `json:"release.openshift.io/architecture"`
				} `json:"metadata"`
			}
			if err := json.Unmarshal(data, &doc); err != nil || doc.Metadata.Architecture != "multi" {
				b.Fatal(doc, err)
			}
		}
	})
}

// The floor is no allocation: the verdict of a settled cluster is plain values.
func BenchmarkFromClusterVersion(b *testing.B) {
	cv, gates := clusterVersion("", v1, imageA, completed(v1, imageA)), featureGate(enabled(v1))
	b.ReportAllocs()
	for b.Loop() {
		if v := payloadarch.FromClusterVersion(cv, gates); v.Kind != payloadarch.Single {
			b.Fatal(v)
		}
	}
}

func TestNoAllocs(t *testing.T) {
	gates := featureGate(enabled(v1))
	settled := clusterVersion("", v1, imageA, completed(v1, imageA))
	reported := clusterVersion(multi, v1, imageA, completed(v1, imageA))
	updating := clusterVersion("", v1, imageB, partial(v1, imageB))
	verdict := payloadarch.Verdict{Kind: payloadarch.Multi}
	for name, decide := range map[string]func(){
		"FromClusterVersion settled":  func() { payloadarch.FromClusterVersion(settled, gates) },
		"FromClusterVersion reported": func() { payloadarch.FromClusterVersion(reported, gates) },
		"FromClusterVersion updating": func() { payloadarch.FromClusterVersion(updating, gates) },
		"FromHosted":                  func() { payloadarch.FromHosted("Multi", reported, gates) },
		"TransitionOf":                func() { payloadarch.TransitionOf(payloadarch.Single, verdict, updating.Status.History) },
		"CheckDesiredUpdate":          func() { payloadarch.CheckDesiredUpdate(nil, nil, payloadarch.Multi) },
		"Set.Has":                     func() { payloadarch.Set{}.Has("amd64") },
	} {
		if n := testing.AllocsPerRun(100, decide); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
}
