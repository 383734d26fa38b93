package osimagestream_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

var release = osimagestream.Release{Version: osimagestreamtest.ReleaseVersion, Image: osimagestreamtest.ReleaseImage}

// send sends all steps of a plan to the model of the API server.
func send(t rapid.TB, stored *mcfgv1.OSImageStream, p osimagestream.Singleton) *mcfgv1.OSImageStream {
	t.Helper()
	server, current := osimagestreamtest.NewServer(stored), stored
	for i, s := range p.Steps {
		next, err := ours.Send(server, s, current)
		if err != nil {
			t.Fatalf("step %d, %s %s, is refused: %v", i, s.Verb, s.Reason, err)
		}
		current = next
	}
	return server.Stored()
}

// cluster is what an offer says, of the release of the cases.
func cluster(o osimagestreamtest.Offer) osimagestream.Cluster {
	c := ours.Cluster(o)
	c.Release = release
	return c
}

func TestPlan(t *testing.T) {
	for _, tc := range osimagestreamtest.PlanCases() {
		t.Run(tc.Name, func(t *testing.T) {
			c := cluster(tc.Offer)
			p := osimagestream.Plan(c)
			diff(t, "steps", tc.Steps, script(p.Steps))
			diff(t, "reason", tc.Reason, string(p.Reason))
			problems(t, tc.Problems, p.Problems)
			findings(t, tc.Findings, p.Findings)
			// TestConformance has a plan with new facts after each; this one is whole.
			c.Stored = send(t, c.Stored, p)
			if again := osimagestream.Plan(c); len(again.Steps) != 0 {
				t.Errorf("a second plan still wants %v", script(again.Steps))
			}
		})
	}
}

// MCO ignores the object without its annotations, so a lack of them is a finding.
func TestUnannotated(t *testing.T) {
	for _, r := range []osimagestream.Release{{}, {Version: "x"}, {Image: "y"}} {
		p := osimagestream.Plan(osimagestream.Cluster{Flavor: osimagestream.OKD, Release: r,
			Discovery: osimagestream.Discovery{Complete: true, Streams: osimagestreamtest.Sets("centos-10")}})
		findings(t, osimagestreamtest.Codes("Unannotated"), p.Findings)
	}
}

// No API server takes a status whose default it does not offer, and yet a plan for it
// is one that the CRD takes.
func TestPlanOfAStatusThatNoServerTakes(t *testing.T) {
	stored := osimagestreamtest.Stored("", "gone", osimagestreamtest.Set("a"))
	p := osimagestream.Plan(cluster(osimagestreamtest.Offer{Flavor: osimagestreamtest.OCP, Streams: osimagestreamtest.Sets("b"), Stored: stored}))
	if len(p.Steps) == 0 || p.Steps[0].Object.Spec.DefaultStream != "a" {
		t.Errorf("steps %v", p.Steps)
	}
}

// A plan has three steps at most, and leads to the same whatever is broken off.
func TestPropertyPlanIsShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := cluster(osimagestreamtest.DrawOffer(t))
		p := osimagestream.Plan(c)
		if len(p.Steps) > 3 {
			t.Fatalf("%d steps", len(p.Steps))
		}
		c.Stored = send(t, c.Stored, p)
		if again := osimagestream.Plan(c); len(again.Steps) != 0 || again.Stream != p.Stream {
			t.Fatalf("default %q became %q, and it wants %v", p.Stream, again.Stream, script(again.Steps))
		}
	})
}

// OKD reports each stream that it does not offer.
func TestPropertyOKDReportsTheOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := osimagestreamtest.DrawOffer(t)
		o.Flavor = osimagestreamtest.OKD
		p := osimagestream.Plan(cluster(o))
		if got := len(p.Findings); got != max(len(o.Streams)-1, 0) {
			t.Fatalf("%d findings for %d streams", got, len(o.Streams))
		}
	})
}

// On OKD there is nothing to switch to: whatever a user names, a pool gets the
// images of the one stream or none, and no other name is accepted.
func TestPropertyOKDHasNothingToSwitchTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offer := osimagestreamtest.DrawOffer(t)
		offer.Flavor = osimagestreamtest.OKD
		if len(offer.Streams) == 0 {
			return
		}
		c := cluster(offer)
		o := send(t, c.Stored, osimagestream.Plan(c))
		only := o.Status.AvailableStreams[0]
		name := rapid.SampledFrom(osimagestreamtest.StreamNames()).Draw(t, "name")

		named := osimagestreamtest.Pool(rapid.SampledFrom([]string{"master", "worker", "infra"}).Draw(t, "pool"), name)
		if r := osimagestream.ForPool(osimagestream.Pool{Pool: named, Stored: o}); (r.Images == only) != (name == only.Name) || r.Images != only && r.Images.Name != "" {
			t.Fatalf("a pool that names %s gets %v, offered is %v", name, r.Images, only)
		}
		if errs := osimagestream.ValidatePool(named, osimagestreamtest.Pool(named.Name, ""), o); (len(errs) == 0) != (name == only.Name) {
			t.Fatalf("naming %s for a pool, offered is %s: %v", name, only.Name, errs)
		}
		edited := o.DeepCopy()
		edited.Spec.DefaultStream = name
		if err := osimagestreamtest.Admit(o, edited); (err == nil) != (name == only.Name) {
			t.Fatalf("naming %s as the default, offered is %s: %v", name, only.Name, err)
		}
	})
}

// What is discovered can be published.
func TestPropertyDiscoveredIsAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := osimagestream.Discover(ours.Sources(osimagestreamtest.DrawSources(t, osimagestreamtest.Everything())))
		c := osimagestream.Cluster{Discovery: d, Stored: osimagestreamtest.DrawStored(t), Release: release}
		if steps := osimagestream.Plan(c).Steps; !d.Complete && len(steps) != 0 {
			t.Fatalf("not all was seen, and yet it wants %v", script(steps))
		}
		c.Discovery.Complete = true // what was found can be published, even so
		c.Flavor = rapid.SampledFrom([]osimagestream.Flavor{osimagestream.OCP, osimagestream.OKD}).Draw(t, "flavor")
		c.InstallVersion, c.Stored = "4.1.0", nil
		p := osimagestream.Plan(c)
		if p.Stream != "" && len(p.Problems) > 0 {
			t.Fatalf("problems of %v: %v", d.Streams, p.Problems)
		}
		send(t, nil, p)
		if i := slices.IndexFunc(d.Findings, func(f osimagestream.Finding) bool { return f.Code == "" || f.Path == "" || f.Detail == "" }); i >= 0 {
			t.Fatalf("finding %+v", d.Findings[i])
		}
	})
}
