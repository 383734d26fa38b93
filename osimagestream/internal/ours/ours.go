// Package ours puts package osimagestream into the form that its test package takes. It
// is for tests.
package ours

import (
	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// Impl returns the functions of package osimagestream.
func Impl() osimagestreamtest.Impl {
	return osimagestreamtest.Impl{
		ReadPayload: osimagestream.ParseImageReferences,
		Candidate: func(tag imagev1.TagReference) bool {
			payload := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{tag}}}
			return len(osimagestream.Sources{Payload: payload}.Images()) == 1
		},
		Images: func(s osimagestreamtest.Sources) []string { return Sources(s).Images() },
		Role: func(labels map[string]string) osimagestreamtest.Role {
			role, _ := osimagestream.RoleOf(labels)
			return map[osimagestream.Role]osimagestreamtest.Role{
				osimagestream.RoleOS: osimagestreamtest.OS, osimagestream.RoleExtensions: osimagestreamtest.Extensions}[role]
		},
		Discover: func(s osimagestreamtest.Sources) ([]mcfgv1.OSImageStreamSet, bool, error) {
			d := osimagestream.Discover(Sources(s))
			return d.Streams, d.Complete, d.Problems.ToAggregate()
		},
		Single: func(o osimagestreamtest.Offer) (mcfgv1.OSImageStreamSet, error) {
			s := osimagestream.Single(Cluster(o))
			return s.Stream, s.Problems.ToAggregate()
		},
		Default: func(o osimagestreamtest.Offer) (string, error) {
			d := osimagestream.Default(Cluster(o))
			return d.Stream, d.Problems.ToAggregate()
		},
		BuiltInDefault: func(f osimagestreamtest.Flavor, installVersion string) string {
			return osimagestream.BuiltInDefault(Flavor(f), installVersion)
		},
		InstallVersion: func(cv *configv1.ClusterVersion) string {
			version, _ := osimagestream.InstallVersion(cv)
			return version
		},
		Reconcile: func(c osimagestreamtest.Cluster) error { return Reconcile(c, Plan) },
		PoolImages: func(f osimagestreamtest.PoolFacts) (osimagestreamtest.PoolImages, error) {
			r := osimagestream.ForPool(Pool(f))
			return osimagestreamtest.PoolImages{OSImage: r.OSImageURL, OSExtensionsImage: string(r.Images.OSExtensionsImage),
				StatusStream: r.StatusStream}, r.Problems.ToAggregate()
		},
		ValidatePool: func(pool, old *mcfgv1.MachineConfigPool, stored *mcfgv1.OSImageStream) error {
			return osimagestream.ValidatePool(pool, old, stored).ToAggregate()
		},
		Keep: func(p osimagestreamtest.Platform) bool { return osimagestream.Manage(Platform(p)).Manage },
	}
}

// Reconcile inspects, plans and sends the steps of the plan.
func Reconcile(c osimagestreamtest.Cluster, plan func(osimagestream.Cluster) osimagestream.Singleton) error {
	sources := osimagestream.Sources{Labels: map[string]map[string]string{}}
	sources.Payload, _ = c.Payload() // Discover says that it could not be read
	for _, image := range sources.Images() {
		if labels, err := c.Inspect(image); err == nil {
			sources.Labels[image] = labels
		}
	}
	current := c.Server.Stored()
	p := plan(osimagestream.Cluster{
		Flavor: Flavor(c.Flavor), Discovery: osimagestream.Discover(sources), Stored: current, InstallVersion: c.InstallVersion,
		Release: osimagestream.Release{Version: c.Version, Image: c.Image},
	})
	for _, step := range p.Steps {
		next, err := Send(c.Server, step, current)
		if err != nil {
			return err
		}
		current = next
	}
	return p.Problems.ToAggregate()
}

// Plan is that of package osimagestream.
func Plan(c osimagestream.Cluster) osimagestream.Singleton { return osimagestream.Plan(c) }

// Send sends one step.
func Send(s *osimagestreamtest.Server, step osimagestream.Step, current *mcfgv1.OSImageStream) (*mcfgv1.OSImageStream, error) {
	object := step.On(current)
	switch step.Verb {
	case osimagestream.VerbCreate:
		return s.Create(object)
	case osimagestream.VerbUpdateStatus:
		return s.UpdateStatus(object)
	}
	return s.Update(object)
}
