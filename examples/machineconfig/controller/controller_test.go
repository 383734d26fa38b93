package controller_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/machineconfig/builder"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

func extract(list client.ObjectList) ([]client.Object, error) {
	var all []client.Object
	err := meta.EachListItem(list, func(o runtime.Object) error {
		all = append(all, o.(client.Object))
		return nil
	})
	return all, err
}

// A row is what the pool's nodes would get, and what was built for it since the
// last look.
type row struct {
	Contents map[string]string
	Index    bool
	Built    []string
}

// since returns the state of the pool and forgets what was built before.
func (s *site) since(t *testing.T, seen *int) row {
	t.Helper()
	c := s.osConfig(t)
	r := row{Built: []string{}}
	if spec := string(c.Status.CurrentImagePullSpec); spec != "" {
		var err error
		r.Contents, err = builder.Contents(t.Context(), spec, "amd64", "arm64", "ppc64le", "s390x")
		must(t, err)
		ref, err := name.NewDigest(spec)
		must(t, err)
		d, err := remote.Head(ref)
		must(t, err)
		r.Index = d.MediaType.IsIndex()
	}
	built := s.builder.Built()
	for _, job := range built[*seen:] {
		r.Built = append(r.Built, job[strings.LastIndexByte(job, '-')+1:])
	}
	*seen = len(built)
	slices.Sort(r.Built)
	return r
}

// story takes a pool through everything that the issue of heterogeneous builds
// asks about, and returns what there was after each step.
func story(t *testing.T, s *site) (rows []string) {
	seen := 0
	step := func(what string, want row) {
		t.Helper()
		s.settle(t)
		got := s.since(t, &seen)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		rows = append(rows, fmt.Sprint(what, ": ", s.osConfig(t).Status.CurrentImagePullSpec))
	}
	content := func(a, text string) string { return "ARG TARGETARCH=" + a + "\n" + text }
	both := map[string]string{"amd64": content("amd64", "FROM configs"), "arm64": content("arm64", "FROM configs")}

	s.node(t, "amd64")
	s.node(t, "arm64")
	s.config(t, file(mcfgv1.NoArch, "FROM configs\n"))
	step("a heterogeneous pool", row{both, true, []string{"amd64", "arm64", "publish"}})

	s.edit(t, func(c *mcfgv1.MachineOSConfig) {
		c.Spec.Containerfile = []mcfgv1.MachineOSContainerfile{file(mcfgv1.Arm64, "FROM configs AS arm"), file(mcfgv1.NoArch, "FROM configs")}
	})
	withArm := map[string]string{"amd64": both["amd64"], "arm64": content("arm64", "FROM configs AS arm")}
	step("a containerfile of one architecture", row{withArm, true, []string{"arm64", "publish"}})

	s.edit(t, func(c *mcfgv1.MachineOSConfig) {
		slices.Reverse(c.Spec.Containerfile)
		c.Spec.Containerfile[0].Content += "\n"
		c.Spec.RenderedImagePushSecret.Name = "renamed"
	})
	step("another order, a newline, another secret", row{withArm, true, []string{}})

	s.node(t, "s390x")
	withZ := map[string]string{"amd64": withArm["amd64"], "arm64": withArm["arm64"], "s390x": content("s390x", "FROM configs")}
	step("a third architecture", row{withZ, true, []string{"publish", "s390x"}})

	s.edit(t, func(c *mcfgv1.MachineOSConfig) {
		c.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat(s.host + "/other/os:latest")
	})
	step("another push spec", row{withZ, true, []string{"publish"}})

	s.edit(t, func(c *mcfgv1.MachineOSConfig) { c.Annotations = map[string]string{buildplan.AnnotationRebuild: ""} })
	step("a rebuild", row{withZ, true, []string{"amd64", "arm64", "publish", "s390x"}})
	if _, still := s.osConfig(t).Annotations[buildplan.AnnotationRebuild]; still {
		t.Error("the rebuild is still asked for")
	}

	for _, a := range []string{"arm64", "s390x"} {
		must(t, s.Delete(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-" + a}}))
	}
	step("the pool becomes homogeneous", row{map[string]string{"amd64": withZ["amd64"]}, false, []string{"publish"}})

	s.release(t, "2")
	step("a new release", row{map[string]string{"amd64": withZ["amd64"]}, false, []string{"amd64"}})
	return rows
}

// The whole story, undisturbed; then with an adapter that is killed after every
// single write and begins anew knowing nothing. Nothing is built twice, and the
// images are the same to the byte.
func TestStory(t *testing.T) {
	var digests [2][]string
	host := "" // an image names its base image, so both are on one registry
	for i, writes := range []int{-1, 1} {
		s := newSiteWith(t, host, "")
		host = s.host
		s.writes = writes
		for _, r := range story(t, s) {
			digests[i] = append(digests[i], r[strings.LastIndexByte(r, '@')+1:])
		}
		built := s.builder.Built()
		slices.Sort(built)
		if unique := slices.Compact(slices.Clone(built)); len(unique) != len(built) {
			t.Errorf("jobs were carried out twice: %v", built)
		}
		if killed := s.killed > 50; killed != (writes > 0) {
			t.Errorf("killed %d times", s.killed)
		}
	}
	if diff := cmp.Diff(digests[0], digests[1]); diff != "" {
		t.Errorf("other images (-undisturbed +killed):\n%s", diff)
	}
}

// A job is tried as often as its Job allows; then the build fails, nothing is
// published, and the next build builds only what failed.
func TestFailureAndRetry(t *testing.T) {
	s := newSite(t)
	s.node(t, "amd64")
	s.node(t, "arm64")
	s.config(t, file(mcfgv1.NoArch, "FROM configs"))
	s.fails["arm64"] = errors.New("no such package")
	for len(s.builds(t)) < 2 {
		for s.look(t) {
		}
		s.jobs(t)
	}
	if spec := s.osConfig(t).Status.CurrentImagePullSpec; spec != "" {
		t.Errorf("published %s", spec)
	}
	first := s.builds(t)[0]
	if !is(first, mcfgv1.MachineOSBuildFailed) || first.Annotations[buildplan.AnnotationImage+"amd64"] == "" {
		t.Errorf("first build: %+v", first)
	}
	delete(s.fails, "arm64")
	s.settle(t)
	second := s.builds(t)[1]
	if !is(second, mcfgv1.MachineOSBuildSucceeded) || second.Annotations[buildplan.AnnotationFrom+"amd64"] != first.Name {
		t.Errorf("second build: %+v", second)
	}
	count := map[string]int{}
	for _, job := range s.builder.Built() {
		count[job[strings.LastIndexByte(job, '-')+1:]]++
	}
	if diff := cmp.Diff(map[string]int{"amd64": 1, "arm64": 1, "publish": 1}, count); diff != "" {
		t.Errorf("carried out (-want +got):\n%s", diff)
	}
}

// builds are those that there are, the first attempt first.
func (s *site) builds(t *testing.T) []mcfgv1.MachineOSBuild {
	t.Helper()
	var list mcfgv1.MachineOSBuildList
	must(t, s.List(t.Context(), &list))
	slices.SortFunc(list.Items, func(a, b mcfgv1.MachineOSBuild) int {
		return strings.Compare(a.Annotations[buildplan.AnnotationAttempt], b.Annotations[buildplan.AnnotationAttempt])
	})
	return list.Items
}

func is(b mcfgv1.MachineOSBuild, p mcfgv1.BuildProgress) bool {
	return meta.IsStatusConditionTrue(b.Status.Conditions, string(p))
}

// An image that the registry lost is built again, the others are not.
func TestImageGone(t *testing.T) {
	s := newSite(t)
	s.node(t, "amd64")
	s.node(t, "arm64")
	s.config(t, file(mcfgv1.NoArch, "FROM configs"))
	s.settle(t)
	ref, err := name.NewDigest(s.builds(t)[0].Annotations[buildplan.AnnotationImage+"arm64"])
	must(t, err)
	must(t, remote.Delete(ref))
	before := len(s.builder.Built())
	s.settle(t)
	var again []string
	for _, job := range s.builder.Built()[before:] {
		again = append(again, job[strings.LastIndexByte(job, '-')+1:])
	}
	slices.Sort(again)
	if !slices.Equal(again, []string{"arm64", "publish"}) {
		t.Errorf("carried out %v", again)
	}
	_, err = remote.Image(ref)
	must(t, err) // the same inputs, the same image
}

// What there is before any job: the architectures of the pool, stored twice as
// one fact, and the trouble with a push spec that the status could not hold.
func TestBeforeAnyJob(t *testing.T) {
	s := newSite(t)
	s.node(t, "s390x")
	s.node(t, "amd64")
	s.config(t, file(mcfgv1.NoArch, "FROM configs"))
	s.edit(t, func(c *mcfgv1.MachineOSConfig) {
		c.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat(s.host + "/org/team/os:latest")
	})
	s.settle(t)
	pool, stored := new(mcfgv1.MachineConfigPool), new(corev1.ConfigMap)
	must(t, s.Get(t.Context(), client.ObjectKey{Name: "worker"}, pool))
	must(t, s.Get(t.Context(), client.ObjectKey{Namespace: buildplan.Namespace, Name: buildplan.ConfigMapArchitectures}, stored))
	if a, b := pool.Annotations[buildplan.AnnotationArchitectures], stored.Data["worker"]; a != "amd64,s390x" || b != a {
		t.Errorf("annotation %q, ConfigMap %q", a, b)
	}
	c := meta.FindStatusCondition(s.osConfig(t).Status.Conditions, controller.Blocked)
	if c == nil || c.Status != metav1.ConditionTrue || c.Reason != string(buildplan.ReasonProblems) {
		t.Errorf("condition %+v", c)
	}
	var jobs batchv1.JobList
	must(t, s.List(t.Context(), &jobs))
	if len(jobs.Items)+len(s.builds(t)) > 0 {
		t.Errorf("%d jobs, %d builds", len(jobs.Items), len(s.builds(t)))
	}
}
