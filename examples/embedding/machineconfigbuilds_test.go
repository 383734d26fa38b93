package embedding_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// machineOSBuild is the kind of what controls the jobs.
var machineOSBuild = mcfgv1.GroupVersion.WithKind("MachineOSBuild")

// buildReconciler stands for the reconciler of on-cluster builds in
// machine-config-operator.
type buildReconciler struct {
	config   *mcfgv1.MachineOSConfig
	rendered *mcfgv1.MachineConfig
	payload  payloadarch.Verdict
	base     map[string]buildplan.BaseImages // of the release, by architecture
	pools    []mcfgv1.MachineConfigPool
	nodes    []corev1.Node

	build    *mcfgv1.MachineOSBuild // nil if there is none
	jobs     []*batchv1.Job
	digests  map[string]string // what each job reported
	registry map[string]bool   // the images it has
}

// reconcile takes the place of NewMachineOSBuild and of what follows from it: what
// the objects call for, and what is to be done about it now.
func (r *buildReconciler) reconcile(now metav1.Time) (buildplan.Build, error) {
	facts := buildplan.Facts{
		Config:        r.config,
		Rendered:      r.rendered,
		Architectures: r.architectures(r.config.Spec.MachineConfigPool.Name),
		Payload:       r.payload.Kind,
		Base:          r.base,
	}
	if r.build != nil {
		facts.Builds = append(facts.Builds, r.build)
	}
	for _, job := range r.jobs {
		facts.Jobs = append(facts.Jobs, buildplan.ReadJob(job, r.digests[job.Name]))
	}
	build, err := buildplan.Plan(facts)
	if err != nil {
		return build, err
	}
	for _, pullSpec := range build.Verify {
		switch r.status(pullSpec) { // of a HEAD request with the credentials that jobs push with
		case http.StatusOK:
		case http.StatusNotFound:
			facts.Gone = append(facts.Gone, pullSpec)
		default: // refused, in trouble, or no answer
			facts.Unreadable = append(facts.Unreadable, pullSpec)
		}
	}
	if len(facts.Gone)+len(facts.Unreadable) > 0 {
		if build, err = buildplan.Plan(facts); err != nil {
			return build, err
		}
	}
	switch build.Next {
	case buildplan.NextCreate:
		r.build = r.create(build.MachineOSBuild()) // and its owner reference
	case buildplan.NextContinue:
	default:
		return build, nil // build.Problems says what stands in the way of NextBlocked
	}
	outcome, err := buildplan.Observe(build, r.build, now)
	if err != nil {
		return build, err
	}
	r.write(outcome) // the annotations first, then the status
	for _, image := range append(build.Images, build.Publish) {
		if image.State == buildplan.StateRun {
			meta := build.JobMeta(image)
			meta.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(r.build, machineOSBuild)}
			r.run(meta, image) // on image.NodeSelector(), with image.BuildArgs()
		}
	}
	return build, nil
}

// architectures are those of a pool's nodes.
func (r *buildReconciler) architectures(pool string) payloadarch.Set {
	var selectors []nodearch.PoolSelector
	for _, p := range r.pools {
		selectors = append(selectors, nodearch.PoolSelector{Name: p.Name, NodeSelector: p.Spec.NodeSelector})
	}
	for _, p := range nodearch.FromPools(selectors, r.nodes).Items {
		if p.Name == pool {
			return p.Architectures
		}
	}
	return payloadarch.Set{}
}

// A pool of amd64 and arm64 nodes gets a MachineOSConfig.
func Example_machineConfigOperatorBuilds() {
	r := heterogeneousPool()
	for look := 1; look <= 5; look++ {
		build, err := r.reconcile(metav1.NewTime(time.Unix(int64(look), 0)))
		if err != nil {
			fmt.Println(err)
		}
		fmt.Println(look, build.Next, build.Reason)
		r.finishJobs()
	}
	// Output:
	// MachineOSBuild is Prepared
	// job for "amd64" on nodes with map[kubernetes.io/arch:amd64 kubernetes.io/os:linux]
	// job for "arm64" on nodes with map[kubernetes.io/arch:arm64 kubernetes.io/os:linux]
	// 1 Create NewInputs
	// MachineOSBuild is Building
	// 2 Continue UnderWay
	// MachineOSBuild is Building
	// job for "" on nodes with map[kubernetes.io/os:linux]
	// 3 Continue UnderWay
	// MachineOSBuild is Succeeded
	// 4 Continue UnderWay
	// 5 Done Succeeded
}

// write, create and run stand for the client, status for that of the registry,
// finishJobs for the nodes.
func (r *buildReconciler) write(outcome buildplan.Outcome) {
	for key, value := range outcome.Annotations {
		metav1.SetMetaDataAnnotation(&r.build.ObjectMeta, key, value)
	}
	r.build.Status = outcome.Status
	fmt.Println("MachineOSBuild is", outcome.Progress)
}

func (r *buildReconciler) create(object *mcfgv1.MachineOSBuild) *mcfgv1.MachineOSBuild {
	object.UID = types.UID("uid of " + object.Name)
	return object
}

func (r *buildReconciler) status(pullSpec string) int {
	if r.registry[pullSpec] {
		return http.StatusOK
	}
	return http.StatusNotFound
}

func (r *buildReconciler) run(meta metav1.ObjectMeta, image buildplan.Image) {
	if !slices.ContainsFunc(r.jobs, func(j *batchv1.Job) bool { return j.Name == meta.Name }) {
		r.jobs = append(r.jobs, &batchv1.Job{ObjectMeta: meta})
		fmt.Printf("job for %q on nodes with %v\n", image.Architecture, image.NodeSelector())
	}
}

func (r *buildReconciler) finishJobs() {
	for i, job := range r.jobs {
		job.Status.Succeeded = 1
		r.digests[job.Name] = "sha256:" + strings.Repeat(fmt.Sprint(i+1), 64)
		r.registry["quay.example.com/fleet/os@"+r.digests[job.Name]] = true
	}
}

func heterogeneousPool() *buildReconciler {
	r := &buildReconciler{
		config:   &mcfgv1.MachineOSConfig{ObjectMeta: metav1.ObjectMeta{Name: "worker"}},
		rendered: &mcfgv1.MachineConfig{ObjectMeta: metav1.ObjectMeta{Name: "rendered-worker-1"}},
		payload:  payloadarch.FromClusterVersion(multi(), nil),
		base:     map[string]buildplan.BaseImages{},
		digests:  map[string]string{}, registry: map[string]bool{},
	}
	r.config.Spec.MachineConfigPool.Name = "worker"
	r.config.Spec.RenderedImagePushSpec = "quay.example.com/fleet/os:latest"
	r.config.Spec.Containerfile = []mcfgv1.MachineOSContainerfile{{Content: "FROM configs AS final\nRUN dnf install -y tree"}}
	worker := mcfgv1.MachineConfigPool{ObjectMeta: metav1.ObjectMeta{Name: "worker"}}
	worker.Spec.NodeSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"node-role.kubernetes.io/worker": ""}}
	r.pools = append(r.pools, worker)
	for _, architecture := range []string{"amd64", "arm64"} {
		r.base[architecture] = buildplan.BaseImages{OS: pullSpec("release", "os-"+architecture)}
		r.nodes = append(r.nodes, corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "worker-" + architecture, Labels: map[string]string{
			corev1.LabelArchStable: architecture, corev1.LabelOSStable: "linux", "node-role.kubernetes.io/worker": "",
		}}})
	}
	return r
}

func multi() *configv1.ClusterVersion {
	cv := installedAs("5.0.1")
	cv.Status.Desired.Architecture = configv1.ClusterVersionArchitectureMulti
	return cv
}
