package embedding_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream"
)

// streamController stands for the controller of OSImageStreams in
// machine-config-operator.
type streamController struct {
	flavor         osimagestream.Flavor
	hash           string // of the operator's build: version.Hash
	clusterVersion *configv1.ClusterVersion
	osImageURLs    *corev1.ConfigMap // machine-config-osimageurl, nil if there is none
	payload        *imagev1.ImageStream
	stored         *mcfgv1.OSImageStream // nil if there is none
	inspect        func(image string) (labels map[string]string, err error)
}

// sync takes the place of boot: discover the streams, choose the default, write.
func (ctrl *streamController) sync() error {
	sources := osimagestream.Sources{ConfigMap: ctrl.osImageURLs, Payload: ctrl.payload, Labels: map[string]map[string]string{}}
	for _, image := range sources.Images() {
		if labels, err := ctrl.inspect(image); err == nil {
			sources.Labels[image] = labels
		} // else Discover says so, and Plan writes nothing
	}
	discovery := osimagestream.Discover(sources)
	installVersion, _ := osimagestream.InstallVersion(ctrl.clusterVersion)
	singleton := osimagestream.Plan(osimagestream.Cluster{
		Flavor:         ctrl.flavor,
		Discovery:      discovery,
		Stored:         ctrl.stored,
		InstallVersion: installVersion,
		Release:        osimagestream.Release{Version: ctrl.hash, Image: ctrl.clusterVersion.Status.Desired.Image},
	})
	for _, step := range singleton.Steps {
		switch object := step.On(ctrl.stored); step.Verb {
		case osimagestream.VerbCreate:
			ctrl.create(object)
		case osimagestream.VerbUpdate:
			ctrl.update(object)
		case osimagestream.VerbUpdateStatus:
			ctrl.updateStatus(object)
		}
	}
	degraded(append(discovery.Problems, singleton.Problems...))
	if !discovery.Complete {
		return errors.New("not every image could be inspected: try again")
	}
	return nil
}

// osImageURL takes the place of GetOSImageStreamSetByName where a pool is
// rendered.
func (ctrl *streamController) osImageURL(pool, worker *mcfgv1.MachineConfigPool) (mcfgv1.OSImageStreamSet, error) {
	resolution := osimagestream.ForPool(osimagestream.Pool{
		Pool: pool, Worker: worker, Stored: ctrl.stored, Version: ctrl.hash,
	})
	return resolution.Images, resolution.Problems.ToAggregate()
}

// OCP installed as 4.18 gets a release of two streams, and a pool that names one
// of them; then a release that no longer has it; then the release cannot be read.
func Example_machineConfigOperatorStreams() {
	ctrl := &streamController{hash: "build-1", clusterVersion: installedAs("4.18.0")}
	pool := &mcfgv1.MachineConfigPool{ObjectMeta: metav1.ObjectMeta{Name: "worker"}}
	pool.Spec.OSImageStream.Name = "rhel-9"
	for _, streams := range [][]string{{"rhel-9", "rhel-10"}, {"rhel-10", "rhel-11"}, nil} {
		if ctrl.offer(streams...); len(streams) == 0 {
			ctrl.payload = nil // nor is there an answer for any image
		}
		if err := ctrl.sync(); err != nil {
			fmt.Println(err)
		}
		images, err := ctrl.osImageURL(pool, nil)
		fmt.Println("worker runs", images.Name, err)
	}
	// Output:
	// create: spec "rhel-9", status "" of []
	// update status: spec "rhel-9", status "rhel-9" of [rhel-10 rhel-9]
	// update: spec "rhel-9", status "rhel-9" of [rhel-10 rhel-9]
	// worker runs rhel-9 <nil>
	// update status: spec "rhel-9", status "rhel-9" of [rhel-10 rhel-11 rhel-9]
	// degraded: osimagestreams[cluster].spec.defaultStream Unsupported value
	// worker runs rhel-9 <nil>
	// not every image could be inspected: try again
	// worker runs rhel-9 <nil>
}

// create, update and updateStatus stand for the client.
func (ctrl *streamController) create(o *mcfgv1.OSImageStream)       { ctrl.wrote("create", o) }
func (ctrl *streamController) update(o *mcfgv1.OSImageStream)       { ctrl.wrote("update", o) }
func (ctrl *streamController) updateStatus(o *mcfgv1.OSImageStream) { ctrl.wrote("update status", o) }

func (ctrl *streamController) wrote(verb string, o *mcfgv1.OSImageStream) {
	var offered []string
	for _, s := range o.Status.AvailableStreams {
		offered = append(offered, s.Name)
	}
	fmt.Printf("%s: spec %q, status %q of %v\n", verb, o.Spec.DefaultStream, o.Status.DefaultStream, offered)
	ctrl.stored = o
}

// offer is a payload with these streams.
func (ctrl *streamController) offer(streams ...string) {
	ctrl.payload = &imagev1.ImageStream{}
	labels := map[string]map[string]string{}
	for _, stream := range streams {
		for suffix, role := range map[string]string{"": osimagestream.LabelOS, "-extensions": osimagestream.LabelExtensions} {
			image := pullSpec("release", stream+suffix)
			labels[image] = map[string]string{osimagestream.LabelStream: stream, role: "true"}
			ctrl.payload.Spec.Tags = append(ctrl.payload.Spec.Tags, imagev1.TagReference{
				Name: strings.Replace(stream, "-", "-coreos-", 1) + suffix, From: &corev1.ObjectReference{Kind: "DockerImage", Name: image},
			})
		}
	}
	ctrl.inspect = func(image string) (map[string]string, error) { return labels[image], nil }
}

func installedAs(version string) *configv1.ClusterVersion {
	cv := &configv1.ClusterVersion{}
	cv.Status.Desired = configv1.Release{Version: "5.0.1", Image: pullSpec("release", "payload")}
	done := metav1.NewTime(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	cv.Status.History = []configv1.UpdateHistory{{State: configv1.CompletedUpdate, Version: version, CompletionTime: &done}}
	return cv
}
