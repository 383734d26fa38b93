package osimagestream_test

import (
	"slices"
	"strings"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

func TestForPool(t *testing.T) {
	for _, c := range osimagestreamtest.PoolCases() {
		t.Run(c.Name, func(t *testing.T) {
			r := osimagestream.ForPool(ours.Pool(c.Pool))
			diff(t, "stream", c.Want, r.Stream)
			diff(t, "images", c.Images, r.Images)
			diff(t, "reason", c.Reason, string(r.Reason))
			diff(t, "field", c.Field, r.Field)
			problems(t, c.Problems, r.Problems)
			findings(t, c.Findings, r.Findings)
			degraded := map[bool]osimagestream.DegradedReason{true: osimagestream.ReasonStreamNotOffered}[len(c.Problems) > 0]
			diff(t, "degraded", degraded, r.Degraded)
			for _, p := range r.Problems {
				for _, s := range c.Pool.Stored.Status.AvailableStreams {
					if !strings.Contains(p.Error(), s.Name) {
						t.Errorf("%v does not name %s", p, s.Name)
					}
				}
			}
		})
	}
}

func TestOSImageOfAUser(t *testing.T) {
	for _, c := range osimagestreamtest.OverrideCases() {
		t.Run(c.Name, func(t *testing.T) {
			p := ours.Pool(c.Pool)
			p.Configs = append([]*mcfgv1.MachineConfig{nil}, c.Configs...)
			r := osimagestream.ForPool(p)
			diff(t, "degraded", c.Degraded, string(r.Degraded))
			problems(t, c.Problems, r.Problems)
			findings(t, c.Findings, r.Findings)
		})
	}
}

func TestValidatePool(t *testing.T) {
	for _, c := range osimagestreamtest.EditCases() {
		t.Run(c.Name, func(t *testing.T) {
			problems(t, c.Problems, osimagestream.ValidatePool(c.Pool, c.Old, c.Stored))
		})
	}
}

// A pool gets the images of the stream that counts, or none; and what a pool is
// allowed to name for the first time always has images.
func TestPropertyPoolGetsWhatItNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := append([]string{""}, osimagestreamtest.StreamNames()...)
		p := osimagestream.Pool{
			Pool: osimagestreamtest.Pool(rapid.SampledFrom([]string{"master", "worker", "arbiter", "infra"}).Draw(t, "pool"),
				rapid.SampledFrom(names).Draw(t, "own")),
			Stored: osimagestreamtest.DrawStored(t),
		}
		if rapid.Bool().Draw(t, "has worker") {
			p.Worker = osimagestreamtest.Pool("worker", rapid.SampledFrom(names).Draw(t, "worker"))
		}
		r := osimagestream.ForPool(p)
		if r.Images.Name != "" && r.Images.Name != r.Stream {
			t.Fatalf("asked for %q, got the images of %q", r.Stream, r.Images.Name)
		}
		if r.Images.Name == "" && len(r.Problems) == 0 && len(r.Findings) == 0 {
			t.Fatal("no images and no reason")
		}
		if (len(r.Problems) > 0) != (r.Degraded != "") {
			t.Fatalf("degraded %q, problems %v", r.Degraded, r.Problems)
		}
		own := p.Pool.Spec.OSImageStream.Name
		if own != "" && len(osimagestream.ValidatePool(p.Pool, nil, p.Stored)) == 0 && r.Images.Name != own {
			t.Fatalf("%q is valid, but resolves to %q", own, r.Images.Name)
		}
	})
}

// Whatever machine configs there are, each image that is not taken is reported.
func TestPropertyShadowedImagesAreReported(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := osimagestream.Pool{Pool: osimagestreamtest.Selecting("infra", "", "worker", "infra"),
			Stored: osimagestreamtest.Stored("a", "a", osimagestreamtest.Set("a"))}
		urls := rapid.SliceOfN(rapid.SampledFrom([]string{"1", "2", "3"}), 0, 4).Draw(t, "images")
		for i, url := range urls {
			p.Configs = append(p.Configs, osimagestreamtest.Config(string(rune('a'+i)), "infra", url))
		}
		shadowed := 0
		for _, f := range osimagestream.ForPool(p).Findings {
			if f.Code == osimagestream.FindingURLShadowed {
				shadowed++
			}
		}
		others := slices.DeleteFunc(slices.Clone(urls), func(url string) bool { return url == urls[len(urls)-1] })
		if shadowed != len(others) {
			t.Fatalf("%d are shadowed, want %d", shadowed, len(others))
		}
	})
}
