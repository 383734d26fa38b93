package osimagestream

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// pull returns a pull spec that the CRD takes, one per content.
func pull(content string) string {
	return fmt.Sprintf("quay.io/okd/content@sha256:%x", sha256.Sum256([]byte(content)))
}

// set returns a stream with images of its own.
func set(name string) mcfgv1.OSImageStreamSet { return setFrom(name, "") }

// setFrom returns a stream with the images of one release.
func setFrom(name, release string) mcfgv1.OSImageStreamSet {
	return mcfgv1.OSImageStreamSet{
		Name:              name,
		OSImage:           mcfgv1.ImageDigestFormat(pull(name + release)),
		OSExtensionsImage: mcfgv1.ImageDigestFormat(pull(name + release + "-extensions")),
	}
}

// complete returns a discovery of these streams that has seen all there is.
func complete(streams ...mcfgv1.OSImageStreamSet) Discovery {
	return Discovery{Complete: true, Streams: streams}
}

func sets(names ...string) []mcfgv1.OSImageStreamSet {
	var s []mcfgv1.OSImageStreamSet
	for _, n := range names {
		s = append(s, set(n))
	}
	return s
}

// stored returns a singleton with that spec and status.
func stored(spec, status string, streams ...mcfgv1.OSImageStreamSet) *mcfgv1.OSImageStream {
	o := New(spec)
	o.Annotations = release.annotations()
	o.ResourceVersion = "7"
	o.Status = mcfgv1.OSImageStreamStatus{DefaultStream: status, AvailableStreams: streams}
	return o
}

var release = Release{Version: "abc123", Image: "quay.io/okd/release@sha256:" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}

func osLabels(stream string) map[string]string {
	return map[string]string{LabelStream: stream, LabelOS: "true"}
}

func extLabels(stream string) map[string]string {
	return map[string]string{LabelStream: stream, LabelExtensions: "true"}
}

// tag is a tag of image-references.
func tag(name, pullSpec string) imagev1.TagReference {
	return imagev1.TagReference{Name: name, From: &corev1.ObjectReference{Kind: "DockerImage", Name: pullSpec}}
}

func payload(tags ...imagev1.TagReference) *imagev1.ImageStream {
	return &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: tags}}
}

// world collects tags and the labels of their images.
type world struct {
	tags   []imagev1.TagReference
	labels map[string]map[string]string
}

func newWorld() *world { return &world{labels: map[string]map[string]string{}} }

// image adds a tag whose image has that content and those labels.
func (w *world) image(tagName, content string, labels map[string]string) *world {
	w.tags = append(w.tags, tag(tagName, pull(content)))
	w.labels[pull(content)] = labels
	return w
}

// pair adds both tags of a stream.
func (w *world) pair(tagName, stream string) *world {
	return w.image(tagName, stream, osLabels(stream)).
		image(tagName+"-extensions", stream+"-extensions", extLabels(stream))
}

func (w *world) sources() Sources { return Sources{Payload: payload(w.tags...), Labels: w.labels} }

func configMap(os, extensions string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: ConfigMapName, Namespace: "openshift-machine-config-operator"},
		Data:       map[string]string{configMapOSImage: os, configMapExtensions: extensions, "releaseVersion": "4.22.0"},
	}
}

func pool(name, stream string) *mcfgv1.MachineConfigPool {
	p := &mcfgv1.MachineConfigPool{ObjectMeta: metav1.ObjectMeta{Name: name}}
	p.Spec.OSImageStream.Name = stream
	return p
}

// selecting returns a pool that selects the machine configs of these roles.
func selecting(name, stream string, roles ...string) *mcfgv1.MachineConfigPool {
	p := pool(name, stream)
	p.Spec.MachineConfigSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: LabelRole, Operator: metav1.LabelSelectorOpIn, Values: roles},
	}}
	return p
}

// config returns a machine config of a user, for a role.
func config(name, role, osImageURL string) *mcfgv1.MachineConfig {
	c := &mcfgv1.MachineConfig{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{LabelRole: role}}}
	c.Spec.OSImageURL = osImageURL
	return c
}

// problem is what tests look at of a field error.
type problem struct {
	Type  field.ErrorType
	Field string
	Value any
}

func problems(list field.ErrorList) []problem {
	var ps []problem
	for _, e := range list {
		v := e.BadValue
		if s, ok := v.(mcfgv1.ImageDigestFormat); ok {
			v = string(s)
		}
		if e.Type == field.ErrorTypeRequired {
			v = nil
		}
		ps = append(ps, problem{e.Type, e.Field, v})
	}
	return ps
}

// found is what tests look at of a finding.
type found struct {
	Code FindingCode
	Path string
}

func findings(list []Finding) []found {
	var fs []found
	for _, f := range list {
		fs = append(fs, found{f.Code, f.Path})
	}
	return fs
}

func codes(list []Finding) []FindingCode {
	var cs []FindingCode
	for _, f := range list {
		cs = append(cs, f.Code)
	}
	slices.Sort(cs)
	return cs
}

func diff(t *testing.T, what string, want, got any, opts ...cmp.Option) {
	t.Helper()
	if d := cmp.Diff(want, got, opts...); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}
