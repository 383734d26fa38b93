package dictexpandtest_test

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
	"github.com/polyarch/polyarch/dictexpand/internal/ours"
)

// reconciling is package dictexpand with another operator.
func reconciling(o ours.Operator) func() dictexpandtest.Impl {
	return func() dictexpandtest.Impl {
		return dictexpandtest.Impl{Reconcile: o.Reconcile}
	}
}

// stepping changes the steps of a plan. A step that comes back without a verb is left
// out.
func stepping(change func(*dictexpand.Step, dictexpand.Expansion, dictexpand.Existing)) func() dictexpandtest.Impl {
	return reconciling(ours.Operator{Plan: func(want dictexpand.Expansion, have dictexpand.Existing) dictexpand.BootSources {
		b := dictexpand.Plan(want, have)
		for i := range b.Steps {
			change(&b.Steps[i], want, have)
		}
		b.Steps = slices.DeleteFunc(b.Steps, func(s dictexpand.Step) bool { return s.Verb == "" })
		return b
	}})
}

// drying is package dictexpand that reads the errors of dry runs in another way.
func drying(wrong func(dictexpand.Step, error) dictexpand.DryRun) func() dictexpandtest.Impl {
	return func() dictexpandtest.Impl {
		i := dictexpandtest.Impl{Reconcile: ours.Operator{DryRunOf: wrong}.Reconcile}
		i.DryRun = func(err error) string {
			if a := wrong(dictexpand.Step{}, err).Answer; a != dictexpand.DryRunUnknown {
				return string(a)
			}
			return dictexpandtest.Unknown
		}
		return i
	}
}

// updateSpecs writes the new spec into the cron that exists.
func updateSpecs() func() dictexpandtest.Impl {
	return stepping(func(s *dictexpand.Step, _ dictexpand.Expansion, have dictexpand.Existing) {
		if s.Kind != dictexpand.KindDataImportCron || s.Reason != dictexpand.ReasonSpecChanged {
			return
		}
		switch s.Verb {
		case dictexpand.VerbDelete:
			s.Verb = ""
		case dictexpand.VerbCreate:
			s.Verb = dictexpand.VerbRelabel
			for _, c := range have.Crons {
				if c.Namespace == s.Namespace && c.Name == s.Name {
					s.Cron.UID = c.UID
				}
			}
		}
	})
}

func noLabels(s *dictexpand.Step, _ dictexpand.Expansion, _ dictexpand.Existing) {
	if s.Reason == dictexpand.ReasonCronLabel {
		s.Verb = ""
	}
}

func noWaiting(s *dictexpand.Step, _ dictexpand.Expansion, _ dictexpand.Existing) {
	if s.Kind == dictexpand.KindDataImportCron && s.Verb == dictexpand.VerbWait && s.Reason == dictexpand.ReasonReplacementAwaited && s.UID != "" {
		s.Verb = dictexpand.VerbDelete
	}
}

func keepLabels(s *dictexpand.Step, _ dictexpand.Expansion, have dictexpand.Existing) {
	if s.Reason != dictexpand.ReasonBecomesReference {
		return
	}
	for _, ds := range have.DataSources {
		if ds.Namespace != s.Namespace || ds.Name != s.Name {
			continue
		}
		for _, key := range []string{dictexpand.LabelDataImportCron, dictexpand.LabelDataImportCronCleanup} {
			if v, ok := ds.Labels[key]; ok {
				metav1.SetMetaDataLabel(&s.DataSource.ObjectMeta, key, v)
			}
		}
	}
}

func transportAccepts(s dictexpand.Step, err error) dictexpand.DryRun {
	d := dictexpand.DryRunOf(s, err)
	if d.Answer == dictexpand.DryRunUnknown {
		d.Answer = dictexpand.DryRunAccepted
	}
	return d
}

func existsRefuses(s dictexpand.Step, err error) dictexpand.DryRun {
	d := dictexpand.DryRunOf(s, err)
	if err != nil && d.Answer == dictexpand.DryRunAccepted {
		d.Answer = dictexpand.DryRunRefused
	}
	return d
}

func forgetBlocked(templates []dictexpand.Template, o dictexpand.Options) dictexpand.Expansion {
	e := dictexpand.Expand(templates, o)
	e.Outcomes = slices.DeleteFunc(e.Outcomes, func(o dictexpand.Outcome) bool { return o.Blocked })
	return e
}

func neverUnclear(templates []dictexpand.Template, o dictexpand.Options) dictexpand.Expansion {
	e := dictexpand.Expand(templates, o)
	for i := range e.Outcomes {
		e.Outcomes[i].Unclear = false
	}
	return e
}

// dangling makes references whose target nothing makes.
func dangling(s *dictexpand.Step, want dictexpand.Expansion, have dictexpand.Existing) {
	if s.Reason != dictexpand.ReasonTargetMissing {
		return
	}
	for _, r := range want.References {
		if r.Namespace != s.Namespace || r.Name != s.Name {
			continue
		}
		ds := r.DataSource()
		ds.Labels, ds.Annotations = want.Options.Owner.Labels, want.Options.Owner.Annotations
		s.Verb, s.DataSource = dictexpand.VerbCreate, &ds
		if s.UID != "" {
			s.Verb = dictexpand.VerbUpdate
		}
	}
}

// nobodys lets the name of a cron that is gone be somebody else's.
func nobodys(want dictexpand.Expansion, have dictexpand.Existing) dictexpand.BootSources {
	there := map[types.NamespacedName]bool{}
	for _, c := range have.Crons {
		there[dictexpandtest.Key(c.Namespace, c.Name)] = true
	}
	claims := map[types.NamespacedName]string{}
	for _, c := range have.Claims {
		claims[dictexpandtest.Key(c.Namespace, c.Name)] = c.Labels[dictexpand.LabelDataImportCron]
	}
	for _, ds := range have.DataSources {
		name := ds.Labels[dictexpand.LabelDataImportCron]
		if p := ds.Spec.Source.PVC; p != nil && name == "" {
			name = claims[dictexpandtest.Key(p.Namespace, p.Name)]
		}
		k := dictexpandtest.Key(ds.Namespace, name)
		wanted := slices.ContainsFunc(want.Crons, func(c dictexpand.Cron) bool { return dictexpandtest.Key(c.Object.Namespace, c.Object.Name) == k })
		if name == "" || there[k] || wanted {
			continue
		}
		there[k] = true
		c := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: k.Namespace, Name: k.Name}}
		c.Spec.ManagedDataSource = "nobodys"
		have.Crons = append(have.Crons, c)
	}
	return dictexpand.Plan(want, have)
}

// frozenSharer leaves a reference alone that a template with a mistake shares, whether it
// leads to an image or not.
func frozenSharer(s *dictexpand.Step, want dictexpand.Expansion, _ dictexpand.Existing) {
	if s.Reason == dictexpand.ReasonRedirected && slices.ContainsFunc(want.Outcomes, func(o dictexpand.Outcome) bool {
		return o.Blocked && o.DataSource == s.Name
	}) {
		s.Verb = ""
	}
}

func clustered(change func(*cluster)) func() dictexpandtest.Impl {
	return func() dictexpandtest.Impl {
		return dictexpandtest.Impl{Reconcile: func(client *dictexpandtest.Client, templates []template, c cluster) error {
			change(&c)
			return ours.Impl().Reconcile(client, templates, c)
		}}
	}
}

// ownsAll finds its marks on every cron.
func ownsAll(want dictexpand.Expansion, have dictexpand.Existing) dictexpand.BootSources {
	owner := want.Options.Owner
	for i := range have.Crons {
		c := &have.Crons[i]
		for k, v := range owner.Labels {
			metav1.SetMetaDataLabel(&c.ObjectMeta, k, v)
		}
		for k, v := range owner.Annotations {
			metav1.SetMetaDataAnnotation(&c.ObjectMeta, k, v)
		}
	}
	return dictexpand.Plan(want, have)
}
