package main

import (
	"context"
	"errors"
	"runtime"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/machineconfig/builder"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// A buildChapter lets a pool whose nodes have several architectures build its OS
// images, and changes what changes in the life of such a pool.
type buildChapter struct{ *buildCluster }

// The containerfiles of the chapter, and what their RUN steps leave.
const (
	treeForAll, edacForARM = "RUN echo tree > /etc/packages", "RUN echo edac > /etc/packages"
	packages               = "/etc/packages"
)

// osImageBuilds tells the parts of the chapter in their order.
func osImageBuilds(ctx context.Context, w *world) (err error) {
	b, err := newBuildCluster(ctx, w)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close(ctx)) }()

	c := &buildChapter{b}
	c.firstBuild(ctx)
	c.whoBuilt(ctx)
	c.containerfileForARM(ctx)
	c.sameInputs(ctx)
	c.failure(ctx)
	c.thirdArchitecture(ctx)
	c.homogeneousPool(ctx)
	c.pushSpecTooDeep(ctx)
	c.architecturesForOthers(ctx)
	return nil
}

// firstBuild runs one job per architecture, at the same time.
func (c *buildChapter) firstBuild(ctx context.Context) {
	c.w.step("A pool of amd64 and arm64 nodes gets a MachineOSConfig", func(s *step) error {
		hold := c.holdJobs(nil)
		defer hold.letGo()
		for _, a := range []string{"amd64", "arm64"} {
			if err := c.node(ctx, "worker", a); err != nil {
				return err
			}
		}
		if err := c.configure(ctx, "worker", "/fleet/os:latest", treeForAll); err != nil {
			return err
		}
		s.eventually(ctx, "jobs that run at the same time", hold.running, "amd64 arm64")
		s.eventually(ctx, "MachineOSBuild", c.progress("worker"), "Building (Building)")
		s.eventually(ctx, "decided by", c.decided("worker"), string(buildplan.ReasonUnderWay))
		s.eventually(ctx, "published while they run", c.published("worker"), "nothing")
		hold.letGo()
		s.eventually(ctx, "published", c.published("worker"), "index: amd64 arm64")
		s.eventually(ctx, "MachineOSBuild", c.progress("worker"), "Succeeded (Published)")
		s.eventually(ctx, "decided by", c.decided("worker"), string(buildplan.ReasonSucceeded))
		s.expect("carried out", c.carriedOut(), "amd64 arm64 publish")
		return nil
	})
}

// whoBuilt tells what was really run. Where nothing can be, it says that in place of
// an expectation.
func (c *buildChapter) whoBuilt(ctx context.Context) {
	c.w.step("What became of the RUN step of its containerfile", func(s *step) error {
		if c.cannotRun != nil {
			s.note("##### NO CONTAINERFILE IS RUN: %v #####", c.cannotRun)
		}
		for _, said := range c.stoodIn() {
			s.note("##### %s #####", said)
		}
		for _, a := range []string{"amd64", "arm64"} {
			by, left := builder.ByStandIn, ""
			if c.cannotRun == nil && a == runtime.GOARCH {
				by, left = builder.ByBuildah, "tree"
			}
			s.eventually(ctx, "the image of "+a+" was made by", c.builtBy("worker", a), by)
			s.eventually(ctx, "what the RUN step left in it", c.fileIn("worker", a, packages), left)
			s.eventually(ctx, "the rendered config that is embedded in it", c.embedded("worker", a), c.rendered)
		}
		return nil
	})
}

// architecturesForOthers is what the chapter leaves for other components.
func (c *buildChapter) architecturesForOthers(ctx context.Context) {
	c.w.step("The pools' architectures, where others can read them", func(s *step) error {
		var stored corev1.ConfigMap
		if err := c.w.client.Get(ctx, client.ObjectKey{Namespace: buildplan.Namespace, Name: buildplan.ConfigMapArchitectures}, &stored); err != nil {
			return err
		}
		s.expect("ConfigMap", stored.Data, map[string]string{"worker": "amd64,arm64,s390x", "infra": "arm64"})
		return nil
	})
}
