package report_test

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/examples/conformance/report"
)

func step(id string, s report.State) report.Step {
	return report.Step{ID: id, Title: "it holds", State: s, Want: "a", Got: "b", Detail: "because <it> is", Seconds: 1.5}
}

// sample has a step in every state.
func sample() report.Report {
	return report.Report{
		Kind: report.Kind, Format: report.Format, Plan: "the plan", Run: "r1",
		Program:       report.Program{Version: "v1.2.3", Go: "go1.26"},
		Cluster:       report.Cluster{Kubernetes: "v1.33.0", OpenShift: "4.20.0", Operators: map[string]string{"image-registry": "4.20.0"}},
		Configuration: map[string]string{"disruptive": "true"},
		Started:       time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Ended: time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC),
		Items: []report.Item{
			{ID: "one", Title: "the first", Steps: []report.Step{step("one/pass", report.StatePass), step("one/fail", report.StateFail)}},
			{ID: "two", Title: "the second", Steps: []report.Step{
				step("two/unjudged", report.StateCouldNotJudge), step("two/observed", report.StateObserved), step("two/not", report.StateNotRun),
			}},
		},
	}
}

func TestItemState(t *testing.T) {
	const pass, fail, unjudged, observed, not = report.StatePass, report.StateFail, report.StateCouldNotJudge, report.StateObserved, report.StateNotRun
	for _, tc := range []struct {
		want  report.State
		steps []report.State
	}{
		{not, nil},
		{not, []report.State{not}},
		{observed, []report.State{not, observed}},
		{pass, []report.State{observed, not, pass}},
		{unjudged, []report.State{pass, unjudged, observed}},
		{fail, []report.State{pass, unjudged, fail}},
	} {
		var item report.Item
		for _, s := range tc.steps {
			item.Steps = append(item.Steps, report.Step{State: s})
		}
		if got := item.State(); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.steps, got, tc.want)
		}
	}
}

func TestExit(t *testing.T) {
	of := func(states ...report.State) report.Report {
		var item report.Item
		for _, s := range states {
			item.Steps = append(item.Steps, report.Step{State: s})
		}
		return report.Report{Items: []report.Item{item}}
	}
	interrupted, left := of(report.StateFail), of(report.StateFail)
	interrupted.Interrupted = true
	left.Interrupted, left.Left = true, []string{"a namespace"}
	for _, tc := range []struct {
		name    string
		report  report.Report
		exit    int
		partial bool
	}{
		{"all pass", of(report.StatePass), 0, false},
		{"one was not run", of(report.StatePass, report.StateNotRun), 0, true},
		{"one was observed", of(report.StatePass, report.StateObserved), 0, true},
		{"one could not be judged", of(report.StatePass, report.StateCouldNotJudge), 3, false},
		{"one fails", of(report.StateCouldNotJudge, report.StateFail), 1, false},
		{"interrupted", interrupted, 130, true},
		{"left", left, 4, true},
	} {
		if exit, partial := tc.report.Exit(), tc.report.Partial(); exit != tc.exit || partial != tc.partial {
			t.Errorf("%s: exit %d, partial %v, want %d, %v", tc.name, exit, partial, tc.exit, tc.partial)
		}
	}
}

func TestText(t *testing.T) {
	r := sample()
	r.Left = []string{"a namespace"}
	const want = `plan: the plan
program: v1.2.3  go1.26
cluster: Kubernetes v1.33.0, OpenShift 4.20.0
operator: image-registry 4.20.0
configuration: disruptive=true

one: fail: the first
pass             one/pass                           it holds
                 got b
                 because <it> is
fail             one/fail                           it holds
                 want a
                 got b
                 because <it> is

two: could not judge: the second
could not judge  two/unjudged                       it holds
                 want a
                 got b
                 because <it> is
observed         two/observed                       it holds
                 got b
                 because <it> is
not run          two/not                            it holds
                 want a
                 got b
                 because <it> is

LEFT: a namespace
run r1 (partial: not everything was judged): 1 pass, 1 fail, 1 could not be judged, 1 observed, 1 not run
`
	if diff := cmp.Diff(want, r.Text()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestJSON(t *testing.T) {
	content, err := sample().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(content, &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"kind": "ClusterConformanceReport", "format": "v1", "run": "r1", "partial": true, "exit": 1.0, "left": []any{},
		"count":         map[string]any{"pass": 1.0, "fail": 1.0, "could not judge": 1.0, "observed": 1.0, "not run": 1.0},
		"configuration": map[string]any{"disruptive": "true"},
		"cluster":       map[string]any{"kubernetes": "v1.33.0", "openshift": "4.20.0", "operators": map[string]any{"image-registry": "4.20.0"}, "reference": false},
	} {
		if diff := cmp.Diff(want, got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	items := got["items"].([]any)
	first := items[0].(map[string]any)
	want := map[string]any{"id": "one/fail", "title": "it holds", "state": "fail", "want": "a", "got": "b", "detail": "because <it> is", "seconds": 1.5}
	if diff := cmp.Diff(want, first["steps"].([]any)[1]); first["state"] != "fail" || len(items) != 2 || diff != "" {
		t.Errorf("%d items, the first %v, its step (-want +got):\n%s", len(items), first["state"], diff)
	}
}

func TestJUnit(t *testing.T) {
	r := sample()
	r.Left = []string{"a namespace"}
	content, err := r.JUnit()
	if err != nil {
		t.Fatal(err)
	}
	type message struct {
		Message string `xml:"message,attr"`
	}
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name    string   `xml:"name,attr"`
				Failure *message `xml:"failure"`
				Error   *message `xml:"error"`
				Skipped *message `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(content, &got); err != nil {
		t.Fatal(err)
	}
	if got.Tests != 6 || got.Failures != 1 || got.Errors != 2 || got.Skipped != 2 {
		t.Errorf("%d tests, %d failures, %d errors, %d skipped", got.Tests, got.Failures, got.Errors, got.Skipped)
	}
	var cases []string
	for _, suite := range got.Suites {
		for _, c := range suite.Cases {
			said := "ok"
			for kind, m := range map[string]*message{"failure": c.Failure, "error": c.Error, "skipped": c.Skipped} {
				if m != nil {
					said = kind + " " + m.Message
				}
			}
			cases = append(cases, suite.Name+" "+c.Name+": "+said)
		}
	}
	want := []string{
		"one pass: ok", "one fail: failure fail: because <it> is",
		"two unjudged: error could not judge: because <it> is", "two observed: skipped observed: because <it> is",
		"two not: skipped not run: because <it> is", "cleanup cleanup: error could not judge: a namespace",
	}
	if diff := cmp.Diff(want, cases); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	if !strings.Contains(string(content), `name="partial" value="true"`) {
		t.Error("it does not say that it is partial")
	}
}

func TestRedactor(t *testing.T) {
	var r report.Redactor
	r.HideServer("https://api.example.com:6443/k8s")
	r.HideServer("https://api:6443")
	r.Hide("secret", "token")
	r.Hide("", "nothing")
	r.HideFile("/home/me/kubeconfig", "kubeconfig")
	r.HideFile("d", "dump")
	r.HideFile("", "nothing")
	for text, want := range map[string]string{
		"GET https://api.example.com:6443/k8s/api: no":         "GET [server]/[server]: no",
		"dial tcp: lookup api.example.com: no such host":       "dial tcp: lookup [server]: no such host",
		"api.example.com:6443 refuses secret, secrets, Secret": "[server] refuses [token], [token]s, Secret",
		"lookup api: no such host, openshift-apiserver, apis":  "lookup [server]: no such host, openshift-apiserver, apis",
		"open /home/me/kubeconfig: mkdir d: moved":             "open [kubeconfig]: mkdir d: moved",
		"nothing of it": "nothing of it",
	} {
		if got := r.Text(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	s := r.Step(report.Step{ID: "secret", Want: "secret", Got: "secret", Detail: "secret"})
	if diff := cmp.Diff(report.Step{ID: "secret", Want: "[token]", Got: "[token]", Detail: "[token]"}, s); diff != "" {
		t.Errorf("step (-want +got):\n%s", diff)
	}
}
