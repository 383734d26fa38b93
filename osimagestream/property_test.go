package osimagestream

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"pgregory.net/rapid"
)

// OKD has at most one stream, whatever the payload holds.
func TestPropertyOKDHasOneStream(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genCluster(t)
		c.Flavor = OKD
		p := Plan(c)
		end := crdApply(t, c.Stored, p)
		if len(c.Discovery.Streams) == 0 {
			if len(p.Steps) != 0 {
				t.Fatalf("steps out of nothing: %v", script(p.Steps))
			}
			return
		}
		if n := len(end.Status.AvailableStreams); n != 1 {
			t.Fatalf("%d streams", n)
		}
		only := end.Status.AvailableStreams[0]
		if end.Spec.DefaultStream != only.Name || end.Status.DefaultStream != only.Name || p.Stream != only.Name {
			t.Fatalf("default %q %q %q, stream %q", p.Stream, end.Spec.DefaultStream, end.Status.DefaultStream, only.Name)
		}
		if !slices.Contains(c.Discovery.Streams, only) {
			t.Fatalf("%v is not of this release", only)
		}
		if got := len(p.Findings); got != len(c.Discovery.Streams)-1 {
			t.Fatalf("%d findings for %d streams", got, len(c.Discovery.Streams))
		}
	})
}

// On OKD there is nothing to switch to: whatever a user names, a pool gets the
// images of the one stream or none, and no other name is accepted.
func TestPropertyOKDHasNothingToSwitchTo(t *testing.T) {
	t.Run("43,87,103: OKD has nothing to switch to", rapid.MakeCheck(func(t *rapid.T) {
		c := genCluster(t)
		c.Flavor = OKD
		if len(c.Discovery.Streams) == 0 {
			return
		}
		o := crdApply(t, c.Stored, Plan(c))
		only := o.Status.AvailableStreams[0]
		name := rapid.SampledFrom(streamNames).Draw(t, "name")

		named := pool(rapid.SampledFrom([]string{"master", "worker", "infra"}).Draw(t, "pool"), name)
		if r := ForPool(Pool{Pool: named, Stored: o}); (r.Images == only) != (name == only.Name) || r.Images != only && r.Images.Name != "" {
			t.Fatalf("a pool that names %s gets %v, offered is %v", name, r.Images, only)
		}
		if errs := ValidatePool(named, pool(named.Name, ""), o); (len(errs) == 0) != (name == only.Name) {
			t.Fatalf("naming %s for a pool, offered is %s: %v", name, only.Name, errs)
		}
		follow := Step{Verb: VerbUpdate, Object: &mcfgv1.OSImageStream{Spec: mcfgv1.OSImageStreamSpec{DefaultStream: name}}}
		if _, err := crdSend(o, follow); (err == nil) != (name == only.Name) {
			t.Fatalf("naming %s as the default, offered is %s: %v", name, only.Name, err)
		}
	}))
}

// The default is always one of the streams, or a problem names the choices.
func TestPropertyDefaultIsOfferedOrAProblem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genCluster(t)
		d := Default(c)
		if (d.Stream == "") != (len(d.Problems) > 0) {
			t.Fatalf("default %q, problems %v", d.Stream, d.Problems)
		}
		if d.Stream != "" {
			if !slices.Contains(nameList(c.Discovery.Streams), d.Stream) {
				t.Fatalf("default %q of %v", d.Stream, nameList(c.Discovery.Streams))
			}
			return
		}
		for _, s := range c.Discovery.Streams {
			if !strings.Contains(d.Problems.ToAggregate().Error(), s.Name) {
				t.Fatalf("%v does not name %s", d.Problems, s.Name)
			}
		}
	})
}

// Each step is taken by the CRD, and after the last one there is nothing to do,
// wherever the steps were broken off.
func TestPropertyPlanEnds(t *testing.T) {
	t.Run("74: plans that are broken off", rapid.MakeCheck(func(t *rapid.T) {
		c := genCluster(t)
		first := Plan(c)
		if len(first.Steps) > 3 {
			t.Fatalf("%d steps", len(first.Steps))
		}
		p := first
		for range 6 {
			stop := rapid.IntRange(0, len(p.Steps)).Draw(t, "broken off after")
			for _, s := range p.Steps[:stop] {
				next, err := crdSend(c.Stored, s)
				if err != nil {
					t.Fatalf("%s %s is refused: %v", s.Verb, s.Reason, err)
				}
				c.Stored = next
			}
			p = Plan(c)
		}
		c.Stored = crdApply(t, c.Stored, p)
		if again := Plan(c); len(again.Steps) != 0 {
			t.Fatalf("still wants %v", script(again.Steps))
		}
		if first.Stream != p.Stream {
			t.Fatalf("default %q became %q half way", first.Stream, p.Stream)
		}
	}))
}

// The user of an OCP cluster whose default has left can take each of the choices,
// and then nothing of the old release is left.
func TestPropertyOCPChoiceCanBeTaken(t *testing.T) {
	t.Run("69: each choice can be taken", rapid.MakeCheck(func(t *rapid.T) {
		c := genCluster(t)
		c.Flavor = OCP
		p := Plan(c)
		if p.Reason != ReasonNotOffered || c.Stored == nil {
			return
		}
		before := c.Stored.Status.DefaultStream
		o := crdApply(t, c.Stored, p)
		if o.Status.DefaultStream != before {
			t.Fatalf("default moved from %q to %q", before, o.Status.DefaultStream)
		}
		choice := rapid.SampledFrom(nameList(c.Discovery.Streams)).Draw(t, "choice")
		o, err := crdSend(o, Step{Verb: VerbUpdate, Object: &mcfgv1.OSImageStream{Spec: mcfgv1.OSImageStreamSpec{DefaultStream: choice}}})
		if err != nil {
			t.Fatalf("%s is refused: %v", choice, err)
		}
		c.Stored = o
		o = crdApply(t, o, Plan(c))
		if o.Status.DefaultStream != choice || !slices.Equal(sorted(o.Status.AvailableStreams), sorted(c.Discovery.Streams)) {
			t.Fatalf("status %+v", o.Status)
		}
	}))
}

// The order of tags, of maps and of streams does not matter.
func TestPropertyOrderDoesNotMatter(t *testing.T) {
	t.Run("26: any order", rapid.MakeCheck(func(t *rapid.T) {
		s := genSources(t)
		want := Discover(s)
		if d := cmp.Diff(want, Discover(shuffled(t, s))); d != "" {
			t.Fatalf("order of tags:\n%s", d)
		}
		c := genCluster(t)
		plan := Plan(c)
		c.Discovery.Streams = rapid.Permutation(c.Discovery.Streams).Draw(t, "order of streams")
		if d := cmp.Diff(plan, Plan(c)); d != "" {
			t.Fatalf("order of streams:\n%s", d)
		}
	}))
}

// What is discovered can be published.
func TestPropertyDiscoveredIsAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genSources(t)
		d := Discover(s)
		if steps := Plan(Cluster{Discovery: d, Stored: genStored(t), Release: release}).Steps; !d.Complete && len(steps) != 0 {
			t.Fatalf("not all was seen, and yet it wants %v", script(steps))
		}
		d.Complete = true // what was found can be published, even so
		c := Cluster{Discovery: d, Flavor: rapid.SampledFrom([]Flavor{OCP, OKD}).Draw(t, "flavor"), InstallVersion: "4.1.0", Release: release}
		p := Plan(c)
		if p.Stream != "" && len(p.Problems) > 0 {
			t.Fatalf("problems of %v: %v", d.Streams, p.Problems)
		}
		crdApply(t, nil, p)
		for _, f := range d.Findings {
			if f.Code == "" || f.Path == "" || f.Detail == "" {
				t.Fatalf("finding %+v", f)
			}
		}
	})
}

// A pool gets the images of the stream that counts, or none; and what a pool is
// allowed to name for the first time always has images.
func TestPropertyPoolGetsWhatItNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := append([]string{""}, streamNames...)
		p := Pool{
			Pool:   pool(rapid.SampledFrom([]string{"master", "worker", "arbiter", "infra"}).Draw(t, "pool"), rapid.SampledFrom(names).Draw(t, "own")),
			Stored: genStored(t),
		}
		if rapid.Bool().Draw(t, "has worker") {
			p.Worker = pool("worker", rapid.SampledFrom(names).Draw(t, "worker"))
		}
		r := ForPool(p)
		if r.Images.Name != "" && r.Images.Name != r.Stream {
			t.Fatalf("asked for %q, got the images of %q", r.Stream, r.Images.Name)
		}
		if r.Images.Name == "" && len(r.Problems) == 0 && len(r.Findings) == 0 {
			t.Fatal("no images and no reason")
		}
		own := p.Pool.Spec.OSImageStream.Name
		if own != "" && len(ValidatePool(p.Pool, nil, p.Stored)) == 0 && r.Images.Name != own {
			t.Fatalf("%q is valid, but resolves to %q", own, r.Images.Name)
		}
		if errs := ValidatePool(p.Pool, p.Pool, p.Stored); len(errs) != 0 {
			t.Fatalf("an untouched pool is invalid: %v", errs)
		}
	})
}
