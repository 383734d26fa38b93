package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/machineconfig/builder"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
)

func (c *buildCluster) config(ctx context.Context, pool string) (*mcfgv1.MachineOSConfig, error) {
	m := &mcfgv1.MachineOSConfig{ObjectMeta: named(pool)}
	return m, c.w.client.Get(ctx, client.ObjectKeyFromObject(m), m)
}

func (c *buildCluster) observed(ctx context.Context, pool string) (int64, error) {
	m, err := c.config(ctx, pool)
	return m.Status.ObservedGeneration, err
}

func (c *buildCluster) pullSpec(ctx context.Context, pool string) (string, error) {
	m, err := c.config(ctx, pool)
	return string(m.Status.CurrentImagePullSpec), err
}

// pullSpecs counts the pull specs that the MachineOSConfig held after one.
func (c *buildCluster) pullSpecs(pool, after string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		specs, err := c.w.history(ctx, key(mcfgv1.GroupName, "machineosconfigs", pool), 0, func(stored []byte) (string, error) {
			var m mcfgv1.MachineOSConfig
			err := json.Unmarshal(stored, &m)
			return string(m.Status.CurrentImagePullSpec), err
		})
		return len(specs) - 1 - slices.Index(specs, after), err
	}
}

// published tells what the pool's pull spec leads to.
func (c *buildCluster) published(pool string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		spec, err := c.pullSpec(ctx, pool)
		if err != nil || spec == "" {
			return "nothing", err
		}
		ref, err := name.NewDigest(spec)
		if err != nil {
			return nil, err
		}
		d, err := remote.Head(ref, remote.WithContext(ctx))
		if err != nil {
			return nil, err
		}
		kind := "image: "
		if d.MediaType.IsIndex() {
			kind = "index: "
		}
		contents, err := builder.Contents(ctx, spec, buildArchitectures...)
		var all []string
		for _, a := range buildArchitectures {
			if contents[a] != "" {
				all = append(all, a)
			}
		}
		return kind + strings.Join(all, " "), err
	}
}

// content is the containerfile of the image that a node of the pool would pull.
func (c *buildCluster) content(pool, architecture string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		spec, err := c.pullSpec(ctx, pool)
		if err != nil {
			return nil, err
		}
		contents, err := builder.Contents(ctx, spec, architecture)
		return strings.TrimPrefix(contents[architecture], "ARG TARGETARCH="+architecture+"\n"), err
	}
}

// progress is the condition that is true of the pool's only build, and its reason.
func (c *buildCluster) progress(pool string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var builds mcfgv1.MachineOSBuildList
		if err := c.w.client.List(ctx, &builds); err != nil {
			return nil, err
		}
		var all []string
		for _, b := range builds.Items {
			for _, condition := range b.Status.Conditions {
				if b.Spec.MachineOSConfig.Name == pool && condition.Status == metav1.ConditionTrue {
					all = append(all, condition.Type+" ("+condition.Reason+")")
				}
			}
		}
		return strings.Join(all, " "), nil
	}
}

// decided is why the operator does what it does about the pool's build.
func (c *buildCluster) decided(pool string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		m, err := c.config(ctx, pool)
		if err != nil {
			return nil, err
		}
		if blocked := meta.FindStatusCondition(m.Status.Conditions, controller.Blocked); blocked != nil {
			return blocked.Reason, nil
		}
		return "", nil
	}
}

func (c *buildCluster) succeeded(pool string) func(context.Context) (any, error) {
	return c.countBuilds(pool, mcfgv1.MachineOSBuildSucceeded)
}

func (c *buildCluster) countBuilds(pool string, p mcfgv1.BuildProgress) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var builds mcfgv1.MachineOSBuildList
		if err := c.w.client.List(ctx, &builds); err != nil {
			return nil, err
		}
		n := 0
		for _, b := range builds.Items {
			if b.Spec.MachineOSConfig.Name == pool && meta.IsStatusConditionTrue(b.Status.Conditions, string(p)) {
				n++
			}
		}
		return n, nil
	}
}

// carriedOut names what the builder has done since the last call.
func (c *buildCluster) carriedOut() string {
	built := c.builder.Built()
	var all []string
	for _, job := range built[c.told:] {
		all = append(all, job[strings.LastIndexByte(job, '-')+1:])
	}
	c.told = len(built)
	slices.Sort(all)
	if all == nil {
		return "nothing"
	}
	return strings.Join(all, " ")
}
