package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/conformance/judge"
	"github.com/polyarch/polyarch/examples/conformance/report"
)

// unjudged holds that what is missing is no failure, and hits only the steps that
// need it.
func (l *lab) unjudged(t *testing.T) {
	refuses := func(what string) transport {
		return func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
			if !strings.Contains(r.URL.Path, what) {
				return next.RoundTrip(r)
			}
			body := fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"%s is forbidden"}`, what)
			return &http.Response{
				StatusCode: http.StatusForbidden, Header: http.Header{"Content-Type": {"application/json"}},
				Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r,
			}, nil
		}
	}
	const pass, not, unjudged, observed = report.StatePass, report.StateNotRun, report.StateCouldNotJudge, report.StateObserved
	for _, tc := range []struct {
		name string
		of   transport
		want map[string]report.State
	}{
		{"no image config", refuses("/images/cluster"), map[string]report.State{
			"observed-config": unjudged, "apiserver": pass, "payload-type": observed, "image-config-status": unjudged, "new-image-streams": not, "single-multi-single": observed,
		}},
		{"no OpenShiftAPIServer", refuses("/openshiftapiservers/"), map[string]report.State{
			"observed-config": unjudged, "apiserver": unjudged, "payload-type": observed, "image-config-status": pass, "new-image-streams": not, "single-multi-single": observed,
		}},
		{"no ClusterVersion", refuses("/clusterversions/"), map[string]report.State{
			"observed-config": pass, "apiserver": pass, "payload-type": unjudged, "image-config-status": unjudged, "new-image-streams": unjudged, "single-multi-single": unjudged,
		}},
		{"no image streams", refuses("/imagestreams"), map[string]report.State{
			"observed-config": pass, "apiserver": unjudged, "payload-type": observed, "image-config-status": pass, "new-image-streams": not, "single-multi-single": observed,
		}},
		{"no namespace", refuses("/api/v1/namespaces"), map[string]report.State{
			"observed-config": pass, "apiserver": unjudged, "payload-type": observed, "image-config-status": pass, "new-image-streams": not, "single-multi-single": observed,
		}},
	} {
		result := l.judge(t, judge.Options{Run: judge.NewRun(), Timeouts: patient()}, tc.of)
		got := map[string]report.State{}
		for _, item := range result.Items {
			got[item.ID] = item.State()
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: items (-want +got):\n%s\n%s", tc.name, diff, result.Text())
		}
		// Who may not look at image streams cannot know that none is left.
		if want := tc.name == "no image streams"; (len(result.Left) > 0) != want {
			t.Errorf("%s: left %v", tc.name, result.Left)
		}
		if made := l.made(t, result.Run); len(made) > 0 && tc.name != "no image streams" {
			t.Errorf("%s: made %v", tc.name, made)
		} else if len(made) > 0 {
			l.cleans(t, result.Run, report.ExitHolds)
		}
	}
}

// unknownPayload holds that a version whose gates are not known is not judged.
func (l *lab) unknownPayload(t *testing.T) {
	gates := &configv1.FeatureGate{}
	if err := l.client.Get(t.Context(), client.ObjectKey{Name: "cluster"}, gates); err != nil {
		t.Fatal(err)
	}
	known := gates.Status.DeepCopy()
	gates.Status.FeatureGates[0].Version = "4.99.0"
	if err := l.client.Status().Update(t.Context(), gates); err != nil {
		t.Fatal(err)
	}
	defer func() {
		gates.Status = *known
		if err := l.client.Status().Update(t.Context(), gates); err != nil {
			t.Fatal(err)
		}
	}()
	timeouts := patient()
	timeouts.Report, timeouts.Status = soon, soon
	result := l.judge(t, judge.Options{Run: judge.NewRun(), Timeouts: timeouts}, nil)
	for _, item := range result.Items {
		for _, step := range item.Steps {
			if (step.ID == "payload-type/now" || step.ID == "image-config-status/now" || step.ID == "new-image-streams/multi") &&
				(step.State != report.StateCouldNotJudge || !strings.Contains(step.Detail, "GateUnknown")) {
				t.Errorf("the gates are not known: %s", step.Line())
			}
		}
	}
	if result.Exit() != report.ExitCouldNotJudge {
		t.Errorf("exit status %d, want %d", result.Exit(), report.ExitCouldNotJudge)
	}
	l.asBefore(t, result.Run)
}

// notDumped holds that a dump which cannot be written is told, and keeps nothing
// from being removed.
func (l *lab) notDumped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	if status := command(t.Context(), append(l.patientFlags(), "--dump="+file), &out, &errOut); status != report.ExitLeft {
		t.Errorf("exit status %d, want %d:\n%s", status, report.ExitLeft, &out)
	}
	if !strings.Contains(out.String(), "LEFT: dump: ") || strings.Contains(out.String(), file) {
		t.Errorf("the report says:\n%s", &out)
	}
	_, run, _ := strings.Cut(errOut.String(), "conformance: run ")
	run, _, _ = strings.Cut(run, ";")
	l.asBefore(t, run)
}
