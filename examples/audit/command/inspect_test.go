package command_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/audit/command"
	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	hypershift "github.com/polyarch/polyarch/examples/hypershift/crds"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/examples/internal/testimages"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/examples/ssp/crds"
)

// TestPrintInspect runs the command that --print-inspect prints, as it is printed, against
// a running cluster, and holds that what it has written gives the same report as the
// cluster, but for source and time.
//
// One thing files cannot tell: that there are no objects of a kind from that nobody
// fetched them. Where the cluster has none, the report on files says that they are not in
// the source.
func TestPrintInspect(t *testing.T) {
	definitions, hosted := t.TempDir(), t.TempDir()
	for dir, write := range map[string]func(string) error{definitions: crds.Write, hosted: hypershift.Write} {
		if err := write(dir); err != nil {
			t.Fatal(err)
		}
	}
	server := testserver.Start(t, definitions, hosted)
	populate(t, server.Config(), servable(t))
	imported(t, server.Config())

	live := auditCluster(t, server.Config(), command.Options{})
	_, printed, _ := run(t, "--print-inspect")
	files := audit(t, command.Options{}, filepath.Join(shell(t, server.Kubeconfig(), printed), source.InspectDir))

	if !live.Judged || live.Summary.Risk == 0 || live.Summary.Broken == 0 {
		t.Errorf("the report on the cluster says too little to compare: %+v", live.Summary)
	}
	there, none := split(t, live, source.NotServed)
	got, notThere := split(t, files, source.NotInSource)
	if d := cmp.Diff(there, got, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("cluster and files differ (-cluster +files):\n%s", d)
	}
	if d := cmp.Diff(none, notThere, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("what the cluster has none of, and what is not in the files (-cluster +files):\n%s", d)
	}
}

// split takes out of a report its source and time, and the kinds that have no objects,
// and returns these by section. Any other state of a kind than that stays in.
func split(t *testing.T, r *report.Report, state source.State) (rest *report.Report, none map[string][]string) {
	t.Helper()
	c := *r
	c.Source, c.Time, c.Sections, none = source.Info{}, "", nil, map[string][]string{}
	for _, s := range r.Sections {
		absent := none[s.Name]
		s.Looked = slices.DeleteFunc(slices.Clone(s.Looked), func(l report.Count) bool {
			if l.Objects == 0 {
				absent = append(absent, l.Kind)
			}
			return l.Objects == 0
		})
		s.Missing = slices.DeleteFunc(slices.Clone(s.Missing), func(m report.Missing) bool {
			if m.State == state.String() {
				absent = append(absent, m.Kind)
			}
			return m.State == state.String()
		})
		slices.Sort(absent)
		none[s.Name] = absent
		c.Sections = append(c.Sections, s)
	}
	return &c, none
}

// imported imports a list and an image out of a list from a registry, as users do.
func imported(t *testing.T, config *rest.Config) {
	t.Helper()
	r, err := registry.Start(registry.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	testimages.Push(t, r.Host+"/team/app:v1", testimages.Multi(t, "app", "amd64", "arm64"))
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	for tag, mode := range map[string]imagev1.ImportModeType{"whole": imagev1.ImportModePreserveOriginal, "single": imagev1.ImportModeLegacy} {
		of := imagev1.ImageImportSpec{ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode, Insecure: true}}
		of.From.Kind, of.From.Name = "DockerImage", r.Host+"/team/app:v1"
		request := &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Import: true, Images: []imagev1.ImageImportSpec{of}}}
		request.Name, request.Namespace = tag, "demo"
		request.APIVersion, request.Kind = "image.openshift.io/v1", "ImageStreamImport"
		object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(request)
		if err != nil {
			t.Fatal(err)
		}
		made, err := client.Resource(imagev1.GroupVersion.WithResource("imagestreamimports")).Namespace("demo").
			Create(t.Context(), &unstructured.Unstructured{Object: object}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if status, _, _ := unstructured.NestedSlice(made.Object, "status", "images"); len(status) != 1 || status[0].(map[string]any)["image"] == nil {
			t.Fatalf("%s was not imported: %v", tag, made.Object["status"])
		}
	}
}

// shell runs a command line in a directory of its own, which it returns, with this test
// binary in the place of oc.
func shell(t *testing.T, kubeconfig, line string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n%s=%q exec %q \"$@\"\n", ocEnv, kubeconfig, self)
	if err := os.WriteFile(filepath.Join(bin, "oc"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "sh", "-c", line)
	c.Dir, c.Env = dir, append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	t.Logf("$ %s%s", line, out)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
