package main

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/examples/conformance/judge"
	"github.com/polyarch/polyarch/examples/conformance/report"
)

// elsewhere holds that the payload of a cluster that is not the reference apiserver
// is not moved, whatever is allowed. No operator runs, so that nothing follows.
func (l *lab) elsewhere(t *testing.T) {
	timeouts := patient()
	timeouts.Status = soon
	var mu sync.Mutex
	var moved []string
	result := l.judge(t, everything(timeouts), func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
		if r.Method != http.MethodGet && strings.Contains(r.URL.Path, "clusterversions") {
			mu.Lock()
			moved = append(moved, r.Method+" "+r.URL.Path)
			mu.Unlock()
		}
		response, err := next.RoundTrip(r)
		if err != nil || r.URL.Path != "/version" {
			return response, err
		}
		return response, edit(&response.Body, &response.ContentLength, func(body string) string {
			return strings.ReplaceAll(body, "-polyarch", "")
		})
	})
	if len(moved) > 0 || result.Cluster.Reference {
		t.Errorf("moved: %v; reference: %v", moved, result.Cluster.Reference)
	}
	for _, item := range result.Items {
		for _, step := range item.Steps {
			switch step.ID {
			case "payload-type/multi", "payload-type/single", "single-multi-single/multi", "single-multi-single/single":
				if step.State != report.StateObserved || !strings.Contains(step.Detail, "reference apiserver only") || !strings.Contains(step.Got, "history "+version) {
					t.Errorf("it does not say that it observes: %s", step.Line())
				}
			case "single-multi-single/existing", "apiserver/multi":
				if step.State != report.StateNotRun || step.Detail == "" {
					t.Errorf("it does not say that it is not run: %s", step.Line())
				}
			}
		}
	}
	l.asBefore(t, result.Run)
}

// twoAtOnce holds that of two runs which record their changes at the same time, the
// one that finds the other's record changes nothing.
func (l *lab) twoAtOnce(t *testing.T) {
	other := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Namespace: "given", Name: "record", Labels: map[string]string{judge.LabelRun: "another", judge.LabelRecord: "true"},
	}}
	defer func() {
		if err := l.client.Delete(t.Context(), other); err != nil {
			t.Error(err)
		}
	}()
	o := everything(patient())
	result := l.judge(t, o, func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
		switch {
		case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/configmaps") && other.UID == "":
			if err := l.client.Create(r.Context(), other); err != nil {
				t.Error(err)
			}
		case r.Method == http.MethodPatch:
			t.Errorf("%s %s", r.Method, r.URL.Path)
		}
		return next.RoundTrip(r)
	})
	if other.UID == "" {
		t.Error("no record was written, so nothing is shown")
	}
	for _, item := range result.Items {
		for _, step := range item.Steps {
			if !strings.HasSuffix(step.ID, "/now") && step.ID != "apiserver/given" && (step.State != report.StateCouldNotJudge || !strings.Contains(step.Detail, "run another changes")) {
				t.Errorf("beside another run: %s", step.Line())
			}
		}
	}
	l.asBefore(t, o.Run)
}
