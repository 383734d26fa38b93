package buildplantest_test

import (
	"fmt"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/manifestlist/buildplan/internal/ours"
)

// An operator that names builds after their pool and does not look whether there is one
// is played a history: it writes twice.
func ExampleHistory_Play() {
	operator := func() buildplantest.Impl {
		return buildplantest.Impl{Reconcile: func(c *buildplantest.Cluster) error {
			f := c.Facts()
			build := &mcfgv1.MachineOSBuild{}
			build.Name = f.Config.Spec.MachineConfigPool.Name
			build.Spec.MachineOSConfig.Name = f.Config.Name
			build.Spec.MachineConfig.Name = f.Rendered.Name
			build.Spec.RenderedImagePushSpec = f.Config.Spec.RenderedImagePushSpec
			return c.CreateBuild(build)
		}}
	}
	history := buildplantest.History{Steps: []buildplantest.Step{{Verb: buildplantest.VerbReconcile, Of: 2}}}
	fmt.Println(history.Play(operator).Broken[0])
	fmt.Println("package buildplan:", history.Play(ours.Impl).End)
	// Output:
	// name-is-created-once: the MachineOSBuild worker exists
	// package buildplan: Done
}
