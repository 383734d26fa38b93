package command_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/polyarch/polyarch/examples/audit/internal/gather"
	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

// kept is a stream that somebody keeps by kubectl apply.
const kept = `apiVersion: image.openshift.io/v1
kind: ImageStream
metadata:
  name: kept
  namespace: demo
  labels: {team: a}
  annotations: {example.com/note: b}
spec:
  lookupPolicy: {local: true}
  tags:
  - {name: "1.10", from: {kind: DockerImage, name: quay.io/demo/kept:1}, importPolicy: {importMode: Legacy}, annotations: {c: d}}
  - {name: "on", from: {kind: DockerImage, name: quay.io/demo/kept:2}, importPolicy: {importMode: Legacy, scheduled: true}}
  - {name: whole, from: {kind: DockerImage, name: quay.io/demo/kept:3}, importPolicy: {importMode: PreserveOriginal}}
`

// TestPatches lets kubectl apply what --patches wrote: all of it is taken, what the
// entries said is mended, nothing else is touched, and the reverts undo it.
func TestPatches(t *testing.T) {
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("##### SKIPPED: no kubectl on the PATH, so the files of --patches were not applied #####")
	}
	server := testserver.Start(t)
	home := t.TempDir()
	try := func(stdin string, args ...string) (string, error) {
		c := exec.CommandContext(t.Context(), "kubectl", args...)
		c.Env = append(os.Environ(), "KUBECONFIG="+server.Kubeconfig(), "HOME="+home)
		c.Stdin = strings.NewReader(stdin)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	kubectl := func(stdin string, args ...string) string {
		t.Helper()
		out, err := try(stdin, args...)
		if err != nil {
			t.Fatalf("kubectl %q: %v\n%s", args, err, out)
		}
		return out
	}
	kinds := []string{"Node", "ClusterVersion", "FeatureGate", "ImageStream"}
	populate(t, server.Config(), slices.DeleteFunc(fixture(t, "heterogeneous"), func(o *unstructured.Unstructured) bool {
		return !slices.Contains(kinds, o.GetKind())
	}))
	kubectl(kept, "apply", "-f", "-")
	// What others added later must not be lost.
	kubectl("", "-n", "demo", "patch", "is/kept", "--type=json", "-p", `[{"op":"add","path":"/spec/tags/0","value":{"name":"later","from":{"kind":"DockerImage","name":"quay.io/demo/later"},"importPolicy":{"importMode":"PreserveOriginal"}}}]`)
	kubectl("", "-n", "demo", "label", "is/kept", "is/app", "later=too")

	dir := filepath.Join(t.TempDir(), "patches")
	status, _, stderr := run(t, "--kubeconfig", server.Kubeconfig(), "--fail-on=never", "--patches", dir)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 2 || strings.Contains(stderr, "no file") {
		t.Fatalf("status %d, %v, files %q: %s", status, err, files, stderr)
	}
	before := map[string]map[string]any{}
	for _, name := range []string{"app", "kept"} {
		before[name] = stream(t, kubectl, name)
	}
	if out := kubectl("", "apply", "--dry-run=server", "-f", dir); strings.Count(out, "configured (server dry run)") != len(files) {
		t.Errorf("%d files, and kubectl says\n%s", len(files), out)
	}
	kubectl("", "apply", "--dry-run=server", "--server-side", "--force-conflicts", "-f", dir)
	for _, name := range []string{"app", "kept"} {
		if d := cmp.Diff(before[name], stream(t, kubectl, name)); d != "" {
			t.Errorf("%s after the dry run:\n%s", name, d)
		}
	}

	kubectl("", "apply", "-f", dir)
	r := audited(t, server.Kubeconfig())
	if strings.Contains(r, "imagestreams.StaysLegacy") {
		t.Errorf("tags stay Legacy:\n%s", r)
	}
	for _, name := range []string{"app", "kept"} {
		want := mended(before[name])
		if d := cmp.Diff(want, stream(t, kubectl, name)); d != "" {
			t.Errorf("%s (-want +applied):\n%s", name, d)
		}
	}
	// The same file is refused now that the object is another one.
	kubectl("", "-n", "demo", "label", "is/app", "changed=again")
	if out, err := try("", "apply", "-f", filepath.Join(dir, "imagestreams.demo.app.yaml")); err == nil || !strings.Contains(out, "the object has been modified") {
		t.Errorf("an object that was changed since: %v %s", err, out)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if revert, ok := strings.CutPrefix(line, "# Revert: "); ok {
				shell := exec.CommandContext(t.Context(), "sh", "-c", revert)
				shell.Env = append(os.Environ(), "KUBECONFIG="+server.Kubeconfig(), "HOME="+home)
				if out, err := shell.CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", revert, err, out)
				}
			}
		}
	}
	if d := cmp.Diff(before["kept"], stream(t, kubectl, "kept")); d != "" {
		t.Errorf("the revert leaves (-before +after):\n%s", d)
	}
}

func audited(t *testing.T, kubeconfig string) string {
	t.Helper()
	_, out, stderr := run(t, "--kubeconfig", kubeconfig, "--fail-on=never")
	if out == "" {
		t.Fatal(stderr)
	}
	return out
}

// stream returns what is there of a stream, but for what the server counts, and what
// kubectl notes.
func stream(t *testing.T, kubectl func(string, ...string) string, name string) map[string]any {
	t.Helper()
	var o unstructured.Unstructured
	if err := yaml.Unmarshal([]byte(kubectl("", "-n", "demo", "get", "is", name, "-o", "yaml")), &o.Object); err != nil {
		t.Fatal(err)
	}
	annotations := o.GetAnnotations()
	delete(annotations, report.LastApplied)
	tags := map[string]any{}
	list, _, _ := unstructured.NestedSlice(o.Object, "spec", "tags")
	for _, tag := range list {
		tag := tag.(map[string]any)
		delete(tag, "generation")
		tags[fmt.Sprint(tag["name"])] = tag
	}
	return map[string]any{"labels": o.GetLabels(), "annotations": fmt.Sprint(annotations), "tags": tags,
		"lookup": o.Object["spec"].(map[string]any)["lookupPolicy"]}
}

// mended is the stream with every tag that is imported PreserveOriginal.
func mended(stream map[string]any) map[string]any {
	all := (&unstructured.Unstructured{Object: map[string]any{"tags": stream["tags"]}}).DeepCopy().Object["tags"].(map[string]any)
	for _, tag := range all {
		tag := tag.(map[string]any)
		if from, _ := tag["from"].(map[string]any); from["kind"] == "DockerImage" {
			tag["importPolicy"].(map[string]any)["importMode"] = "PreserveOriginal"
		}
	}
	return map[string]any{"labels": stream["labels"], "annotations": stream["annotations"], "tags": all, "lookup": stream["lookup"]}
}

// A directory that holds something is wrong use, and nothing is read or written.
func TestPatchesWantAnEmptyDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if status, out, stderr := run(t, "--must-gather", gathered(t, "heterogeneous"), "--patches", dir); status != report.ExitUsage || out != "" || !strings.Contains(stderr, "not empty") {
		t.Errorf("status %d: %s", status, stderr)
	}
	// The fixture was written by hand, without resourceVersions.
	none := filepath.Join(t.TempDir(), "none")
	if _, _, stderr := run(t, "--must-gather", gathered(t, "heterogeneous"), "--patches", none); !strings.Contains(stderr, "no file: imagestreams[demo/app]: its resourceVersion") || !strings.Contains(stderr, "nothing to write") {
		t.Errorf("without a resourceVersion: %s", stderr)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("made a directory for nothing")
	}
}

// A stream whose tags hold a secret has no file, and annotations of others are in none.
func TestPatchesHoldNoSecret(t *testing.T) {
	objects := fixture(t, "heterogeneous")
	for _, o := range slices.Clone(objects) {
		if o.GetKind() != "ImageStream" || o.GetName() != "app" {
			continue
		}
		o.SetResourceVersion("7")
		o.SetAnnotations(map[string]string{"example.com/token": planted[7]})
		secret := o.DeepCopy()
		secret.SetName("secret")
		secret.Object = replaced(secret.Object).(map[string]any)
		objects = append(objects, secret)
	}
	from, dir := t.TempDir(), filepath.Join(t.TempDir(), "patches")
	if err := gather.Write(from, objects...); err != nil {
		t.Fatal(err)
	}
	_, _, stderr := run(t, "--must-gather", from, "--patches", dir)
	if !strings.Contains(stderr, "no file: imagestreams[demo/secret]: it holds what may be a secret") {
		t.Errorf("it says %q", stderr)
	}
	text, err := os.ReadFile(filepath.Join(dir, "imagestreams.demo.app.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	all, _ := os.ReadDir(dir)
	if len(all) != 1 {
		t.Errorf("%d files, want one", len(all))
	}
	for _, token := range planted {
		if strings.Contains(string(text)+stderr, token) {
			t.Errorf("%s is written", token)
		}
	}
}
