package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/osimagestream/controller"
	"github.com/polyarch/polyarch/osimagestream"
)

// An osRelease is a payload with OS images, and the operator that comes with it.
type osRelease struct{ version, image string }

func newOSRelease(version string) osRelease {
	return osRelease{version, "quay.example.com/release@sha256:" + digits(fmt.Sprintf("%02x", version[len(version)-1]))}
}

// build is what the operator of the release annotates with.
func (r osRelease) build() string { return "build of " + r.version }

// push makes the OS image and the extensions image of a stream, under the names
// that the story calls them, and returns their tags.
func (c *osCluster) push(prefix, stream, story string) (map[string]string, error) {
	tags := map[string]string{}
	for suffix, role := range map[string]string{"": osimagestream.LabelOS, "-extensions": osimagestream.LabelExtensions} {
		image, err := mutate.Config(empty.Image, v1.Config{Labels: map[string]string{
			osimagestream.LabelStream: stream, role: "true", "release": story,
		}})
		if err != nil {
			return nil, err
		}
		repository, err := name.NewRepository(c.registry.Host + "/okd/os" + suffix)
		if err != nil {
			return nil, err
		}
		if err := remote.Write(repository.Tag("latest"), image); err != nil {
			return nil, err
		}
		digest, err := image.Digest()
		if err != nil {
			return nil, err
		}
		pullSpec := repository.Digest(digest.String()).String()
		tags[prefix+suffix], c.names[pullSpec] = pullSpec, stream+suffix+" of "+story
	}
	return tags, nil
}

// publish writes the release directory of a release with those tags.
func (c *osCluster) publish(r osRelease, tags ...map[string]string) error {
	is := imagev1.ImageStream{TypeMeta: metav1.TypeMeta{APIVersion: "image.openshift.io/v1", Kind: "ImageStream"}, ObjectMeta: named(r.version)}
	for _, some := range append(tags, map[string]string{"etcd": "quay.example.com/etcd@sha256:" + digits("ee")}) {
		for tag, image := range some {
			is.Spec.Tags = append(is.Spec.Tags, imagev1.TagReference{Name: tag, From: &corev1.ObjectReference{Kind: "DockerImage", Name: image}})
		}
	}
	data, err := json.Marshal(is)
	if err != nil {
		return err
	}
	dir := filepath.Join(c.w.dir, "os-releases", c.flavor.String(), r.version)
	if err := os.MkdirAll(filepath.Join(dir, "release-manifests"), 0o700); err != nil {
		return err
	}
	c.releases[r.image] = dir
	return os.WriteFile(filepath.Join(dir, "release-manifests", "image-references"), data, 0o600)
}

// update makes the cluster run a release: its gates are known, and its operator
// takes the place of the one before.
func (c *osCluster) update(ctx context.Context, r osRelease) error {
	if err := c.stop(); err != nil {
		return err
	}
	c.stop = func() error { return nil }
	err := changeStatus(ctx, c.w, &configv1.FeatureGate{ObjectMeta: named("cluster")}, func(fg *configv1.FeatureGate) {
		fg.Status.FeatureGates = append(fg.Status.FeatureGates, configv1.FeatureGateDetails{
			Version: r.version, Enabled: []configv1.FeatureGateAttributes{{Name: osimagestream.Gate}}, Disabled: []configv1.FeatureGateAttributes{},
		})
	})
	if err != nil {
		return err
	}
	err = changeStatus(ctx, c.w, &configv1.ClusterVersion{ObjectMeta: named("version")}, func(cv *configv1.ClusterVersion) {
		cv.Status.Desired = configv1.Release{Version: r.version, Image: r.image}
	})
	if err != nil {
		return err
	}
	stop, err := c.w.run(ctx, func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "machine-config")
		if err != nil {
			return err
		}
		streams := &controller.Streams{ // a copy of the releases: more are published while it runs
			Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Events: events, Flavor: c.flavor,
			Version: r.version, Build: r.build(),
			Releases: maps.Clone(c.releases), Labels: controller.Registry{Secrets: mgr.GetAPIReader()}.Labels,
		}
		if err := streams.SetupWithManager(mgr); err != nil {
			return err
		}
		return (&controller.Pools{Client: mgr.GetClient(), Build: streams.Build, Now: metav1.Now}).SetupWithManager(mgr)
	})
	if err != nil {
		return err
	}
	c.stop = stop
	return nil
}
