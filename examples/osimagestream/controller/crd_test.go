package controller_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream"
)

// set returns a stream with images of one release.
func set(name, release string) mcfgv1.OSImageStreamSet {
	pull := func(s string) mcfgv1.ImageDigestFormat {
		return mcfgv1.ImageDigestFormat(fmt.Sprintf("quay.io/okd/content@sha256:%x", sha256.Sum256([]byte(s))))
	}
	return mcfgv1.OSImageStreamSet{Name: name, OSImage: pull(name + release), OSExtensionsImage: pull(name + release + "-extensions")}
}

func object(spec, status string, streams ...mcfgv1.OSImageStreamSet) *mcfgv1.OSImageStream {
	o := osimagestream.New(spec)
	o.Annotations = map[string]string{osimagestream.AnnotationReleaseVersion: "old", osimagestream.AnnotationReleaseImage: "old"}
	o.Status = mcfgv1.OSImageStreamStatus{DefaultStream: status, AvailableStreams: streams}
	return o
}

// send sends the steps as the adapter does.
func (e env) send(ctx context.Context, steps []osimagestream.Step, current *mcfgv1.OSImageStream) error {
	for _, s := range steps {
		var err error
		switch current = s.On(current); s.Verb {
		case osimagestream.VerbCreate:
			err = e.Create(ctx, current)
		case osimagestream.VerbUpdate:
			err = e.Update(ctx, current)
		case osimagestream.VerbUpdateStatus:
			err = e.Status().Update(ctx, current)
		}
		if err != nil {
			return fmt.Errorf("%s (%s): %w", s.Verb, s.Reason, err)
		}
	}
	return nil
}

// TestRealCRD sends the plans for whatever may be stored to the CRD as OpenShift
// ships it: each step is taken, in any state, and then there is nothing left to do.
func TestRealCRD(t *testing.T) {
	e := boot(t)
	ctx := t.Context()
	names := []string{"centos-10", "centos-11", "rhel-9", "rhel-10"}
	streams := func(t *rapid.T, label string, least int) []mcfgv1.OSImageStreamSet {
		var s []mcfgv1.OSImageStreamSet
		for _, n := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), least, 3, rapid.ID[string]).Draw(t, label) {
			s = append(s, set(n, rapid.SampledFrom([]string{"", "2"}).Draw(t, label+" release")))
		}
		return s
	}
	planned, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := osimagestream.Cluster{
			Flavor:         rapid.SampledFrom([]osimagestream.Flavor{osimagestream.OCP, osimagestream.OKD}).Draw(t, "flavor"),
			Discovery:      osimagestream.Discovery{Complete: rapid.IntRange(0, 4).Draw(t, "complete") > 0, Streams: streams(t, "streams", 0)},
			InstallVersion: rapid.SampledFrom([]string{"4.18.0", "5.0.0"}).Draw(t, "install version"),
			Release:        osimagestream.Release{Version: build, Image: "new"},
		}
		spec := rapid.SampledFrom(append([]string{""}, names...)).Draw(t, "stored spec")
		switch rapid.IntRange(0, 3).Draw(t, "stored") {
		case 0:
			c.Stored = e.store(ctx, t, nil)
		case 1:
			c.Stored = e.store(ctx, t, object(spec, ""))
		default:
			available := streams(t, "stored streams", 1)
			i := rapid.IntRange(0, len(available)-1).Draw(t, "stored default")
			c.Stored = e.store(ctx, t, object(spec, available[i].Name, available...))
		}
		// Inspections fail, plans are broken off, and releases follow each other.
		for range rapid.IntRange(0, 3).Draw(t, "rounds") {
			p := osimagestream.Plan(c)
			if !c.Discovery.Complete && len(p.Steps) > 0 {
				t.Fatalf("not all was seen, and yet it wants %+v", p.Steps)
			}
			sent := rapid.IntRange(0, len(p.Steps)).Draw(t, "broken off after")
			planned += sent
			if err := e.send(ctx, p.Steps[:sent], c.Stored); err != nil {
				t.Fatalf("%v", err)
			}
			c.Stored = e.singleton(ctx, t)
			c.Discovery = osimagestream.Discovery{Complete: rapid.Bool().Draw(t, "complete"), Streams: streams(t, "streams", 0)}
		}
		c.Discovery.Complete = true
		p := osimagestream.Plan(c)
		planned += len(p.Steps)
		if err := e.send(ctx, p.Steps, c.Stored); err != nil {
			t.Fatalf("%v", err)
		}
		if c.Stored = e.singleton(ctx, t); c.Stored == nil {
			return
		}
		if again := osimagestream.Plan(c); len(again.Steps) > 0 {
			t.Fatalf("still wants %+v", again.Steps)
		}

		// Once there is a status, the CRD refuses a name that is not offered.
		if c.Stored.Status.DefaultStream == "" {
			return
		}
		o := c.Stored.DeepCopy()
		o.Spec.DefaultStream = "no-such"
		if err := e.Update(ctx, o); !apierrors.IsInvalid(err) {
			t.Fatalf("naming a stream that is not offered: %v", err)
		}
		refused++
	})
	if planned == 0 || refused == 0 {
		t.Errorf("%d steps, %d refusals", planned, refused)
	}
}

// TestOrderMatters shows that the CRD is the reason for the order of the steps.
func TestOrderMatters(t *testing.T) {
	e := boot(t)
	ctx := t.Context()
	stored := e.store(ctx, t, object("centos-10", "centos-10", set("centos-10", "")))
	singleton := osimagestream.Plan(osimagestream.Cluster{
		Flavor: osimagestream.OKD, Stored: stored,
		Discovery: osimagestream.Discovery{Complete: true, Streams: []mcfgv1.OSImageStreamSet{set("centos-11", "")}},
	})
	if len(singleton.Steps) != 2 {
		t.Fatalf("steps %+v", singleton.Steps)
	}
	if err := e.send(ctx, singleton.Steps[1:], stored); !apierrors.IsInvalid(err) {
		t.Errorf("spec before status: %v", err)
	}
	if err := e.send(ctx, singleton.Steps, stored); err != nil {
		t.Error(err)
	}
	// Today's operator writes a status with an empty default in that state.
	o := e.singleton(ctx, t)
	o.Status.DefaultStream = ""
	if err := e.Status().Update(ctx, o); !apierrors.IsInvalid(err) {
		t.Errorf("a status without a default: %v", err)
	}
}

// TestPoolStreams holds that a user of the API meets the answers of ValidatePool.
func TestPoolStreams(t *testing.T) {
	e := boot(t)
	ctx := t.Context()
	pool := func(stream string) *mcfgv1.MachineConfigPool {
		p := &mcfgv1.MachineConfigPool{ObjectMeta: metav1.ObjectMeta{Name: "infra"}}
		p.Spec.OSImageStream.Name = stream
		return p
	}
	names := []string{"", "centos-10", "gone", "gone-too"}
	for state, singleton := range map[string]*mcfgv1.OSImageStream{
		"none":      nil,
		"no status": object("centos-10", ""),
		"offered":   object("centos-10", "centos-10", set("centos-10", "")),
	} {
		for _, from := range append([]string{"no pool"}, names...) {
			for _, to := range names {
				// The pool as it was could be written while its stream was offered.
				e.store(ctx, t, object("centos-10", "centos-10", set("centos-10", ""), set("gone", ""), set("gone-too", "")))
				var old *mcfgv1.MachineConfigPool
				next := pool(to)
				if from != "no pool" {
					old = pool(from)
					if err := e.Create(ctx, old); err != nil {
						t.Fatalf("%s: %v", from, err)
					}
					next = old.DeepCopy()
					next.Spec.OSImageStream.Name = to
				}
				next.Labels = map[string]string{"edited": "true"}
				stored := e.store(ctx, t, singleton)

				want := osimagestream.ValidatePool(next, old, stored)
				var err error
				if old == nil {
					err = e.Create(ctx, next)
				} else {
					err = e.Update(ctx, next)
				}
				if (err == nil) != (len(want) == 0) || (err != nil && !apierrors.IsInvalid(err)) {
					t.Errorf("singleton %s, from %q to %q: %v, ValidatePool says %v", state, from, to, err, want)
				}
				if err != nil {
					causes := err.(apierrors.APIStatus).Status().Details.Causes
					if len(causes) != 1 || causes[0].Field != want[0].Field || field.ErrorType(causes[0].Type) != want[0].Type {
						t.Errorf("singleton %s, from %q to %q: causes %+v, want %v", state, from, to, causes, want)
					}
				}
				if err == nil {
					// The status of the pool is not the user's, and passes.
					next.Status.OSImageStream.Name = "gone"
					if err := e.Status().Update(ctx, next); err != nil {
						t.Errorf("status: %v", err)
					}
				}
				if err := e.DeleteAllOf(ctx, &mcfgv1.MachineConfigPool{}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
