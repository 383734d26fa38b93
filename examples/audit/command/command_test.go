package command_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/polyarch/polyarch/examples/audit/command"
	"github.com/polyarch/polyarch/examples/audit/internal/gather"
	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/section"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/examples/internal/texts"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMain lets the test binary be the oc of the command that --print-inspect prints.
func TestMain(m *testing.M) {
	if kubeconfig, ok := os.LookupEnv(ocEnv); ok {
		if err := beOC(kubeconfig, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	testserver.Main(m)
}

// now is the time of every report of the tests.
var now = time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)

// fixture returns the objects of a cluster of testdata.
func fixture(t *testing.T, name string) []*unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	objects, err := gather.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// gathered writes a cluster of testdata as oc adm inspect does.
func gathered(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := gather.Write(dir, fixture(t, name)...); err != nil {
		t.Fatal(err)
	}
	return dir
}

// audit returns the report on files.
func audit(t *testing.T, options command.Options, paths ...string) *report.Report {
	t.Helper()
	if options.Streams == (section.StreamOptions{}) {
		options.Streams = section.DefaultStreamOptions
	}
	options.From, options.Now = source.NewFiles(source.DefaultLimits, paths...), now
	r, err := command.Audit(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got; -update writes it anew):\n%s", file, d)
	}
}

// TestGolden holds the text of a report, and the JSON of each of its sections.
func TestGolden(t *testing.T) {
	r := audit(t, command.Options{}, gathered(t, "heterogeneous"))
	r.Source.Names = []string{"must-gather"}
	var text bytes.Buffer
	if err := r.WriteText(&text, false); err != nil {
		t.Fatal(err)
	}
	golden(t, "heterogeneous.txt", text.String())
	for _, s := range r.Sections {
		text, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "section-"+s.Name+".json", string(text)+"\n")
	}
	narrow(t, text.String())
	w := supposed(t, 4, "payload=single", "node-arch=+s390x", "dict-arch=fedora-image-cron=amd64")
	whatIf, err := json.MarshalIndent(w, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "what-if.json", string(whatIf)+"\n")
}

// TestNotAsTheirKind holds that objects that are not as their kind is are named, and that
// the rest is judged.
func TestNotAsTheirKind(t *testing.T) {
	dir := gathered(t, "heterogeneous")
	bad, err := gather.Parse("apiVersion: v1\nkind: Node\nmetadata: {name: bad}\nspec: [1, 2]\n---\n" +
		"apiVersion: image.openshift.io/v1\nkind: ImageStream\nmetadata: {name: bad, namespace: demo}\nspec: {tags: a text}\n---\n" +
		"apiVersion: config.openshift.io/v9\nkind: FeatureGate\nmetadata: {name: cluster}\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := gather.Write(filepath.Join(dir, "more"), bad...); err != nil {
		t.Fatal(err)
	}
	r := audit(t, command.Options{}, dir)
	var named []string
	for _, n := range r.Source.Unreadable.Named {
		named = append(named, n.Why)
	}
	if text := strings.Join(named, "\n"); len(named) != 2 || !strings.Contains(text, "nodes[bad]") || !strings.Contains(text, "imagestreams[demo/bad]") {
		t.Errorf("unreadable: %q", named)
	}
	if r.Source.Unknown["FeatureGate"] != 1 {
		t.Errorf("a version that nobody knows: %v", r.Source.Unknown)
	}
	plain := audit(t, command.Options{}, gathered(t, "heterogeneous"))
	if d := cmp.Diff(comparable(plain), comparable(r)); d != "" {
		t.Errorf("the rest is judged in another way (-without +with):\n%s", d)
	}
}

// narrow holds that no line is wider than promised.
func narrow(t *testing.T, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if n := utf8.RuneCountInString(line); n > report.Width {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// run runs the command.
func run(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = command.Run(t.Context(), args, &out, &err)
	return status, out.String(), err.String()
}

// TestExitStatus holds what is frozen.
func TestExitStatus(t *testing.T) {
	dir, empty := gathered(t, "heterogeneous"), t.TempDir()
	suppress := filepath.Join(empty, "suppress")
	if err := os.WriteFile(suppress, []byte("# what we live with\nchain.Lags openshiftapiservers* it is paused\n"+
		"bootsources.Problem * known\nbootsources.Blocked ssps[openshift-cnv/*] known\nosstreams.PoolProblem machineconfigpools[layered] known\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	malformed := filepath.Join(empty, "malformed")
	if err := os.WriteFile(malformed, []byte("chain.Lags\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		status int
		args   []string
	}{
		"something broken":                    {1, []string{"--must-gather", dir}},
		"never fails":                         {0, []string{"--must-gather", dir, "--fail-on=never"}},
		"what is broken is suppressed":        {0, []string{"--must-gather", dir, "--suppress", suppress}},
		"a risk is left":                      {1, []string{"--must-gather", dir, "--suppress", suppress, "--fail-on=risk"}},
		"there is nothing to judge":           {2, []string{"--must-gather", empty, "--fail-on=never"}},
		"the source is not there":             {2, []string{"--must-gather", filepath.Join(dir, "missing")}},
		"a kubeconfig that is not there":      {2, []string{"--kubeconfig", filepath.Join(dir, "missing")}},
		"an unknown flag":                     {64, []string{"--nonsense"}},
		"an argument":                         {64, []string{dir}},
		"an unknown level":                    {64, []string{"--must-gather", dir, "--fail-on=all"}},
		"an unknown format":                   {64, []string{"--must-gather", dir, "-o", "xml"}},
		"files and a cluster":                 {64, []string{"--must-gather", dir, "--kubeconfig", dir}},
		"a suppression without a reason":      {64, []string{"--must-gather", dir, "--suppress", malformed}},
		"suppressions that cannot be read":    {64, []string{"--must-gather", dir, "--suppress", "missing"}},
		"help":                                {0, []string{"--help"}},
		"the command that fetches everything": {0, []string{"--print-inspect"}},
	} {
		status, stdout, stderr := run(t, tc.args...)
		if status != tc.status {
			t.Errorf("%s: status %d, want %d\n%s%s", name, status, tc.status, stdout, stderr)
		}
		if (status == 64) != strings.Contains(stderr, "--help") {
			t.Errorf("%s: status %d, standard error %q", name, status, stderr)
		}
	}
}

// TestSuppressions holds that one that matches is counted, and one that matches nothing
// is reported as stale.
func TestSuppressions(t *testing.T) {
	list := []report.Suppression{
		{Code: "chain.Lags", Object: "*", Reason: "paused", Line: 1},
		{Code: "chain.Lags", Object: "openshiftapiservers[other]", Reason: "gone", Line: 2},
		{Code: "no.Such", Object: "*", Reason: "mistyped", Line: 3},
	}
	r := audit(t, command.Options{Suppressions: list}, gathered(t, "heterogeneous"))
	if d := cmp.Diff(list[1:], r.Stale); d != "" {
		t.Errorf("stale (-want +got):\n%s", d)
	}
	if len(r.Suppressed) != 1 || r.Suppressed[0].By != list[0] || r.Summary.Suppressed != 1 || r.Summary.Broken != 3 {
		t.Errorf("suppressed %+v, summary %+v", r.Suppressed, r.Summary)
	}
}

// TestNotInSource holds that what is not there is never fine: it is said with the
// command that fetches it.
func TestNotInSource(t *testing.T) {
	dir := t.TempDir()
	var some []*unstructured.Unstructured
	for _, o := range fixture(t, "heterogeneous") {
		if o.GetKind() == "ClusterVersion" || o.GetKind() == "ClusterOperator" {
			some = append(some, o)
		}
	}
	if err := gather.Write(dir, some...); err != nil {
		t.Fatal(err)
	}
	r := audit(t, command.Options{}, dir)
	if r.Judged || !r.Source.TimedOut || r.ExitStatus(report.Never) != report.ExitUnjudged {
		t.Errorf("judged %v, timed out %v", r.Judged, r.Source.TimedOut)
	}
	commands := map[string]string{}
	for _, s := range r.Sections {
		for _, m := range s.Missing {
			commands[m.Kind] = m.Command
		}
	}
	for _, kind := range []string{"nodes", "images.config.openshift.io", "featuregates.config.openshift.io", "machineconfigpools.machineconfiguration.openshift.io"} {
		if want := "oc adm inspect --dest-dir=audit.inspect " + kind; commands[kind] != want {
			t.Errorf("%s: %q, want %q", kind, commands[kind], want)
		}
	}
	_, text, _ := run(t, "--must-gather", dir)
	if !strings.Contains(text, "This gather holds ClusterVersion and ClusterOperators only") || !strings.Contains(text, "NOT JUDGED") {
		t.Errorf("the text does not say so on top:\n%s", text)
	}
	narrow(t, text)
}

// TestReadme holds that what README.md shows is what the command writes.
func TestReadme(t *testing.T) {
	readme := texts.Read(t, "../../../README.md")
	text, err := os.ReadFile("testdata/heterogeneous.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(readme, "    $ go run -C examples ./audit --must-gather")
	if !ok {
		t.Fatal("README.md does not show the command")
	}
	_, rest, _ = strings.Cut(rest, "\n")
	left, shown := string(text), 0
	for line := range strings.Lines(rest) {
		line, ok = strings.CutPrefix(line, "    ")
		if !ok {
			break
		}
		if line == "…\n" {
			continue
		}
		_, left, ok = strings.Cut(left, "\n"+line)
		if !ok {
			t.Fatalf("the command does not write this line, or not there: %s", line)
		}
		left = "\n" + left
		shown++
	}
	if shown < 10 {
		t.Errorf("only %d lines are shown", shown)
	}
}
