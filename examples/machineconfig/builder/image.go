package builder

import (
	"context"
	"fmt"
	"runtime"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// The labels by which an image tells how it was made: by buildah or the stand-in, of
// which containerfile, after a line with the build argument.
const (
	LabelBuiltBy       = "example.polyarch.built-by"
	LabelContainerfile = "example.polyarch.containerfile"
	ByBuildah          = "buildah"
	ByStandIn          = "stand-in"
)

// An order is an image to be made.
type order struct {
	base, pushSpec             string
	architecture               string
	containerfile, machineConf string
	labels                     map[string]string
	keys                       *keys
}

// build makes the image of one architecture and pushes it.
func (r *Builder) build(ctx context.Context, job *batchv1.Job, env map[string]string, keys *keys) (digest string, err error) {
	files := new(corev1.ConfigMap)
	key := client.ObjectKey{Namespace: job.Namespace, Name: job.Name}
	if err := r.Reader.Get(ctx, key, files); err != nil {
		return "", err
	}
	o := order{
		base: env[controller.EnvBase], pushSpec: env[controller.EnvPushSpec], architecture: env["TARGETARCH"], keys: keys,
		containerfile: files.Data[controller.ContainerfileKey], machineConf: files.Data[controller.MachineConfigKey],
	}
	o.labels = map[string]string{
		LabelBuiltBy:       ByBuildah,
		LabelContainerfile: "ARG TARGETARCH=" + o.architecture + "\n" + controller.UserContainerfile(o.containerfile),
	}
	ref, err := name.NewDigest(o.base)
	if err != nil {
		return "", err
	}
	base, err := remote.Image(ref, remote.WithContext(ctx), remote.WithAuthFromKeychain(keys.pull))
	if err != nil {
		return "", err
	}
	config, err := base.ConfigFile()
	if err != nil {
		return "", err
	}
	// A node cannot run what is of another architecture.
	if config.Architecture != o.architecture {
		return "", fmt.Errorf("exec format error: %s is of %s, the node is of %s", ref, config.Architecture, o.architecture)
	}
	why := ""
	switch {
	case r.Buildah == "":
		why = "there is no buildah to run them"
	case o.architecture != runtime.GOARCH:
		why = "this machine is of " + runtime.GOARCH
	default:
		return r.buildah(ctx, o)
	}
	if r.Say != nil {
		r.Say(job, "a stand-in made the image of "+o.architecture+", whose RUN steps were not run: "+why)
	}
	o.labels[LabelBuiltBy] = ByStandIn
	return standIn(ctx, o, base)
}

// publish copies the images of a build that are elsewhere, and pushes what
// buildplan.Publish makes of them.
func (r *Builder) publish(ctx context.Context, env map[string]string, keys *keys) (digest string, err error) {
	build := new(mcfgv1.MachineOSBuild)
	if err := r.Reader.Get(ctx, client.ObjectKey{Name: env[controller.EnvBuild]}, build); err != nil {
		return "", err
	}
	tag, err := name.NewTag(string(build.Spec.RenderedImagePushSpec))
	if err != nil {
		return "", err
	}
	either := authn.NewMultiKeychain(keys.push, keys.pull)
	var children []manifestlist.Child
	for _, record := range buildplan.Records(build) {
		ref, err := name.NewDigest(record.PullSpec)
		if err != nil {
			return "", fmt.Errorf("%s: %w", record.Architecture, err)
		}
		image, err := remote.Image(ref, remote.WithContext(ctx), remote.WithAuthFromKeychain(either))
		if err != nil {
			return "", err
		}
		if record.Copy {
			if err := remote.Write(tag.Context().Digest(ref.DigestStr()), image, remote.WithContext(ctx), remote.WithAuthFromKeychain(keys.push)); err != nil {
				return "", err
			}
		}
		manifest, err := image.RawManifest()
		if err != nil {
			return "", err
		}
		config, err := image.RawConfigFile()
		if err != nil {
			return "", err
		}
		children = append(children, manifestlist.Child{Manifest: manifest, Config: config})
	}
	p, err := buildplan.Publish(build, children)
	if err != nil {
		return "", err
	}
	return string(p.Digest), remote.Put(tag, document{p}, remote.WithContext(ctx), remote.WithAuthFromKeychain(keys.push))
}

// A document is what is pushed as it is.
type document struct{ buildplan.Publication }

func (d document) RawManifest() ([]byte, error) { return d.Bytes, nil }
func (d document) MediaType() (types.MediaType, error) {
	return types.MediaType(d.Publication.MediaType), nil
}
