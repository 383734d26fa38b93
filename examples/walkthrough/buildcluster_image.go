package main

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/machineconfig/builder"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
)

// image reads something of the image that a node of the pool would pull.
func (c *buildCluster) image(pool, architecture string, read func(v1.Image) (string, error)) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		spec, err := c.pullSpec(ctx, pool)
		if err != nil {
			return nil, err
		}
		image, err := builder.Pull(ctx, spec, architecture)
		if err != nil || image == nil {
			return "no image", err
		}
		return read(image)
	}
}

func (c *buildCluster) builtBy(pool, architecture string) func(context.Context) (any, error) {
	return c.image(pool, architecture, func(image v1.Image) (string, error) {
		config, err := image.ConfigFile()
		if err != nil {
			return "", err
		}
		return config.Config.Labels[builder.LabelBuiltBy], nil
	})
}

func (c *buildCluster) fileIn(pool, architecture, path string) func(context.Context) (any, error) {
	return c.image(pool, architecture, func(image v1.Image) (string, error) {
		content, err := builder.ReadFile(image, path)
		return strings.TrimSpace(content), err
	})
}

// embedded is the name of the rendered config that the image holds.
func (c *buildCluster) embedded(pool, architecture string) func(context.Context) (any, error) {
	return c.image(pool, architecture, func(image v1.Image) (string, error) {
		content, err := builder.ReadFile(image, controller.CurrentConfig)
		if err != nil {
			return "", err
		}
		var rendered mcfgv1.MachineConfig
		err = json.Unmarshal([]byte(content), &rendered)
		return rendered.Name, err
	})
}

// stoodIn is what the builder said of images that nothing was run for.
func (c *buildCluster) stoodIn() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.standIn))
}
