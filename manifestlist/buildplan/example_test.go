package buildplan_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/payloadarch"
)

// exampleFacts are those of a pool with nodes of two architectures.
func exampleFacts() buildplan.Facts {
	return buildplan.Facts{
		Config: &mcfgv1.MachineOSConfig{
			ObjectMeta: metav1.ObjectMeta{Name: "worker"},
			Spec: mcfgv1.MachineOSConfigSpec{
				MachineConfigPool:     mcfgv1.MachineConfigPoolReference{Name: "worker"},
				RenderedImagePushSpec: "quay.io/fleet/os:latest",
				Containerfile: []mcfgv1.MachineOSContainerfile{
					{Content: "FROM configs AS final\nRUN dnf install -y tree"},
					{ContainerfileArch: mcfgv1.Arm64, Content: "FROM configs AS final\nRUN dnf install -y tree edac-utils"},
				},
			},
		},
		Rendered:      &mcfgv1.MachineConfig{ObjectMeta: metav1.ObjectMeta{Name: "rendered-worker-1"}},
		Architectures: payloadarch.SetOf("arm64", "amd64"),
		Payload:       payloadarch.Multi,
		Base: map[string]buildplan.BaseImages{
			"amd64": {OS: "quay.io/release/os@sha256:" + strings.Repeat("a", 64)},
			"arm64": {OS: "quay.io/release/os@sha256:" + strings.Repeat("b", 64)},
		},
	}
}

func ExamplePlan() {
	facts := exampleFacts()
	build, err := buildplan.Plan(facts)
	if err != nil {
		panic(err)
	}
	fmt.Println(build.Next, build.Reason)
	for _, i := range build.Images {
		fmt.Println(i.Architecture, i.State, i.Reason, "with entry", i.Entry, i.NodeSelector(), i.BuildArgs())
	}
	fmt.Println("publish", build.Publish.State, build.Publish.Reason)

	// A path level too many in the push spec is told before any job runs.
	facts.Config.Spec.RenderedImagePushSpec = "quay.io/fleet/team/os:latest"
	build, err = buildplan.Plan(facts)
	if err != nil {
		panic(err)
	}
	fmt.Println(build.Next, build.Reason, build.Problems[0].Field)
	// Output:
	// Create NewInputs
	// amd64 Run NoEarlierImage with entry 0 map[kubernetes.io/arch:amd64 kubernetes.io/os:linux] map[TARGETARCH:amd64]
	// arm64 Run NoEarlierImage with entry 1 map[kubernetes.io/arch:arm64 kubernetes.io/os:linux] map[TARGETARCH:arm64]
	// publish Hold WaitingForArchitectures
	// Blocked Problems machineosconfigs[worker].spec.renderedImagePushSpec
}

// From a plan to objects, and from jobs to the status of the build.
func ExampleObserve() {
	facts := exampleFacts()
	build, err := buildplan.Plan(facts)
	if err != nil {
		panic(err)
	}
	object := build.MachineOSBuild()
	object.UID = "2c9b" // as the API server gives it
	kind := mcfgv1.GroupVersion.WithKind("MachineOSBuild")
	facts.Builds = []*mcfgv1.MachineOSBuild{object}
	for _, i := range build.Images {
		job := &batchv1.Job{ObjectMeta: build.JobMeta(i)}
		job.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(object, kind)}
		job.Status.Succeeded = 1
		reported := "sha256:" + strings.Repeat("c", 64)
		facts.Jobs = append(facts.Jobs, buildplan.ReadJob(job, reported))
	}
	if build, err = buildplan.Plan(facts); err != nil {
		panic(err)
	}
	out, err := buildplan.Observe(build, object, metav1.NewTime(time.Unix(0, 0)))
	if err != nil {
		panic(err)
	}
	fmt.Println(out.Progress, out.Reason)
	fmt.Println(out.Annotations[buildplan.AnnotationImage+"arm64"])
	for _, c := range out.Status.Conditions {
		fmt.Println(c.Type, c.Status)
	}
	// Output:
	// Building Publishing
	// quay.io/fleet/os@sha256:cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc
	// Prepared False
	// Building True
	// Failed False
	// Interrupted False
	// Succeeded False
}

func ExampleInterrupt() {
	build, err := buildplan.Plan(exampleFacts())
	if err != nil {
		panic(err)
	}
	out := buildplan.Interrupt(build.MachineOSBuild(), nil, metav1.NewTime(time.Unix(0, 0)))
	fmt.Println(out.Progress, out.Reason, out.Status.BuildEnd.Sub(out.Status.BuildStart.Time))
	// Output: Interrupted Superseded 1s
}

// What a publishing job does once it has read the images that the build records.
func ExamplePublish() {
	build, err := buildplan.Plan(exampleFacts())
	if err != nil {
		panic(err)
	}
	object := build.MachineOSBuild()
	var children []manifestlist.Child
	for _, i := range build.Images {
		child := exampleImage(i.Architecture)
		children = append(children, child)
		object.Annotations[buildplan.AnnotationImage+i.Architecture] = "quay.io/fleet/os@" + string(digest.FromBytes(child.Manifest))
	}
	_, err = buildplan.Publish(object, children[:1])
	fmt.Println(strings.Replace(err.Error(), object.Name, "worker-…", 1))

	p, err := buildplan.Publish(object, children)
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Index, p.MediaType, strings.HasPrefix(string(p.PullSpec), "quay.io/fleet/os@sha256:"))
	// Output:
	// machineosbuilds[worker-…] has no image for arm64
	// true application/vnd.oci.image.index.v1+json true
}

func ExampleRecords() {
	build, err := buildplan.Plan(exampleFacts())
	if err != nil {
		panic(err)
	}
	object := build.MachineOSBuild()
	object.Annotations[buildplan.AnnotationImage+"amd64"] = "mirror.example.com/os@sha256:" + strings.Repeat("c", 64)
	for _, r := range buildplan.Records(object) {
		fmt.Println(r.Architecture, len(r.Key), r.PullSpec != "", "copy:", r.Copy)
	}
	// Output:
	// amd64 64 true copy: true
	// arm64 64 false copy: false
}

func ExampleAcceptRebuild() {
	facts := exampleFacts()
	facts.Config.Annotations = map[string]string{buildplan.AnnotationRebuild: ""}
	build, err := buildplan.Plan(facts)
	if err != nil {
		panic(err)
	}
	fmt.Println(build.Next)
	facts.Config.Annotations = buildplan.AcceptRebuild(facts.Config.Annotations, build.Attempt)
	fmt.Println(facts.Config.Annotations)
	// Output:
	// AcceptRebuild
	// map[machineconfiguration.openshift.io/build-attempt:1]
}

func ExamplePullSpec() {
	spec, err := buildplan.PullSpec("quay.io/fleet/os:latest", "sha256:"+strings.Repeat("a", 64))
	fmt.Println(spec, err)
	_, err = buildplan.PullSpec("localhost:5000/os:latest", "sha256:"+strings.Repeat("a", 64))
	fmt.Println(err)
	// Output:
	// quay.io/fleet/os@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa <nil>
	// pushSpec: is localhost:5000/os:latest, which has a host without a dot
}

func ExampleReadJob() {
	build, err := buildplan.Plan(exampleFacts())
	if err != nil {
		panic(err)
	}
	object := build.MachineOSBuild()
	object.UID = "2c9b" // as the API server gives it
	job := &batchv1.Job{ObjectMeta: build.JobMeta(build.Images[1])}
	job.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(object, mcfgv1.GroupVersion.WithKind("MachineOSBuild"))}
	retries := int32(3)
	job.Spec.BackoffLimit = &retries
	job.Status.Failed = 3
	read := buildplan.ReadJob(job, "")
	fmt.Println(read.Owner, read.Architecture, read.Phase)
	job.Status.Failed = 4
	fmt.Println(buildplan.ReadJob(job, "").Phase)
	// Output:
	// 2c9b arm64 Running
	// Failed
}

// exampleImage is an image without layers.
func exampleImage(architecture string) manifestlist.Child {
	config, err := json.Marshal(ocispec.Image{Platform: ocispec.Platform{OS: "linux", Architecture: architecture}})
	if err != nil {
		panic(err)
	}
	manifest, err := json.Marshal(ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2},
		MediaType: ocispec.MediaTypeImageManifest,
		Config:    ocispec.Descriptor{MediaType: ocispec.MediaTypeImageConfig, Digest: digest.FromBytes(config), Size: int64(len(config))},
	})
	if err != nil {
		panic(err)
	}
	return manifestlist.Child{Manifest: manifest, Config: config}
}
