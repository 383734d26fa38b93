package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/conformance/judge"
	"github.com/polyarch/polyarch/examples/conformance/report"
)

// await waits until what is asked is so.
func await(t *testing.T, what string, ask func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !ask(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never comes: %s", what)
		}
	}
}

func (l *lab) override(t *testing.T) configv1.ImportModeType {
	t.Helper()
	image := &configv1.Image{}
	if err := l.client.Get(t.Context(), client.ObjectKey{Name: "cluster"}, image); err != nil {
		t.Fatal(err)
	}
	return image.Spec.ImageStreamImportMode
}

// midway is the program as a process, at the time when it has set the override. No
// operator runs, so that it waits for one.
func (l *lab) midway(t *testing.T, flags ...string) (process *exec.Cmd, said *bytes.Buffer, run string) {
	t.Helper()
	output := filepath.Join(t.TempDir(), "output")
	file, err := os.Create(output)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	process = exec.Command(os.Args[0])
	process.Env = append(os.Environ(), commandEnv+"="+strings.Join(append(append(l.patientFlags(), "--disruptive"), flags...), "\n"))
	process.Stdout, process.Stderr = file, file
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { process.Process.Kill() })
	await(t, "the override", func() bool { return l.override(t) != "" })
	content, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	id := regexp.MustCompile(`--cleanup (\S+)`).FindSubmatch(content)
	if id == nil {
		t.Fatalf("no id of the run:\n%s", content)
	}
	return process, bytes.NewBuffer(content), string(id[1])
}

// cleans runs the program with --cleanup and returns what it says.
func (l *lab) cleans(t *testing.T, run string, status int, flags ...string) string {
	t.Helper()
	var errOut bytes.Buffer
	args := append(append(l.patientFlags(), "--cleanup="+run), flags...)
	if got := command(t.Context(), args, &errOut, &errOut); got != status {
		t.Errorf("--cleanup: exit status %d, want %d:\n%s", got, status, &errOut)
	}
	return errOut.String()
}

// foreignStream makes an image stream that no run made.
func (l *lab) foreignStream(t *testing.T, namespace, name string, labels map[string]string) *imagev1.ImageStream {
	t.Helper()
	is := &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels}}
	if err := l.client.Create(t.Context(), is); err != nil {
		t.Fatal(err)
	}
	return is
}

// still wants that an object is there, as it was.
func (l *lab) still(t *testing.T, obj client.Object) {
	t.Helper()
	version := obj.GetResourceVersion()
	if err := l.client.Get(t.Context(), client.ObjectKeyFromObject(obj), obj); err != nil || obj.GetResourceVersion() != version {
		t.Errorf("%s was touched: %v", obj.GetName(), err)
	}
}

func (l *lab) interrupted(t *testing.T) {
	process, _, run := l.midway(t)
	if made := l.made(t, run); len(made) < 3 {
		t.Errorf("made %v, want a namespace, a record and image streams", made)
	}
	if err := process.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	// The error is the exit status.
	_ = process.Wait()
	if got := process.ProcessState.ExitCode(); got != report.ExitInterrupted {
		t.Errorf("exit status %d, want %d", got, report.ExitInterrupted)
	}
	l.asBefore(t, run)
}

func (l *lab) crashed(t *testing.T) {
	process, _, run := l.midway(t)
	if err := process.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = process.Wait()
	if l.override(t) == "" || len(l.made(t, run)) < 3 {
		t.Fatal("the crash left nothing, so nothing is shown")
	}
	namespace := "polyarch-conformance-" + run
	foreign := l.foreignStream(t, namespace, "foreign", nil)
	other := l.foreignStream(t, namespace, "other", map[string]string{judge.LabelRun: "another"})

	// Another run changes nothing beside what is not set back.
	timeouts := patient()
	timeouts.Status = soon // no operator runs
	result := l.judge(t, judge.Options{Run: judge.NewRun(), Disruptive: true, Timeouts: timeouts}, nil)
	for _, item := range result.Items {
		for _, step := range item.Steps {
			if strings.HasSuffix(step.ID, "/override") && (step.State != report.StateCouldNotJudge || !strings.Contains(step.Detail, run)) {
				t.Errorf("beside run %s: %s", run, step.Line())
			}
		}
	}

	said := l.cleans(t, run, report.ExitLeft)
	if !strings.Contains(said, "foreign") || !strings.Contains(said, "other") {
		t.Errorf("it does not say what keeps the namespace: %s", said)
	}
	if l.override(t) != "" {
		t.Error("the override is still there")
	}
	l.still(t, foreign)
	l.still(t, other)
	if made := l.made(t, run); len(made) != 1 {
		t.Errorf("left %v, want the namespace", made)
	}
	for _, is := range []*imagev1.ImageStream{foreign, other} {
		if err := l.client.Delete(t.Context(), is); err != nil {
			t.Fatal(err)
		}
	}
	l.cleans(t, run, report.ExitHolds)
	l.asBefore(t, run)
	l.cleans(t, run, exitUsage)
}

func (l *lab) crashedAndSet(t *testing.T) {
	process, _, run := l.midway(t)
	if err := process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = process.Wait()
	l.setOverride(t, configv1.ImportModeLegacy)
	if said := l.cleans(t, run, report.ExitLeft); !strings.Contains(said, "left alone") {
		t.Errorf("it says %s", said)
	}
	if got := l.override(t); got != configv1.ImportModeLegacy {
		t.Errorf("the override is %q, and was somebody else's", got)
	}
	if made := l.made(t, run); len(made) > 0 {
		t.Errorf("left %v", made)
	}
	l.setOverride(t, "")
}

func (l *lab) setOverride(t *testing.T, mode configv1.ImportModeType) {
	t.Helper()
	image := &configv1.Image{}
	if err := l.client.Get(t.Context(), client.ObjectKey{Name: "cluster"}, image); err != nil {
		t.Fatal(err)
	}
	image.Spec.ImageStreamImportMode = mode
	if err := l.client.Update(t.Context(), image); err != nil {
		t.Fatal(err)
	}
}

// crashedInMove has the record and the update of a run that ended on its way to
// the multi payload.
func (l *lab) crashedInMove(t *testing.T) {
	l.runVersion(t, operators{})
	run := judge.NewRun()
	own := metav1.ObjectMeta{Name: "polyarch-conformance-" + run, Labels: map[string]string{judge.LabelRun: run, judge.LabelRecord: "true"}}
	toMulti := &configv1.Update{Architecture: configv1.ClusterVersionArchitectureMulti, Version: version}
	record, err := json.Marshal(map[string]any{"desiredUpdate": map[string]any{
		"multi": toMulti, "single": configv1.Update{Version: version, Image: singleImage},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.client.Create(t.Context(), &corev1.Namespace{ObjectMeta: own}); err != nil {
		t.Fatal(err)
	}
	own.Namespace = own.Name
	if err := l.client.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: own, Data: map[string]string{"changes": string(record)}}); err != nil {
		t.Fatal(err)
	}
	cv := &configv1.ClusterVersion{}
	await(t, "the update", func() bool {
		err := l.client.Get(t.Context(), client.ObjectKey{Name: "version"}, cv)
		if err == nil {
			cv.Spec.DesiredUpdate = toMulti
			err = l.client.Update(t.Context(), cv)
		}
		if err != nil && !apierrors.IsConflict(err) {
			t.Fatal(err)
		}
		return err == nil
	})
	await(t, "the multi payload", func() bool {
		if err := l.client.Get(t.Context(), client.ObjectKey{Name: "version"}, cv); err != nil {
			t.Fatal(err)
		}
		return cv.Status.Desired.Image == multiImage
	})
	l.cleans(t, run, report.ExitHolds)
	l.asBefore(t, run)
}

// givenNamespace is one that others have made, and keep.
func (l *lab) givenNamespace(t *testing.T) {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "given"}}
	if err := l.client.Create(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	foreign := l.foreignStream(t, "given", "foreign", nil)
	o := judge.Options{Run: judge.NewRun(), Namespace: "given", Timeouts: patient()}
	result := l.judge(t, o, nil)
	if result.Count(report.StateFail) > 0 || len(result.Left) > 0 {
		t.Error(result.Text())
	}
	l.still(t, foreign)
	l.still(t, namespace)
	l.asBefore(t, o.Run)

	// One that is not there is not made, and what needs none is judged all the same.
	o.Run, o.Namespace = judge.NewRun(), "absent"
	result = l.judge(t, o, nil)
	for _, item := range result.Items {
		want := map[string]report.State{"apiserver": report.StateCouldNotJudge, "observed-config": report.StatePass}[item.ID]
		if want != "" && item.State() != want {
			t.Errorf("without a namespace: item %s: %s, want %s", item.ID, item.State(), want)
		}
	}
	err := l.client.Get(context.WithoutCancel(t.Context()), client.ObjectKey{Name: "absent"}, namespace)
	if !apierrors.IsNotFound(err) {
		t.Errorf("the namespace was made: %v", err)
	}
}
