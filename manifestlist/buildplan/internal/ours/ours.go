// Package ours fits package buildplan to the conformance tests.
package ours

import (
	batchv1 "k8s.io/api/batch/v1"

	"github.com/opencontainers/go-digest"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/payloadarch"
)

// Impl is package buildplan.
func Impl() buildplantest.Impl {
	return buildplantest.Impl{
		Plan:     plan,
		JobPhase: func(job *batchv1.Job) string { return buildplan.ReadJob(job, "").Phase.String() },
		PullSpec: func(pushSpec, digest string) (string, error) {
			spec, err := buildplan.PullSpec(mcfgv1.ImageTagFormat(pushSpec), digest)
			return string(spec), err
		},
		Publish:   publish,
		Reconcile: OurParts().Reconcile,
	}
}

// facts are those of the test package in the terms of package buildplan.
func facts(f buildplantest.Facts) buildplan.Facts {
	in := buildplan.Facts{
		Config: f.Config, Rendered: f.Rendered,
		Architectures: payloadarch.SetOf(f.Architectures...), Payload: payloadarch.Multi,
		Base: map[string]buildplan.BaseImages{}, BuildRepository: f.BuildRepository,
		Builds: f.Builds, Gone: f.Gone, Unreadable: f.Unreadable, Attempts: f.Attempts,
	}
	if f.SinglePayload {
		in.Payload = payloadarch.Single
	}
	for a, images := range f.Base {
		in.Base[a] = buildplan.BaseImages(images)
	}
	for _, j := range f.Jobs {
		in.Jobs = append(in.Jobs, buildplan.ReadJob(j.Object, j.Digest))
	}
	return in
}

func plan(f buildplantest.Facts) (buildplantest.Plan, error) {
	b, err := buildplan.Plan(facts(f))
	if err != nil {
		return buildplantest.Plan{}, err
	}
	p := buildplantest.Plan{Blocked: b.Next == buildplan.NextBlocked, Warned: len(b.Findings) > 0, Build: b.Name}
	if b.Next == buildplan.NextCreate {
		p.Create = b.MachineOSBuild()
	}
	for _, i := range b.Images {
		p.Images = append(p.Images, image(b, i))
	}
	if b.Publish.Reason != buildplan.ReasonInPlace {
		i := image(b, b.Publish)
		p.Publish = &i
	}
	return p, nil
}

func image(b buildplan.Build, i buildplan.Image) buildplantest.Image {
	made := buildplantest.Image{
		Architecture: i.Architecture, Key: i.Key, Containerfile: i.Containerfile, PushSpec: i.PushSpec,
		Job: b.JobMeta(i), NodeSelector: i.NodeSelector(), Run: i.State == buildplan.StateRun,
	}
	if i.Architecture != "" {
		made.BuildArgs = i.BuildArgs()
	}
	return made
}

func publish(build *mcfgv1.MachineOSBuild, made map[string]buildplantest.Manifest, given []buildplantest.Manifest) ([]byte, error) {
	build = build.DeepCopy()
	for a, m := range made {
		build.Annotations[buildplan.AnnotationImage+a] = buildplantest.Repository + "@" + string(digest.FromBytes(m.Manifest))
	}
	var children []manifestlist.Child
	for _, m := range given {
		children = append(children, manifestlist.Child{Manifest: m.Manifest, Config: m.Config})
	}
	p, err := buildplan.Publish(build, children)
	return p.Bytes, err
}
