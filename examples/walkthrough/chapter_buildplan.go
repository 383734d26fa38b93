package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// osImageBuilds lets a pool whose nodes have several architectures build its OS
// images, and changes what changes in the life of such a pool.
func osImageBuilds(ctx context.Context, w *world) (err error) {
	c, err := newBuildCluster(ctx, w)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close(ctx)) }()

	const common, ofArm = "RUN dnf install -y tree", "RUN dnf install -y edac-utils"
	w.step("A pool of amd64 and arm64 nodes gets a MachineOSConfig", func(s *step) error {
		hold := c.holdJobs(nil)
		defer hold.letGo()
		for _, a := range []string{"amd64", "arm64"} {
			if err := c.node(ctx, "worker", a); err != nil {
				return err
			}
		}
		if err := c.configure(ctx, "worker", "/fleet/os:latest", common); err != nil {
			return err
		}
		s.eventually(ctx, "jobs that run at the same time", hold.running, "amd64 arm64")
		s.eventually(ctx, "MachineOSBuild", c.progress("worker"), "Building")
		s.eventually(ctx, "published while they run", c.published("worker"), "nothing")
		hold.letGo()
		s.eventually(ctx, "published", c.published("worker"), "index: amd64 arm64")
		s.eventually(ctx, "MachineOSBuild", c.progress("worker"), "Succeeded")
		s.expect("carried out", c.carriedOut(), "amd64 arm64 publish")
		return nil
	})

	w.step("The arm64 nodes get a containerfile of their own", func(s *step) error {
		if err := c.edit(ctx, "worker", func(m *mcfgv1.MachineOSConfig) {
			m.Spec.Containerfile = append(m.Spec.Containerfile, mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.Arm64, Content: ofArm})
		}); err != nil {
			return err
		}
		s.eventually(ctx, "builds that have succeeded", c.succeeded("worker"), 2)
		s.expect("carried out", c.carriedOut(), "arm64 publish")
		s.eventually(ctx, "a node of amd64 gets", c.content("worker", "amd64"), common)
		s.eventually(ctx, "a node of arm64 gets", c.content("worker", "arm64"), ofArm)
		return nil
	})

	w.step("The MachineOSConfig is written again in another order, with newlines and another push secret", func(s *step) error {
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
		s.eventually(ctx, "builds that have succeeded", c.succeeded("worker"), 2)
		return nil
	})

	w.step("The next build fails on amd64 until its retries are used up, and is tried again", func(s *step) error {
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

	w.step("A node of a third architecture joins the pool", func(s *step) error {
		if err := c.node(ctx, "worker", "s390x"); err != nil {
			return err
		}
		s.eventually(ctx, "published", c.published("worker"), "index: amd64 arm64 s390x")
		s.expect("carried out", c.carriedOut(), "publish s390x")
		return nil
	})

	w.step("Another pool, of arm64 nodes only, on the same multi payload", func(s *step) error {
		if err := c.node(ctx, "infra", "arm64"); err != nil {
			return err
		}
		if err := c.configure(ctx, "infra", "/fleet/infra:latest", common); err != nil {
			return err
		}
		s.eventually(ctx, "published", c.published("infra"), "image: arm64")
		s.expect("carried out", c.carriedOut(), "arm64")
		return nil
	})

	w.step("Its push spec gets a path that the status could not hold by digest", func(s *step) error {
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
		}, "True "+string(buildplan.ReasonPushSpec))
		if err := w.settle(ctx); err != nil {
			return err
		}
		s.expect("carried out", c.carriedOut(), "nothing")
		s.eventually(ctx, "the pool keeps what it has", c.published("infra"), "image: arm64")
		return nil
	})

	w.step("The pools' architectures, where others can read them", func(s *step) error {
		var stored corev1.ConfigMap
		if err := w.client.Get(ctx, client.ObjectKey{Namespace: buildplan.Namespace, Name: buildplan.ArchitecturesConfigMap}, &stored); err != nil {
			return err
		}
		s.expect("ConfigMap", stored.Data, map[string]string{"worker": "amd64,arm64,s390x", "infra": "arm64"})
		return nil
	})
	return err
}
