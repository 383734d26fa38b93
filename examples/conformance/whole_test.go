package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/examples/conformance/report"
)

// allHold is the whole program against what is not broken, with all that it writes.
func (l *lab) allHold(t *testing.T) {
	l.run(t, operators{})
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	var out, errOut bytes.Buffer
	status := command(t.Context(), append(l.patientFlags(), "--disruptive", "--payload=single",
		"--json="+file("report.json"), "--junit="+file("report.xml"), "--dump="+file("dump")), &out, &errOut)
	if status != report.ExitHolds {
		t.Errorf("exit status %d:\n%s\n%s", status, &out, &errOut)
	}

	content, err := os.ReadFile(file("report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		report.Report
		Partial bool `json:"partial"`
		Items   []struct {
			State report.State  `json:"state"`
			ID    string        `json:"id"`
			Steps []report.Step `json:"steps"`
		} `json:"items"`
	}
	if err := json.Unmarshal(content, &got); err != nil {
		t.Fatal(err)
	}
	steps := 0
	for _, item := range got.Items {
		if item.State != report.StatePass {
			t.Errorf("item %s: %s", item.ID, item.State)
		}
		for _, step := range item.Steps {
			steps++
			if step.State != report.StatePass {
				t.Errorf("%s", step.Line())
			}
			if !strings.Contains(errOut.String(), step.ID) || !strings.Contains(out.String(), step.ID) {
				t.Errorf("%s is not told", step.ID)
			}
		}
	}
	if len(got.Items) != 6 || steps == 0 || got.Partial || !got.Cluster.Reference || got.Cluster.OpenShift != version {
		t.Errorf("%d items, %d steps, partial %v, cluster %+v", len(got.Items), steps, got.Partial, got.Cluster)
	}
	if got.Configuration["disruptive"] != "true" || got.Configuration["kubeconfig"] != "[given]" || got.Configuration["timeout-rollout"] != "2m0s" {
		t.Errorf("configuration %v", got.Configuration)
	}

	junit, err := os.ReadFile(file("report.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal(junit, &suites); err != nil || suites.Tests != steps || suites.Failures != 0 {
		t.Errorf("JUnit %+v, %v, want %d tests", suites, err, steps)
	}

	config := l.server.Config()
	for name, text := range map[string]string{"text": out.String(), "JSON": string(content), "JUnit": string(junit)} {
		for _, secret := range []string{strings.TrimPrefix(config.Host, "https://"), config.BearerToken, l.server.Kubeconfig(), dir} {
			if strings.Contains(text, secret) {
				t.Errorf("the %s report holds %s", name, secret)
			}
		}
	}
	namespace := "namespaces/polyarch-conformance-" + got.Run
	for _, want := range []string{
		"cluster-scoped-resources/config.openshift.io/clusterversions/version.yaml",
		"cluster-scoped-resources/config.openshift.io/images/cluster.yaml",
		"cluster-scoped-resources/operator.openshift.io/openshiftapiservers/cluster.yaml",
		namespace + "/image.openshift.io/imagestreams/now-" + got.Run + ".yaml",
		namespace + "/core/configmaps/polyarch-conformance-" + got.Run + ".yaml",
	} {
		if content, err := os.ReadFile(filepath.Join(dir, "dump", want)); err != nil || !bytes.Contains(content, []byte("\nkind: ")) {
			t.Errorf("dump: %v: %s", err, content)
		}
	}
	l.asBefore(t, got.Run)
}

// patientFlags are those that every run of the program here has.
func (l *lab) patientFlags() []string {
	flags := []string{"--kubeconfig=" + l.server.Kubeconfig()}
	for _, of := range []string{"payload", "report", "status", "observed", "rollout", "unreachable", "request", "cleanup"} {
		flags = append(flags, "--timeout-"+of+"=2m")
	}
	return flags
}

// TestCommandLine holds what is refused before anything is done.
func TestCommandLine(t *testing.T) {
	nobody := filepath.Join(t.TempDir(), "kubeconfig")
	for _, tc := range []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"help", []string{"--help"}, report.ExitHolds, "-disruptive"},
		{"an unknown flag", []string{"--destructive"}, exitUsage, "not defined"},
		{"a payload that there is not", []string{"--payload=both"}, exitUsage, "must be single or multi"},
		{"a timeout of nothing", []string{"--timeout-status=0s"}, exitUsage, "must be positive"},
		{"an argument", []string{"cluster"}, exitUsage, "unexpected argument"},
		{"no namespace's name", []string{"--namespace=Demo"}, exitUsage, `"Demo"`},
		{"an id that none can be", []string{"--cleanup=a/b"}, exitUsage, `"a/b"`},
		{"no kubeconfig", []string{"--kubeconfig=" + nobody}, exitUsage, nobody},
	} {
		var out, errOut bytes.Buffer
		if status := command(t.Context(), tc.args, &out, &errOut); status != tc.status || !strings.Contains(errOut.String(), tc.says) {
			t.Errorf("%s: exit status %d, want %d:\n%s\nwant %q", tc.name, status, tc.status, &errOut, tc.says)
		}
	}
}

// A cluster that cannot be reached is not one that fails.
func TestUnreachable(t *testing.T) {
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	err := os.WriteFile(kubeconfig, []byte(`{"apiVersion":"v1","kind":"Config","current-context":"c",
		"clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:1"}}],"contexts":[{"name":"c","context":{"cluster":"c"}}]}`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	if status := command(t.Context(), []string{"--kubeconfig=" + kubeconfig}, &out, &errOut); status != report.ExitCouldNotJudge {
		t.Errorf("exit status %d, want %d:\n%s", status, report.ExitCouldNotJudge, &errOut)
	}
	if text := out.String(); strings.Contains(text, "127.0.0.1") || !strings.Contains(text, "[server]") {
		t.Errorf("the address is not redacted:\n%s", text)
	}
}
