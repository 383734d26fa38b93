package osimagestream_test

import (
	"encoding/json"
	"fmt"
	"strings"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/osimagestream"
)

// digest stands for the pull spec of an image whose digest begins so.
func digest(first string) string {
	return "quay.io/okd/scos-content@sha256:" + first + strings.Repeat("0", 64-len(first))
}

func stream(name, first string) mcfgv1.OSImageStreamSet {
	return mcfgv1.OSImageStreamSet{
		Name:              name,
		OSImage:           mcfgv1.ImageDigestFormat(digest(first)),
		OSExtensionsImage: mcfgv1.ImageDigestFormat(digest(first + "e")),
	}
}

func imageReferences() []byte {
	tag := func(name, image string) imagev1.TagReference {
		return imagev1.TagReference{Name: name, From: &corev1.ObjectReference{Kind: "DockerImage", Name: image}}
	}
	data, err := json.Marshal(imagev1.ImageStream{
		TypeMeta: metav1.TypeMeta{APIVersion: "image.openshift.io/v1", Kind: "ImageStream"},
		Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
			tag("etcd", digest("9")), tag("stream-coreos", digest("1")), tag("stream-coreos-extensions", digest("2")),
		}},
	})
	if err != nil {
		panic(err)
	}
	return data
}

func ExampleParseImageReferences() {
	_, err := osimagestream.ParseImageReferences([]byte(`{"kind":"Template","apiVersion":"template.openshift.io/v1"}`))
	fmt.Println(err)
	// Output: image-references has kind "Template", must be "ImageStream"
}

func ExampleSources_Images() {
	payload, err := osimagestream.ParseImageReferences(imageReferences())
	if err != nil {
		fmt.Println(err)
	}
	sources := osimagestream.Sources{Payload: payload}
	for _, image := range sources.Images() {
		fmt.Println("inspect", image[:34])
	}
	// Output:
	// inspect quay.io/okd/scos-content@sha256:10
	// inspect quay.io/okd/scos-content@sha256:20
}

func ExampleDiscover() {
	payload, err := osimagestream.ParseImageReferences(imageReferences())
	if err != nil {
		fmt.Println(err)
	}
	d := osimagestream.Discover(osimagestream.Sources{
		Payload: payload,
		Labels: map[string]map[string]string{
			digest("1"): {osimagestream.LabelStream: "centos-10", osimagestream.LabelOS: "1"},
			digest("2"): {osimagestream.LabelStream: "centos-10", osimagestream.LabelExtensions: "true"},
		},
	})
	for _, s := range d.Streams {
		fmt.Println(s.Name)
	}
	// Output: centos-10
}

// An OS image without its extensions image is a finding.
func ExampleDiscover_incompletePair() {
	payload, err := osimagestream.ParseImageReferences(imageReferences())
	if err != nil {
		fmt.Println(err)
	}
	d := osimagestream.Discover(osimagestream.Sources{
		Payload: payload,
		Labels: map[string]map[string]string{
			digest("1"): {osimagestream.LabelStream: "centos-10", osimagestream.LabelOS: "1"},
			digest("2"): {osimagestream.LabelStream: "centos-10"},
		},
	})
	fmt.Println(len(d.Streams), "streams")
	for _, f := range d.Findings {
		fmt.Println(f.Code, f.Path)
	}
	// Output:
	// 0 streams
	// UnknownRole image-references.spec.tags[stream-coreos-extensions].from.name
	// IncompletePair image-references.spec.tags[stream-coreos].from.name
}

func ExampleRoleOf() {
	role, both := osimagestream.RoleOf(map[string]string{osimagestream.LabelStream: "centos-10", osimagestream.LabelExtensions: "true"})
	fmt.Println(role, both)
	// Output: extensions image false
}

func ExampleBuiltInDefault() {
	fmt.Println(osimagestream.BuiltInDefault(osimagestream.OKD, ""))
	fmt.Println(osimagestream.BuiltInDefault(osimagestream.OCP, "4.18.3"))
	fmt.Println(osimagestream.BuiltInDefault(osimagestream.OCP, "5.0.0"))
	// Output:
	// centos-10
	// rhel-9
	// rhel-10
}

func ExampleSingle() {
	s := osimagestream.Single(osimagestream.Cluster{
		Discovery: osimagestream.Discovery{Complete: true, Streams: []mcfgv1.OSImageStreamSet{stream("centos-11", "1"), stream("centos-12", "2")}},
	})
	fmt.Println(s.Stream.Name, s.Reason)
	for _, f := range s.Findings {
		fmt.Println(f.Code, f.Path)
	}
	// Output:
	// centos-12 HighestVersion
	// NotOffered osimagestreams[cluster].status.availableStreams[centos-11]
}

func ExampleDefault() {
	c := osimagestream.Cluster{
		Discovery:      osimagestream.Discovery{Complete: true, Streams: []mcfgv1.OSImageStreamSet{stream("rhel-9", "1"), stream("rhel-10", "2")}},
		InstallVersion: "4.18.3",
	}
	d := osimagestream.Default(c)
	fmt.Println(d.Stream, d.Reason)

	c.Stored = osimagestream.New("rhel-8")
	d = osimagestream.Default(c)
	fmt.Println(d.Reason, d.Requested, d.Problems)
	// Output:
	// rhel-9 BuiltIn
	// NotOffered rhel-8 [osimagestreams[cluster].spec.defaultStream: Unsupported value: "rhel-8": supported values: "rhel-10", "rhel-9"]
}

// A build that knows its flavor pins it; see Flavor.
func ExampleFlavor() {
	const flavor = osimagestream.OKD
	d := osimagestream.Default(osimagestream.Cluster{Flavor: flavor, Discovery: osimagestream.Discovery{Complete: true, Streams: []mcfgv1.OSImageStreamSet{stream("centos-11", "1")}}})
	fmt.Println(flavor, d.Stream, d.Reason)
	// Output: OKD centos-11 SoleStream
}

// The only stream of the release has a new name. The status is written first,
// because spec can name only what status offers.
func ExamplePlan() {
	existing := osimagestream.New("centos-10")
	existing.Status = mcfgv1.OSImageStreamStatus{
		DefaultStream:    "centos-10",
		AvailableStreams: []mcfgv1.OSImageStreamSet{stream("centos-10", "1")},
	}
	singleton := osimagestream.Plan(osimagestream.Cluster{
		Flavor:    osimagestream.OKD,
		Discovery: osimagestream.Discovery{Complete: true, Streams: []mcfgv1.OSImageStreamSet{stream("centos-11", "2")}},
		Stored:    existing,
		Release:   osimagestream.Release{Version: "2", Image: digest("f")},
	})
	fmt.Println(singleton.Stream, singleton.Reason)
	for _, s := range singleton.Steps {
		fmt.Println(s.Verb, s.Reason)
	}
	// Output:
	// centos-11 Advanced
	// UpdateStatus Publish
	// Update Follow
}

// The registry did not answer for one image. Which stream that is of, nobody knows,
// so nothing is written, and the next plan comes when it answers.
func ExamplePlan_incomplete() {
	payload, err := osimagestream.ParseImageReferences(imageReferences())
	if err != nil {
		fmt.Println(err)
	}
	discovery := osimagestream.Discover(osimagestream.Sources{
		Payload: payload,
		Labels: map[string]map[string]string{
			digest("1"): {osimagestream.LabelStream: "centos-10", osimagestream.LabelOS: "1"},
		},
	})
	singleton := osimagestream.Plan(osimagestream.Cluster{
		Flavor:    osimagestream.OKD,
		Discovery: discovery,
		Stored:    singletonOf(stream("centos-10", "8")),
		Release:   osimagestream.Release{Version: "2", Image: digest("f")},
	})
	fmt.Println(singleton.Reason, len(singleton.Steps), "steps")
	for _, f := range discovery.Findings {
		fmt.Println(f.Code, f.Path)
	}
	// Output:
	// Incomplete 0 steps
	// NotInspected image-references.spec.tags[stream-coreos-extensions].from.name
	// IncompletePair image-references.spec.tags[stream-coreos].from.name
}

func ExampleStep_On() {
	singleton := osimagestream.Plan(osimagestream.Cluster{
		Flavor:    osimagestream.OKD,
		Discovery: osimagestream.Discovery{Complete: true, Streams: []mcfgv1.OSImageStreamSet{stream("centos-10", "1")}},
		Release:   osimagestream.Release{Version: "1", Image: digest("f")},
	})
	var current *mcfgv1.OSImageStream
	for _, s := range singleton.Steps {
		current = s.On(current) // and send it; what comes back is current
		fmt.Printf("%s spec %q status %q\n", s.Verb, current.Spec.DefaultStream, current.Status.DefaultStream)
	}
	// Output:
	// Create spec "centos-10" status ""
	// UpdateStatus spec "centos-10" status "centos-10"
	// Update spec "centos-10" status "centos-10"
}

func ExampleNew() {
	o := osimagestream.New("centos-10")
	fmt.Println(o.Kind, o.Name, o.Spec.DefaultStream, o.Status.DefaultStream == "", len(o.Annotations))
	// Output: OSImageStream cluster centos-10 true 0
}

func ExampleInstallVersion() {
	version, field := osimagestream.InstallVersion(&configv1.ClusterVersion{
		Status: configv1.ClusterVersionStatus{Desired: configv1.Release{Version: "5.0.0"}},
	})
	fmt.Println(version, field)
	// Output: 5.0.0 clusterversions[version].status.desired.version
}

func ExampleManage() {
	m := osimagestream.Manage(osimagestream.Platform{
		Flavor:  osimagestream.OKD,
		Version: "5.0.0",
		FeatureGate: &configv1.FeatureGate{Status: configv1.FeatureGateStatus{FeatureGates: []configv1.FeatureGateDetails{
			{Version: "5.0.0", Enabled: []configv1.FeatureGateAttributes{{Name: osimagestream.Gate}}},
		}}},
		Infrastructure: &configv1.Infrastructure{},
	})
	fmt.Println(m.Manage, m.Reason)
	// Output: true GateEnabled
}

func singletonOf(streams ...mcfgv1.OSImageStreamSet) *mcfgv1.OSImageStream {
	o := osimagestream.New(streams[0].Name)
	o.Status = mcfgv1.OSImageStreamStatus{DefaultStream: streams[0].Name, AvailableStreams: streams}
	return o
}

func poolNaming(name, stream string) *mcfgv1.MachineConfigPool {
	p := &mcfgv1.MachineConfigPool{ObjectMeta: metav1.ObjectMeta{Name: name}}
	p.Spec.OSImageStream.Name = stream
	return p
}

func ExampleForPool() {
	singleton := singletonOf(stream("rhel-9", "1"), stream("rhel-10", "2"))
	for _, p := range []osimagestream.Pool{
		{Pool: poolNaming("master", ""), Stored: singleton},
		{Pool: poolNaming("infra", ""), Worker: poolNaming("worker", "rhel-10"), Stored: singleton},
		{Pool: poolNaming("worker", "rhel-8"), Stored: singleton},
	} {
		r := osimagestream.ForPool(p)
		fmt.Printf("%s: %s by %s, has images %t, problems %d\n", p.Pool.Name, r.Stream, r.Reason, r.Images.OSImage != "", len(r.Problems))
	}
	// Output:
	// master: rhel-9 by Default, has images true, problems 0
	// infra: rhel-10 by Worker, has images true, problems 0
	// worker: rhel-8 by Own, has images false, problems 1
}

func ExampleValidatePool() {
	singleton := singletonOf(stream("rhel-10", "1"))
	retired := poolNaming("worker", "rhel-9")
	fmt.Println("untouched:", osimagestream.ValidatePool(retired, retired, singleton))
	fmt.Println("new:", osimagestream.ValidatePool(retired, poolNaming("worker", ""), singleton))
	// Output:
	// untouched: []
	// new: [spec.osImageStream.name: Unsupported value: "rhel-9": supported values: "rhel-10"]
}
