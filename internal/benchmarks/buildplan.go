package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/payloadarch"
)

func buildplanClaims() []claim {
	return []claim{
		{name: "plan_4", limit: 3.0, hash: true, setup: planFourImages},
		{name: "plan_pools_growth", limit: 12, setup: growPools},
		{name: "build_history_growth", limit: 12, setup: growHistory},
	}
}

// planFourImages plans the second build of a pool of four architectures, each with a
// containerfile of 4 KiB, when the first is done. The floor is the SHA-256 of the
// same four containerfiles: keys that depend on them cannot cost less.
func planFourImages() (ours, floor func() error, err error) {
	facts, err := poolFacts("worker", 4096, "amd64", "arm64", "ppc64le", "s390x")
	if err != nil {
		return nil, nil, err
	}
	var input []byte
	for _, c := range facts.Config.Spec.Containerfile {
		input = append(input, c.Content...)
	}
	if len(input) != 4*4096 {
		return nil, nil, fmt.Errorf("the containerfiles have %d bytes", len(input))
	}
	var sum [sha256.Size]byte
	return func() error { return planPool(&facts) },
		func() error {
			if sum = sha256.Sum256(input); sum == [sha256.Size]byte{} {
				return errors.New("no sum")
			}
			return nil
		}, nil
}

// growPools plans for each of 1000 pools of two architectures, against the same for
// 100 of them.
func growPools() (ours, floor func() error, err error) {
	pools := make([]buildplan.Facts, 1000)
	for i := range pools {
		if pools[i], err = poolFacts(fmt.Sprintf("pool-%d", i), 64, "amd64", "arm64"); err != nil {
			return nil, nil, err
		}
	}
	ours, floor = growth(len(pools), func(from, to int) func() error {
		return func() error {
			for i := from; i < to; i++ {
				if err := planPool(&pools[i]); err != nil {
					return err
				}
			}
			return nil
		}
	})
	return ours, floor, nil
}

// growHistory plans for a pool with 3000 builds in history, against the same with 300
// of them. A third of the builds are failed attempts of what is planned, the others
// are of earlier rendered configs; each has its three jobs, and the registry has lost
// every tenth image.
func growHistory() (ours, floor func() error, err error) {
	all, err := history(3000)
	if err != nil {
		return nil, nil, err
	}
	ours, floor = growth(len(all.Builds), func(from, to int) func() error {
		part := all
		part.Builds, part.Jobs, part.Gone = all.Builds[from:to], all.Jobs[3*from:3*to], all.Gone[from/10:to/10]
		return func() error { return planPool(&part) }
	})
	return ours, floor, nil
}

// history are the facts of a pool with n builds.
func history(n int) (buildplan.Facts, error) {
	f, err := poolFacts("worker", 64, "amd64", "arm64")
	if err != nil {
		return f, err
	}
	f.Builds, f.Attempts = nil, n
	for i := range n {
		g := f
		g.Builds, g.Jobs = nil, nil
		if g.Config, g.Rendered = f.Config.DeepCopy(), f.Rendered.DeepCopy(); i%3 > 0 {
			g.Rendered.Name = fmt.Sprintf("rendered-worker-before-%d", i)
		}
		g.Config.Annotations = map[string]string{buildplan.AnnotationAttempt: fmt.Sprint(i)}
		b, err := buildplan.Plan(g)
		if err != nil {
			return f, err
		}
		object := b.MachineOSBuild()
		object.UID = types.UID(b.Name)
		object.Status.Conditions = []metav1.Condition{{Type: string(mcfgv1.MachineOSBuildFailed), Status: metav1.ConditionTrue}}
		for _, image := range append(b.Images, b.Publish) {
			job := buildplan.Job{Name: image.Job, Owner: object.UID, Architecture: image.Architecture, Phase: buildplan.PhaseSucceeded,
				PullSpec: "registry.example.com/fleet/os@" + sha(image.Job)}
			f.Jobs = append(f.Jobs, job)
			if image.Architecture != "" {
				object.Annotations[buildplan.AnnotationImage+image.Architecture] = job.PullSpec
			}
		}
		if i%10 == 0 {
			f.Gone = append(f.Gone, object.Annotations[buildplan.AnnotationImage+"arm64"])
		}
		f.Builds = append(f.Builds, object)
	}
	return f, nil
}

// poolFacts are the facts of a pool whose rendered config is new and whose images
// can all be reused: what a controller sees most often when it has to act.
func poolFacts(pool string, containerfile int, architectures ...string) (buildplan.Facts, error) {
	f := buildplan.Facts{
		Config:        &mcfgv1.MachineOSConfig{},
		Rendered:      &mcfgv1.MachineConfig{},
		Architectures: payloadarch.SetOf(architectures...),
		Payload:       payloadarch.Multi,
		Base:          map[string]buildplan.BaseImages{},
	}
	f.Config.Name, f.Config.Spec.MachineConfigPool.Name = pool, pool
	f.Config.Spec.RenderedImagePushSpec = "registry.example.com/fleet/os:latest"
	f.Rendered.Name = "rendered-" + pool + "-1"
	f.Rendered.Spec.Extensions = []string{"kerberos", "usbguard"}
	f.Rendered.Spec.KernelArguments = []string{"console=tty0", "console=ttyS0"}
	for a := range f.Architectures.All() {
		f.Base[a] = buildplan.BaseImages{OS: "quay.io/release/os@" + sha(a), Extensions: "quay.io/release/extensions@" + sha("x"+a)}
		content := strings.Repeat("RUN dnf install -y tree # "+a+"\n", 1+containerfile/20)[:containerfile-1] + "\n"
		f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile,
			mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.ContainerfileArch(strings.ToUpper(a)), Content: content})
	}
	first, err := buildplan.Plan(f)
	if err != nil {
		return f, err
	}
	object := first.MachineOSBuild()
	for _, i := range first.Images {
		object.Annotations[buildplan.AnnotationImage+i.Architecture] = "registry.example.com/fleet/os@" + sha(pool+i.Architecture)
	}
	f.Builds = []*mcfgv1.MachineOSBuild{object}
	f.Rendered.Name = "rendered-" + pool + "-2"
	return f, nil
}

func planPool(f *buildplan.Facts) error {
	b, err := buildplan.Plan(*f)
	if err != nil {
		return err
	}
	if b.Next != buildplan.NextCreate || len(b.Images) != f.Architectures.Len() {
		return fmt.Errorf("planned %s with %d images: %v", b.Next, len(b.Images), b.Problems)
	}
	for i := range b.Images {
		if b.Images[i].State != buildplan.StateReuse {
			return fmt.Errorf("planned %s for %s", b.Images[i].State, b.Images[i].Architecture)
		}
	}
	return nil
}

func sha(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(sum[:])
}
