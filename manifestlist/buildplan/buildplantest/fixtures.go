package buildplantest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Digest returns a digest that depends on nothing but s.
func Digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Repository is the repository of the push spec of [FactsFor].
const Repository = "registry.example.com/fleet/os"

// FactsFor are the facts of a pool worker with nodes of the architectures, of which
// nothing was built yet.
func FactsFor(architectures ...string) Facts {
	f := Facts{
		Config: &mcfgv1.MachineOSConfig{
			ObjectMeta: metav1.ObjectMeta{Name: "worker"},
			Spec: mcfgv1.MachineOSConfigSpec{
				MachineConfigPool:       mcfgv1.MachineConfigPoolReference{Name: "worker"},
				RenderedImagePushSecret: mcfgv1.ImageSecretObjectReference{Name: "push"},
				RenderedImagePushSpec:   Repository + ":latest",
				Containerfile: []mcfgv1.MachineOSContainerfile{
					{ContainerfileArch: mcfgv1.NoArch, Content: "FROM configs AS final\nRUN dnf install -y tree\n"},
				},
			},
		},
		Rendered: &mcfgv1.MachineConfig{
			ObjectMeta: metav1.ObjectMeta{Name: "rendered-worker-1"},
			Spec: mcfgv1.MachineConfigSpec{
				KernelArguments: []string{"console=tty0", "console=ttyS0"},
				Extensions:      []string{"usbguard", "kerberos"},
			},
		},
		Architectures: architectures,
		Base:          map[string]BaseImages{},
	}
	for _, a := range architectures {
		f.Base[a] = BaseImages{
			OS:         "quay.io/release/os@" + Digest("os "+a),
			Extensions: "quay.io/release/extensions@" + Digest("extensions "+a),
		}
	}
	return f
}

// blocked reports whether the implementation refuses the facts.
func blocked(i Impl, f Facts) bool {
	p, err := i.Plan(f)
	return err != nil || p.Blocked
}

// must plans facts that nothing is wrong with. Its panic fails a row.
func must(i Impl, f Facts) Plan {
	p, err := i.Plan(f)
	if err != nil || p.Blocked {
		panic(fmt.Sprintf("the facts were refused: %v", err))
	}
	slices.SortFunc(p.Images, func(a, b Image) int {
		if a.Architecture < b.Architecture {
			return -1
		}
		return 1
	})
	return p
}

// create adds the build that the implementation asks for, as the API server has it.
func create(i Impl, f Facts) (Facts, *mcfgv1.MachineOSBuild) {
	p := must(i, f)
	if p.Create == nil {
		panic("no build is created")
	}
	object := p.Create.DeepCopy()
	object.UID = types.UID(fmt.Sprintf("uid-%d", len(f.Builds)+1))
	object.CreationTimestamp = moment(len(f.Builds))
	f.Builds = append(slices.Clone(f.Builds), object)
	return f, object
}

func moment(seconds int) metav1.Time {
	return metav1.NewTime(time.Date(2026, 8, 1, 12, 0, seconds, 0, time.UTC))
}

// run adds the jobs that the implementation asks for, in a phase.
func run(i Impl, f Facts, object *mcfgv1.MachineOSBuild, phase string) Facts {
	f.Jobs = slices.Clone(f.Jobs)
	p := must(i, f)
	images := slices.Clone(p.Images)
	if p.Publish != nil {
		images = append(images, *p.Publish)
	}
	for _, image := range images {
		if !image.Run {
			continue
		}
		job := Job{Object: &batchv1.Job{ObjectMeta: *image.Job.DeepCopy()}}
		job.Object.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(object, mcfgv1.GroupVersion.WithKind("MachineOSBuild"))}
		switch phase {
		case Succeeded:
			job.Object.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}
			job.Digest = Digest("made by " + image.Job.Name)
		case Failed:
			job.Object.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobFailed, Status: corev1.ConditionTrue}}
		}
		f.Jobs = append(f.Jobs, job)
	}
	return f
}

// end writes into the status of a build how it ended.
func end(object *mcfgv1.MachineOSBuild, as mcfgv1.BuildProgress, pullSpec string) {
	object.Status.Conditions = nil
	for _, p := range progresses() {
		status := metav1.ConditionFalse
		if p == as {
			status = metav1.ConditionTrue
		}
		object.Status.Conditions = append(object.Status.Conditions, metav1.Condition{Type: string(p), Status: status, Reason: "Test", LastTransitionTime: moment(60)})
	}
	object.Status.DigestedImagePushSpec = mcfgv1.ImageDigestFormat(pullSpec)
}

// jobsToRun are the names of the jobs that are to run now.
func jobsToRun(p Plan) []string {
	names := []string{}
	for _, image := range p.Images {
		if image.Run {
			names = append(names, image.Architecture)
		}
	}
	return names
}
