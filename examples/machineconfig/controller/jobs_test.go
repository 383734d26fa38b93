package controller_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/machineconfig/builder"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// all are the jobs that there are, by name.
func (s *site) all(t *testing.T) []batchv1.Job {
	t.Helper()
	var list batchv1.JobList
	must(t, s.List(t.Context(), &list))
	return list.Items
}

// A job has what it needs on a cluster: who it runs as, where it may run, how long,
// and with which credentials; and it belongs to the build.
func TestJobsHaveWhatTheyNeed(t *testing.T) {
	s := newSite(t)
	taints := []corev1.Taint{
		{Key: "fleet", Value: "gpu", Effect: corev1.TaintEffectNoExecute},
		{Key: "node-role.kubernetes.io/worker", Effect: corev1.TaintEffectNoSchedule},
		{Key: "UpdateInProgress", Effect: corev1.TaintEffectPreferNoSchedule},
	}
	s.node(t, "amd64")
	s.node(t, "arm64", taints...)
	unwell := append(slices.Clone(taints), corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
	must(t, s.Create(t.Context(), &corev1.Node{ // of no pool
		ObjectMeta: metav1.ObjectMeta{Name: "stranger", Labels: map[string]string{corev1.LabelArchStable: "arm64", corev1.LabelOSStable: "linux"}},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: "stranger", Effect: corev1.TaintEffectNoSchedule}}},
	}))
	s.config(t, file(mcfgv1.NoArch, "FROM configs"))
	s.edit(t, func(c *mcfgv1.MachineOSConfig) {
		c.Spec.BaseImagePullSecret = &mcfgv1.ImageSecretObjectReference{Name: "pull"}
	})
	must(t, s.Create(t.Context(), secret("pull", "")))
	node := new(corev1.Node)
	must(t, s.Get(t.Context(), client.ObjectKey{Name: "node-arm64"}, node))
	node.Spec.Taints = unwell
	must(t, s.Update(t.Context(), node))
	s.settle(t)
	for _, job := range s.all(t) {
		if job.Labels[buildplan.LabelArchitecture] == "arm64" && job.Status.Active+job.Status.Succeeded > 0 {
			t.Error("a job runs on a node that is cordoned")
		}
	}
	node = new(corev1.Node)
	must(t, s.Get(t.Context(), client.ObjectKey{Name: "node-arm64"}, node))
	node.Spec.Taints = taints
	must(t, s.Update(t.Context(), node))
	s.settle(t)

	build, jobs := s.builds(t)[0], s.all(t)
	if len(jobs) != 3 || s.osConfig(t).Status.CurrentImagePullSpec == "" {
		t.Fatalf("%d jobs, status %+v", len(jobs), s.osConfig(t).Status)
	}
	for _, job := range jobs {
		pod := job.Spec.Template.Spec
		tolerated := []corev1.Toleration{
			{Key: "fleet", Operator: corev1.TolerationOpEqual, Value: "gpu", Effect: corev1.TaintEffectNoExecute},
			{Key: "node-role.kubernetes.io/worker", Operator: corev1.TolerationOpEqual, Effect: corev1.TaintEffectNoSchedule},
		}
		if diff := cmp.Diff(tolerated, pod.Tolerations); diff != "" {
			t.Errorf("%s: tolerations (-want +got):\n%s", job.Name, diff)
		}
		if owner := metav1.GetControllerOf(&job); owner == nil || owner.UID != build.UID || owner.Kind != "MachineOSBuild" {
			t.Errorf("%s: owner %+v", job.Name, owner)
		}
		if pod.ServiceAccountName != "machine-os-builder" {
			t.Errorf("%s: service account %q", job.Name, pod.ServiceAccountName)
		}
		if d := job.Spec.ActiveDeadlineSeconds; d == nil || *d != int64(controller.DefaultDeadline/time.Second) {
			t.Errorf("%s: deadline %v", job.Name, d)
		}
		mounted := map[string]string{}
		for _, v := range pod.Volumes {
			if v.Secret == nil || *v.Secret.Optional {
				continue
			}
			for _, m := range pod.Containers[0].VolumeMounts {
				if m.Name != v.Name {
					continue
				}
				for _, e := range pod.Containers[0].Env {
					if e.Value == m.MountPath+"/config.json" {
						mounted[e.Name] = v.Secret.SecretName
					}
				}
			}
		}
		if diff := cmp.Diff(map[string]string{controller.EnvPullCreds: "pull", controller.EnvPushCreds: "push"}, mounted); diff != "" {
			t.Errorf("%s: credentials (-want +got):\n%s", job.Name, diff)
		}
	}
}

// The job of a build that another takes the place of is there until its pods are
// gone: deleted any other way, they would push on.
func TestObsoleteJobsAreDeletedInTheForeground(t *testing.T) {
	s := newSite(t)
	s.node(t, "amd64")
	s.node(t, "arm64")
	s.config(t, file(mcfgv1.NoArch, "FROM configs"))
	s.look(t)
	s.look(t)
	if n := len(s.all(t)); n != 2 {
		t.Fatalf("%d jobs", n)
	}
	s.edit(t, func(c *mcfgv1.MachineOSConfig) { c.Spec.Containerfile[0].Content = "FROM configs AS final" })
	s.look(t)
	s.look(t)
	old := 0
	for _, job := range s.all(t) {
		if job.DeletionTimestamp == nil {
			continue
		}
		old++
		if !slices.Contains(job.Finalizers, metav1.FinalizerDeleteDependents) {
			t.Errorf("%s: finalizers %v", job.Name, job.Finalizers)
		}
	}
	if old != 2 {
		t.Errorf("%d jobs are being deleted", old)
	}
	s.settle(t)
	for _, job := range s.all(t) {
		if job.DeletionTimestamp != nil {
			t.Errorf("%s is still there", job.Name)
		}
	}
	for _, job := range s.builder.Built() {
		if !strings.HasPrefix(job, s.osConfig(t).Status.MachineOSBuild.Name) {
			t.Errorf("%s was carried out", job)
		}
	}
}

// A job whose pod cannot start does not wait for ever.
func TestDeadline(t *testing.T) {
	s := newSite(t)
	s.deadline = time.Second
	s.node(t, "amd64")
	s.config(t, file(mcfgv1.NoArch, "FROM configs"))
	s.edit(t, func(c *mcfgv1.MachineOSConfig) { c.Spec.RenderedImagePushSecret.Name = "nobody" })
	s.settle(t)
	if job := s.all(t)[0]; job.Status.Active+job.Status.Succeeded+job.Status.Failed != 0 {
		t.Fatalf("a pod has started without its secret: %+v", job.Status)
	}
	for range 2 {
		time.Sleep(1100 * time.Millisecond)
		s.settle(t)
	}
	if c := meta.FindStatusCondition(s.osConfig(t).Status.Conditions, controller.Failed); c == nil || c.Status != metav1.ConditionTrue {
		t.Errorf("condition %+v", c)
	}
	for _, job := range s.all(t) {
		if len(job.Status.Conditions) != 1 || job.Status.Conditions[0].Reason != batchv1.JobReasonDeadlineExceeded {
			t.Errorf("%s: %+v", job.Name, job.Status)
		}
	}
}

// Giving up is said in a condition, with the build and its message, until somebody
// asks for a rebuild.
func TestGiveUpReachesACondition(t *testing.T) {
	s := newSite(t)
	s.node(t, "amd64")
	s.node(t, "arm64")
	s.config(t, file(mcfgv1.NoArch, "FROM configs"))
	s.fails["arm64"] = errors.New("no such package")
	s.settle(t)
	last := s.builds(t)[1]
	c := meta.FindStatusCondition(s.osConfig(t).Status.Conditions, controller.Failed)
	if c == nil || c.Status != metav1.ConditionTrue || c.Reason != string(buildplan.ReasonAttemptsUsed) ||
		!strings.Contains(c.Message, last.Name) || !strings.Contains(c.Message, "arm64 failed") {
		t.Fatalf("condition %+v", c)
	}
	delete(s.fails, "arm64")
	s.edit(t, func(c *mcfgv1.MachineOSConfig) { c.Annotations = map[string]string{buildplan.AnnotationRebuild: ""} })
	s.settle(t)
	if c = meta.FindStatusCondition(s.osConfig(t).Status.Conditions, controller.Failed); c == nil || c.Status != metav1.ConditionFalse || c.Message != "" {
		t.Errorf("condition after a rebuild: %+v", c)
	}
}

// The try of a job that is deleted ends with it, and only then is the job gone.
func TestDeletedWhileItRuns(t *testing.T) {
	s := newSite(t)
	s.node(t, "amd64")
	s.config(t, file(mcfgv1.NoArch, "FROM configs"))
	s.look(t)
	s.look(t)
	began, ended := make(chan string, 10), make(chan string, 10)
	mgr, err := operator.NewManager(s.cluster, s.Scheme())
	must(t, err)
	node := &builder.Builder{Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Before: func(ctx context.Context, job *batchv1.Job) error {
		began <- job.Name
		<-ctx.Done()
		var still batchv1.Job
		if err := s.Get(context.WithoutCancel(ctx), client.ObjectKeyFromObject(job), &still); err != nil {
			t.Errorf("the job is gone before its try: %v", err)
		}
		ended <- job.Name
		return ctx.Err()
	}}
	must(t, node.SetupWithManager(mgr))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- mgr.Start(ctx) }()
	defer func() {
		cancel()
		must(t, <-done)
	}()
	first := <-began
	s.edit(t, func(c *mcfgv1.MachineOSConfig) { c.Spec.Containerfile[0].Content = "FROM configs AS final" })
	s.look(t)
	select {
	case got := <-ended:
		if got != first {
			t.Errorf("%s ended, not %s", got, first)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the try goes on")
	}
	for range 300 {
		if !slices.ContainsFunc(s.all(t), func(j batchv1.Job) bool { return j.Name == first }) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("the job is never gone")
}
