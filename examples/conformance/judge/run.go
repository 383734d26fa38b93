package judge

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/conformance/report"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/payloadarch"
)

// A run is the plan on its way through a cluster.
type run struct {
	Options
	client    client.Client
	version   string // of the API server
	reference bool
	namespace string
	// noNamespace is why there is no namespace to make image streams in.
	noNamespace error
	report      report.Report
	changes     changes // of others' objects, that are to be set back
}

// Run plays the plan on a cluster and returns what became of every step. When ctx
// ends it goes to no further step, restores what it changed, and removes what it
// made.
func Run(ctx context.Context, config *rest.Config, o Options) (report.Report, error) {
	if err := o.Validate(); err != nil {
		return report.Report{}, err
	}
	r := &run{Options: o, namespace: o.Namespace, report: report.Report{
		Kind: report.Kind, Format: report.Format, Plan: planName, Run: o.Run, Program: program(), Started: time.Now(),
	}}
	if r.Redact == nil {
		r.Redact = &report.Redactor{}
	}
	r.Redact.HideServer(config.Host)
	r.Redact.Hide(config.BearerToken, "token")
	if r.namespace == "" {
		r.namespace = namespacePrefix + o.Run
	}
	r.report.Items = items(r.notRun)
	if err := r.connect(ctx, config); err != nil {
		r.all(err)
	} else {
		r.stages(ctx)
	}
	r.report.Interrupted = ctx.Err() != nil
	if r.client != nil {
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.Timeouts.Cleanup)
		defer cancel()
		r.end(after)
	}
	r.report.Ended = time.Now()
	return r.report, nil
}

// stages runs what is asked for, in the order that the plan has it happen.
func (r *run) stages(ctx context.Context) {
	// Who may only look still learns what can be seen.
	r.noNamespace = r.prepare(ctx)
	r.now(ctx)
	if r.Disruptive {
		err := r.alone(ctx)
		if err == nil {
			err = r.override(ctx)
		}
		r.rest(stageOverride, err)
	}
	if r.moves() {
		err := r.alone(ctx)
		if err == nil {
			err = r.move(ctx)
		}
		r.rest(stageMoves, err)
		// This one waits for the multi payload if the cluster has none yet.
		if r.step(onMultiPayload).State == report.StateNotRun {
			r.set(onMultiPayload, time.Now(), unjudged(err))
		}
	} else {
		r.observeMoves(ctx)
	}
}

// moves reports whether the payload is to be moved.
func (r *run) moves() bool { return r.Disruptive && r.reference }

// notRun says why the steps of a stage are not run, before anything is run.
func (r *run) notRun(s stage) string {
	switch {
	case s == stageOverride && !r.Disruptive:
		return "it needs spec.imageStreamImportMode changed: --disruptive allows that"
	case s == stageMoves:
		return "it needs the payload moved, which is done on the reference apiserver only, with --disruptive"
	}
	return ""
}

// end restores, dumps and removes. What cannot be done is left, and told.
func (r *run) end(ctx context.Context) {
	left := func(what string, err error) {
		r.report.Left = append(r.report.Left, r.Redact.Text(fmt.Sprintf("%s: %v", what, err)))
	}
	// Who may not make a namespace has made nothing, and may not look for it either.
	made := r.noNamespace == nil || away(r.noNamespace)
	if r.Dump != "" {
		if err := r.dump(ctx, made); err != nil {
			left("dump", err)
		}
	}
	if !made {
		return
	}
	for _, err := range r.cleanup(ctx) {
		left("cleanup", err)
	}
}

// set fills in a step and tells it.
func (r *run) set(id string, began time.Time, s report.Step) {
	step := r.step(id)
	s.ID, s.Title, s.Seconds = id, step.Title, time.Since(began).Round(time.Millisecond).Seconds()
	*step = r.Redact.Step(s)
	if r.Told != nil {
		r.Told(*step)
	}
}

// step is a step as it stands.
func (r *run) step(id string) *report.Step {
	for i := range r.report.Items {
		for k := range r.report.Items[i].Steps {
			if step := &r.report.Items[i].Steps[k]; step.ID == id {
				return step
			}
		}
	}
	panic("judge: no step has the id " + id)
}

// rest sets the steps of a stage that ended early: they could not be judged.
func (r *run) rest(s stage, err error) {
	if err == nil {
		return
	}
	began := time.Now()
	for _, item := range plan {
		for _, step := range item.steps {
			if id := item.id + "/" + step.id; step.stage == s && r.step(id).State == report.StateNotRun {
				r.set(id, began, unjudged(err))
			}
		}
	}
}

func (r *run) all(err error) {
	for _, s := range []stage{stageNow, stageOverride, stageMoves} {
		if s == stageNow || s == stageOverride && r.Disruptive || s == stageMoves && r.moves() {
			r.rest(s, err)
		}
	}
}

// unjudged is a step for which something is missing.
func unjudged(err error) report.Step {
	return report.Step{State: report.StateCouldNotJudge, Detail: err.Error()}
}

// compared is a step that passes if both are equal.
func compared(want, got string) report.Step {
	s := report.Step{State: report.StatePass, Want: want, Got: got}
	if got != want {
		s.State = report.StateFail
	}
	return s
}

// connect makes a client and learns what it talks to.
func (r *run) connect(ctx context.Context, config *rest.Config) error {
	config = rest.CopyConfig(config)
	config.Timeout = r.Timeouts.Request
	config.UserAgent = "polyarch-conformance"
	config.QPS, config.Burst = 20, 40
	var err error
	if r.version, err = serverVersion(ctx, config); err != nil {
		return err
	}
	if r.client, err = client.New(config, client.Options{Scheme: operator.Scheme()}); err != nil {
		return err
	}
	if r.reference, err = isReference(ctx, r.client, r.version, r.Options.Reference); err != nil {
		return err
	}
	r.report.Cluster = report.Cluster{Kubernetes: r.version, Reference: r.reference, Operators: map[string]string{}}
	cv := &configv1.ClusterVersion{}
	if err := r.client.Get(ctx, client.ObjectKey{Name: "version"}, cv); err == nil {
		r.report.Cluster.OpenShift = cv.Status.Desired.Version
	}
	for _, name := range []string{"image-registry", "kube-apiserver", "openshift-apiserver"} {
		co := &configv1.ClusterOperator{}
		if err := r.client.Get(ctx, client.ObjectKey{Name: name}, co); err != nil {
			continue // what is missing where it is needed, its step says
		}
		for _, v := range co.Status.Versions {
			if v.Name == "operator" {
				r.report.Cluster.Operators[name] = v.Version
			}
		}
	}
	return nil
}

// program is what this was built from.
func program() report.Program {
	p := report.Program{Version: "unknown"}
	if info, ok := debug.ReadBuildInfo(); ok {
		p.Version, p.Go = info.Main.Version, info.GoVersion
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				p.Revision = s.Value
			}
		}
	}
	return p
}

// modeOf is the mode that the plan gives a payload.
func modeOf(kind payloadarch.Kind) configv1.ImportModeType {
	if kind == payloadarch.Multi {
		return configv1.ImportModePreserveOriginal
	}
	return configv1.ImportModeLegacy
}
