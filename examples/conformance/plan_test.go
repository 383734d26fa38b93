package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/conformance/judge"
	"github.com/polyarch/polyarch/examples/conformance/report"
	"github.com/polyarch/polyarch/payloadarch"
)

// patient are timeouts for steps that are to pass, however slow the machine is.
func patient() judge.Timeouts {
	return judge.Timeouts{
		Payload: 2 * time.Minute, Report: 2 * time.Minute, Status: 2 * time.Minute, Observed: 2 * time.Minute, Rollout: 2 * time.Minute,
		Unreachable: 2 * time.Minute, Request: time.Minute, Cleanup: 3 * time.Minute,
	}
}

// soon is for the wait of an item that is to fail, so that nothing hangs on it.
const soon = time.Second

// everything is all that can be run.
func everything(timeouts judge.Timeouts) judge.Options {
	return judge.Options{Run: judge.NewRun(), Disruptive: true, Payload: payloadarch.Single, Timeouts: timeouts}
}

// TestCluster is the plan against the reference apiserver with its operators, and
// without them where somebody else is to be seen at work.
func TestCluster(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	t.Run("nothing but its own namespace is written by default", l.byDefault)
	t.Run("all items hold", l.allHold)
	t.Run("in a namespace that is given", l.givenNamespace)
	t.Run("what is missing is no failure", l.unjudged)
	t.Run("a version whose gates are not known", l.unknownPayload)
	t.Run("a dump that cannot be written", l.notDumped)
	t.Run("on another cluster", l.elsewhere)
	t.Run("two runs at once", l.twoAtOnce)
	t.Run("interrupted", l.interrupted)
	t.Run("crashed", l.crashed)
	t.Run("crashed, and somebody else has set the mode since", l.crashedAndSet)
	t.Run("crashed while the payload was moved", l.crashedInMove)
}

// A broken is a cluster one part of which is broken.
type broken struct {
	name      string
	operators operators
	transport transport
	impatient func(*judge.Timeouts)
	items     []string // those that fail
	steps     []string // some that do
}

// TestBrokenServer holds that exactly the items fail that are for the server, and
// those for what comes out at the end.
func TestBrokenServer(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	// Nothing that the server answers here hangs on its own configuration, so it
	// need not be rolled out.
	l.restart = func(context.Context) error { return nil }
	for _, b := range []broken{
		{
			"a strategy that does not look at modes", operators{}, throughPassThrough,
			func(t *judge.Timeouts) { t.Rollout = soon },
			[]string{"apiserver", "new-image-streams", "single-multi-single"}, []string{"apiserver/now", "single-multi-single/single"},
		},
		{
			"a server that applies the default in decoding", operators{}, l.defaultsInDecoding(t), nil,
			[]string{"apiserver"}, []string{"apiserver/reapplied"},
		},
	} {
		t.Run(b.name, func(t *testing.T) { b.fails(t, l) })
	}
}

// TestBrokenOperator holds that exactly the items fail that are for the operator,
// and those for what comes out at the end.
func TestBrokenOperator(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, b := range []broken{
		{
			"an operator that observes the mode once", operators{observe: &observesOnce{l}}, nil,
			func(t *judge.Timeouts) { t.Observed = soon },
			[]string{"observed-config", "new-image-streams", "single-multi-single"}, []string{"observed-config/override", "observed-config/multi"},
		},
		{
			"an operator that never reports Multi", operators{versionClient: neverReports}, nil,
			func(t *judge.Timeouts) { t.Report = soon },
			[]string{"payload-type", "new-image-streams", "single-multi-single"}, []string{"payload-type/multi", "single-multi-single/multi"},
		},
		{
			"an operator that looks for `multi` where the ClusterVersion has `Multi`", operators{importMode: &brokenImportMode{l, comparesSpelling}},
			(&brokenImportMode{l, comparesSpelling}).first,
			func(t *judge.Timeouts) { t.Status = soon },
			[]string{"image-config-status", "new-image-streams", "single-multi-single"}, []string{"image-config-status/multi"},
		},
		{
			// It leaves the cluster PreserveOriginal, so it is the last.
			"an operator that keeps the mode at an empty architecture", operators{importMode: &brokenImportMode{l, keepsOnEmpty}},
			(&brokenImportMode{l, keepsOnEmpty}).first,
			func(t *judge.Timeouts) { t.Status = soon },
			[]string{"image-config-status", "single-multi-single"}, []string{"image-config-status/restored", "image-config-status/single", "single-multi-single/single"},
		},
	} {
		t.Run(b.name, func(t *testing.T) { b.fails(t, l) })
	}
}

func (b broken) fails(t *testing.T, l *lab) {
	l.run(t, b.operators)
	timeouts := patient()
	if b.impatient != nil {
		b.impatient(&timeouts)
	}
	result := l.judge(t, everything(timeouts), b.transport)
	var items, steps []string
	for _, item := range result.Items {
		if item.State() == report.StateFail {
			items = append(items, item.ID)
		}
		for _, step := range item.Steps {
			if step.State == report.StateFail {
				steps = append(steps, step.ID)
			}
		}
	}
	slices.Sort(items)
	want := slices.Sorted(slices.Values(b.items))
	if diff := cmp.Diff(want, items); diff != "" {
		t.Errorf("items that fail (-want +got):\n%s\n%s", diff, result.Text())
	}
	for _, id := range b.steps {
		if !slices.Contains(steps, id) {
			t.Errorf("%s does not fail:\n%s", id, result.Text())
		}
	}
	if result.Exit() != report.ExitFails {
		t.Errorf("exit status %d, want %d", result.Exit(), report.ExitFails)
	}
	row := fmt.Sprintf("| %s | `%s` |\n", b.name, strings.Join(b.items, "`, `"))
	if !strings.Contains(documentation(t), row) {
		t.Errorf("docs/conformance.md does not say %s", row)
	}
	l.asBefore(t, result.Run)
}

// judge runs the plan through a transport.
func (l *lab) judge(t *testing.T, o judge.Options, through transport) report.Report {
	t.Helper()
	config := l.server.Config()
	if through != nil {
		config.Wrap(through.wrap)
	}
	began := time.Now()
	result, err := judge.Run(t.Context(), config, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s after %s", result.Summary(), time.Since(began).Round(time.Millisecond))
	return result
}

// asBefore holds that a run has set back and removed everything.
func (l *lab) asBefore(t *testing.T, run string) {
	t.Helper()
	image, cv := &configv1.Image{}, &configv1.ClusterVersion{}
	for obj, name := range map[client.Object]string{image: "cluster", cv: "version"} {
		if err := l.client.Get(t.Context(), client.ObjectKey{Name: name}, obj); err != nil {
			t.Fatal(err)
		}
	}
	if image.Spec.ImageStreamImportMode != "" || cv.Spec.DesiredUpdate != nil || cv.Status.Desired.Image != singleImage {
		t.Errorf("left: override %q, update %+v, release %+v", image.Spec.ImageStreamImportMode, cv.Spec.DesiredUpdate, cv.Status.Desired)
	}
	if made := l.made(t, run); len(made) > 0 {
		t.Errorf("left: %v", made)
	}
}

// made lists what has the label of the run.
func (l *lab) made(t *testing.T, run string) (names []string) {
	t.Helper()
	for _, list := range []client.ObjectList{&corev1.NamespaceList{}, &corev1.ConfigMapList{}, imageStreams()} {
		if err := l.client.List(t.Context(), list, client.MatchingLabels{judge.LabelRun: run}); err != nil {
			t.Fatal(err)
		}
		for _, obj := range objects(t, list) {
			names = append(names, fmt.Sprintf("%T %s", obj, obj.GetName()))
		}
	}
	return names
}

// byDefault holds that nothing but a namespace of the run's own is written, and
// that what is left out is said.
func (l *lab) byDefault(t *testing.T) {
	l.run(t, operators{})
	o := judge.Options{Run: judge.NewRun(), Timeouts: patient()}
	var mu sync.Mutex
	var writes []string
	result := l.judge(t, o, func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
		if r.Method != http.MethodGet {
			mu.Lock()
			writes = append(writes, r.Method+" "+r.URL.Path)
			mu.Unlock()
		}
		return next.RoundTrip(r)
	})
	own := "/namespaces/polyarch-conformance-" + o.Run
	for _, w := range writes {
		if w != "POST /api/v1/namespaces" && !strings.Contains(w, own+"/") && !strings.HasSuffix(w, own) {
			t.Errorf("written outside of its namespace: %s", w)
		}
	}
	if len(writes) < 4 {
		t.Errorf("writes %v, want at least a namespace and image streams", writes)
	}
	want := map[string]report.State{
		"observed-config": report.StatePass, "apiserver": report.StatePass, "payload-type": report.StateObserved,
		"image-config-status": report.StatePass, "new-image-streams": report.StateNotRun, "single-multi-single": report.StateObserved,
	}
	got := map[string]report.State{}
	for _, item := range result.Items {
		got[item.ID] = item.State()
		for _, step := range item.Steps {
			if step.State != report.StatePass && step.Detail == "" {
				t.Errorf("it does not say why: %s", step.Line())
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("items (-want +got):\n%s\n%s", diff, result.Text())
	}
	if result.Exit() != report.ExitHolds || !result.Partial() {
		t.Errorf("exit status %d, partial %v, want %d and true", result.Exit(), result.Partial(), report.ExitHolds)
	}
	l.asBefore(t, o.Run)
}
