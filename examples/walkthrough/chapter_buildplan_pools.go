package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// thirdArchitecture comes with a node.
func (c *buildChapter) thirdArchitecture(ctx context.Context) {
	c.w.step("A node of a third architecture joins the pool", func(s *step) error {
		if err := c.node(ctx, "worker", "s390x"); err != nil {
			return err
		}
		s.eventually(ctx, "published", c.published("worker"), "index: amd64 arm64 s390x")
		s.expect("carried out", c.carriedOut(), "publish s390x")
		return nil
	})
}

// homogeneousPool needs an image, and no index.
func (c *buildChapter) homogeneousPool(ctx context.Context) {
	c.w.step("Another pool, of arm64 nodes only, on the same multi payload", func(s *step) error {
		if err := c.node(ctx, "infra", "arm64"); err != nil {
			return err
		}
		if err := c.configure(ctx, "infra", "/fleet/infra:latest", treeForAll); err != nil {
			return err
		}
		s.eventually(ctx, "published", c.published("infra"), "image: arm64")
		s.expect("carried out", c.carriedOut(), "arm64")
		return nil
	})
}

// pushSpecTooDeep blocks the pool and takes nothing from it.
func (c *buildChapter) pushSpecTooDeep(ctx context.Context) {
	c.w.step("Its push spec gets a path that the status could not hold by digest", func(s *step) error {
		if err := c.edit(ctx, "infra", func(m *mcfgv1.MachineOSConfig) {
			m.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat(c.registry.Host + "/fleet/team/infra:latest")
			m.Spec.Containerfile[0].Content += "\nRUN true"
		}); err != nil {
			return err
		}
		s.eventually(ctx, "condition Blocked", func(ctx context.Context) (any, error) {
			m, err := c.config(ctx, "infra")
			if err != nil {
				return nil, err
			}
			b := meta.FindStatusCondition(m.Status.Conditions, controller.Blocked)
			if b == nil {
				return "none", nil
			}
			return fmt.Sprint(b.Status, " ", b.Reason), nil
		}, "True "+string(buildplan.ReasonProblems))
		if err := c.w.settle(ctx); err != nil {
			return err
		}
		s.expect("carried out", c.carriedOut(), "nothing")
		s.eventually(ctx, "the pool keeps what it has", c.published("infra"), "image: arm64")
		return nil
	})
}
