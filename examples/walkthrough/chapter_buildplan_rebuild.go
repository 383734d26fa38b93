package main

import (
	"context"
	"slices"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// containerfileForARM changes the input of one architecture.
func (c *buildChapter) containerfileForARM(ctx context.Context) {
	c.w.step("The arm64 nodes get a containerfile of their own", func(s *step) error {
		if err := c.edit(ctx, "worker", func(m *mcfgv1.MachineOSConfig) {
			m.Spec.Containerfile = append(m.Spec.Containerfile, mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.Arm64, Content: edacForARM})
		}); err != nil {
			return err
		}
		s.eventually(ctx, "builds that have succeeded", c.succeeded("worker"), 2)
		s.expect("carried out", c.carriedOut(), "arm64 publish")
		s.eventually(ctx, "a node of amd64 gets", c.content("worker", "amd64"), treeForAll)
		s.eventually(ctx, "a node of arm64 gets", c.content("worker", "arm64"), edacForARM)
		return nil
	})
}

// sameInputs writes the same in other words.
func (c *buildChapter) sameInputs(ctx context.Context) {
	c.w.step("The MachineOSConfig is written again in another order, with newlines and another push secret", func(s *step) error {
		generation, err := c.observed(ctx, "worker")
		if err != nil {
			return err
		}
		if err := c.edit(ctx, "worker", func(m *mcfgv1.MachineOSConfig) {
			slices.Reverse(m.Spec.Containerfile)
			m.Spec.Containerfile[0].Content += "\n"
			m.Spec.RenderedImagePushSecret.Name = "renamed"
		}); err != nil {
			return err
		}
		s.eventually(ctx, "the adapter has seen it", func(ctx context.Context) (any, error) {
			now, err := c.observed(ctx, "worker")
			return now > generation, err
		}, true)
		s.expect("carried out", c.carriedOut(), "nothing")
		s.eventually(ctx, "decided by", c.decided("worker"), string(buildplan.ReasonSucceeded))
		s.eventually(ctx, "builds that have succeeded", c.succeeded("worker"), 2)
		return nil
	})
}

// failure of one architecture must not lose the work of another.
func (c *buildChapter) failure(ctx context.Context) {
	c.w.step("The next build fails on amd64 until its retries are used up, and is tried again", func(s *step) error {
		before, err := c.pullSpec(ctx, "worker")
		if err != nil {
			return err
		}
		hold := c.holdJobs(map[string]int{"amd64": 4})
		hold.letGo()
		if err := c.edit(ctx, "worker", func(m *mcfgv1.MachineOSConfig) {
			for i := range m.Spec.Containerfile {
				m.Spec.Containerfile[i].Content += "\nRUN true"
			}
		}); err != nil {
			return err
		}
		s.eventually(ctx, "builds that have failed", c.countBuilds("worker", mcfgv1.MachineOSBuildFailed), 1)
		s.eventually(ctx, "builds that have succeeded", c.succeeded("worker"), 3)
		s.expect("carried out: arm64 once, amd64 in the second build", c.carriedOut(), "amd64 arm64 publish")
		s.eventually(ctx, "pull specs written meanwhile: the last one only", c.pullSpecs("worker", before), 1)
		return nil
	})
}
