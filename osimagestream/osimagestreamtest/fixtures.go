package osimagestreamtest

import (
	"crypto/sha256"
	"fmt"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What images, tags, objects and machine configs are known by.
const (
	labelStream     = "io.openshift.os.streamclass"
	labelOS         = "containers.bootc"
	labelExtensions = "io.openshift.os.extensions"

	sourceAnnotation = "io.openshift.build.source-location"

	annotationVersion   = "machineconfiguration.openshift.io/release-image-version"
	annotationImage     = "machineconfiguration.openshift.io/release-payload-image"
	annotationGenerated = "machineconfiguration.openshift.io/generated-by-controller-version"
	labelRole           = "machineconfiguration.openshift.io/role"

	keyOSImage    = "baseOSContainerImage"
	keyExtensions = "baseOSExtensionsContainerImage"

	gate configv1.FeatureGateName = "OSStreams"
)

// The release of the rows.
const (
	ReleaseVersion = "abc123"
	ReleaseImage   = "quay.io/okd/release@sha256:" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
)

// PullSpec returns a pull spec that the CRD takes, one for each content.
func PullSpec(content string) string {
	return fmt.Sprintf("quay.io/okd/content@sha256:%x", sha256.Sum256([]byte(content)))
}

// Set returns a stream with images of its own.
func Set(name string) mcfgv1.OSImageStreamSet { return SetFrom(name, "") }

// SetFrom returns a stream with the images of one release.
func SetFrom(name, release string) mcfgv1.OSImageStreamSet {
	return mcfgv1.OSImageStreamSet{
		Name:              name,
		OSImage:           mcfgv1.ImageDigestFormat(PullSpec(name + release)),
		OSExtensionsImage: mcfgv1.ImageDigestFormat(PullSpec(name + release + "-extensions")),
	}
}

// Sets returns streams with images of their own.
func Sets(names ...string) (sets []mcfgv1.OSImageStreamSet) {
	for _, n := range names {
		sets = append(sets, Set(n))
	}
	return sets
}

// Stored returns the OSImageStream with that spec and status, annotated with the
// release of the rows. Without a status default and streams it has no status.
func Stored(spec, status string, streams ...mcfgv1.OSImageStreamSet) *mcfgv1.OSImageStream {
	o := &mcfgv1.OSImageStream{TypeMeta: metav1.TypeMeta{APIVersion: mcfgv1.GroupVersion.String(), Kind: "OSImageStream"}}
	o.Name, o.ResourceVersion = "cluster", "7"
	o.Annotations = map[string]string{annotationVersion: ReleaseVersion, annotationImage: ReleaseImage}
	o.Spec.DefaultStream = spec
	o.Status = mcfgv1.OSImageStreamStatus{DefaultStream: status, AvailableStreams: streams}
	return o
}

// OSLabels are those of the OS image of a stream.
func OSLabels(stream string) map[string]string {
	return map[string]string{labelStream: stream, labelOS: "true"}
}

// ExtensionsLabels are those of the extensions image of a stream.
func ExtensionsLabels(stream string) map[string]string {
	return map[string]string{labelStream: stream, labelExtensions: "true"}
}

// Tag is a tag of image-references.
func Tag(name, pullSpec string) imagev1.TagReference {
	return imagev1.TagReference{Name: name, From: &corev1.ObjectReference{Kind: "DockerImage", Name: pullSpec}}
}

// Payload is image-references with these tags.
func Payload(tags ...imagev1.TagReference) *imagev1.ImageStream {
	return &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: tags}}
}

// A World collects tags of a payload and the labels of their images.
type World struct {
	Tags   []imagev1.TagReference
	Labels map[string]map[string]string
}

// NewWorld returns an empty payload.
func NewWorld() *World { return &World{Labels: map[string]map[string]string{}} }

// Image adds a tag whose image has that content and those labels.
func (w *World) Image(tag, content string, labels map[string]string) *World {
	w.Tags = append(w.Tags, Tag(tag, PullSpec(content)))
	w.Labels[PullSpec(content)] = labels
	return w
}

// Pair adds both tags of a stream.
func (w *World) Pair(tag, stream string) *World {
	return w.Image(tag, stream, OSLabels(stream)).Image(tag+"-extensions", stream+"-extensions", ExtensionsLabels(stream))
}

// Sources returns the payload as the only source, all of its images inspected.
func (w *World) Sources() Sources { return Sources{Payload: Payload(w.Tags...), Labels: w.Labels} }

// worldOf is a payload with these streams.
func worldOf(streams []mcfgv1.OSImageStreamSet) *World {
	w := NewWorld()
	for i, s := range streams {
		name := fmt.Sprintf("rhel-coreos-%d", i)
		w.Tags = append(w.Tags, Tag(name, string(s.OSImage)), Tag(name+"-extensions", string(s.OSExtensionsImage)))
		w.Labels[string(s.OSImage)], w.Labels[string(s.OSExtensionsImage)] = OSLabels(s.Name), ExtensionsLabels(s.Name)
	}
	return w
}

// ConfigMap is machine-config-osimageurl.
func ConfigMap(os, extensions string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "machine-config-osimageurl", Namespace: "openshift-machine-config-operator"},
		Data:       map[string]string{keyOSImage: os, keyExtensions: extensions, "releaseVersion": "4.22.0"},
	}
}

// Pool is a pool that names the stream and selects no machine configs.
func Pool(name, stream string) *mcfgv1.MachineConfigPool {
	p := &mcfgv1.MachineConfigPool{ObjectMeta: metav1.ObjectMeta{Name: name}}
	p.Spec.OSImageStream.Name = stream
	return p
}

// Selecting is a pool that selects the machine configs of these roles.
func Selecting(name, stream string, roles ...string) *mcfgv1.MachineConfigPool {
	p := Pool(name, stream)
	p.Spec.MachineConfigSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: labelRole, Operator: metav1.LabelSelectorOpIn, Values: roles},
	}}
	return p
}

// Config is a machine config of a user, for a role.
func Config(name, role, osImageURL string) *mcfgv1.MachineConfig {
	c := &mcfgv1.MachineConfig{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{labelRole: role}}}
	c.Spec.OSImageURL = osImageURL
	return c
}

// Infrastructure has a control plane of that topology.
func Infrastructure(topology configv1.TopologyMode) *configv1.Infrastructure {
	return &configv1.Infrastructure{Status: configv1.InfrastructureStatus{ControlPlaneTopology: topology}}
}

// Gates is a FeatureGate with that feature set and these entries.
func Gates(featureSet configv1.FeatureSet, entries ...configv1.FeatureGateDetails) *configv1.FeatureGate {
	g := &configv1.FeatureGate{Status: configv1.FeatureGateStatus{FeatureGates: entries}}
	g.Spec.FeatureSet = featureSet
	return g
}

// Enabled is the entry of a version that enables these gates.
func Enabled(version string, names ...configv1.FeatureGateName) configv1.FeatureGateDetails {
	d := configv1.FeatureGateDetails{Version: version}
	for _, n := range names {
		d.Enabled = append(d.Enabled, configv1.FeatureGateAttributes{Name: n})
	}
	return d
}
