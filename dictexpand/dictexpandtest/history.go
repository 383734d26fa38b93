package dictexpandtest

import (
	"errors"
	"slices"

	"pgregory.net/rapid"
)

// Verb is what happens in a history.
type Verb string

const (
	// VerbTemplates: somebody replaces all templates by those of the event.
	VerbTemplates Verb = "Templates"
	// VerbRename, VerbAnnotate, VerbAim, VerbSchedule and VerbRetain: somebody gives the
	// template of the index the name, the annotation, the managedDataSource, the schedule
	// or the retentionPolicy of the only template of the event.
	VerbRename   Verb = "Rename"
	VerbAnnotate Verb = "Annotate"
	VerbAim      Verb = "Aim"
	VerbSchedule Verb = "Schedule"
	VerbRetain   Verb = "Retain"
	// VerbAdd: somebody adds the templates of the event. VerbRemove: somebody removes the
	// template of the index.
	VerbAdd    Verb = "Add"
	VerbRemove Verb = "Remove"
	// VerbCluster: the cluster becomes that of the event.
	VerbCluster Verb = "Cluster"
	// VerbStranger: somebody else makes a cron named Name for the DataSource Other, and
	// that DataSource for an image of their own if the event is Yes.
	VerbStranger Verb = "Stranger"
	// VerbUnlabel: somebody takes CDI's label from the DataSource of the index.
	VerbUnlabel Verb = "Unlabel"
	// VerbPublish: what the templates for the DataSource Name import from leads to the
	// digest Other now; "" cannot be imported.
	VerbPublish Verb = "Publish"
	// VerbReconcile: the operator runs once. Of its writes those whose bit is set in
	// Fails do not reach the API server.
	VerbReconcile Verb = "Reconcile"
	// VerbRestart: the operator is made anew.
	VerbRestart Verb = "Restart"
	// VerbQuiet: the operator and CDI come to an end.
	VerbQuiet Verb = "Quiet"
	// VerbLook: CDI looks at the cron of the index.
	VerbLook Verb = "Look"
	// VerbGarbage: the garbage collector comes by.
	VerbGarbage Verb = "Garbage"
	// VerbDeletions: what is being deleted goes. From now on a deletion takes time if
	// the event is Yes.
	VerbDeletions Verb = "Deletions"
	// VerbAnswer: dry runs are answered from now on if the event is Yes.
	VerbAnswer Verb = "Answer"
)

// An Event is one of the things that happen. An index counts what there is, in ascending
// order, and begins again at its end.
type Event struct {
	Verb        Verb
	Templates   []Template
	Cluster     Cluster
	Index       int
	Name, Other string
	Fails       uint16
	Yes         bool
}

// A History is what happens to a cluster with CDI and an operator: people edit
// templates, nodes come and go, writes fail, operators are restarted, strangers come,
// and CDI and the garbage collector lag.
type History struct {
	Before160 bool // CDI
	// First are the templates in the beginning, which the cluster has settled for. Last
	// are those in the end. Nothing is wrong with either.
	First  []Template
	Events []Event
	Last   []Template
}

// Histories draws a history of 1 to 20 events.
func Histories() *rapid.Generator[History] {
	event := rapid.Custom(func(t *rapid.T) Event {
		e := Event{Verb: rapid.SampledFrom([]Verb{
			VerbTemplates, VerbRename, VerbAnnotate, VerbAim, VerbSchedule, VerbRetain, VerbAdd, VerbRemove, VerbCluster, VerbStranger,
			VerbUnlabel, VerbPublish, VerbReconcile, VerbReconcile, VerbReconcile, VerbReconcile, VerbRestart, VerbQuiet, VerbQuiet,
			VerbLook, VerbLook, VerbGarbage, VerbDeletions, VerbAnswer,
		}).Draw(t, "verb")}
		switch e.Verb {
		case VerbTemplates:
			e.Templates = AnyTemplates().Draw(t, "templates")
		case VerbRename, VerbAnnotate, VerbAim, VerbSchedule, VerbRetain:
			e.Index, e.Templates = rapid.IntRange(0, 4).Draw(t, "index"), []Template{edited().Draw(t, "template")}
		case VerbAdd:
			e.Templates = []Template{edited().Draw(t, "template")}
		case VerbCluster:
			e.Cluster = AnyCluster().Draw(t, "cluster")
			e.Cluster.OwnImages = nil
		case VerbStranger:
			e.Name = rapid.SampledFrom([]string{"x-amd64", "y", "stranger"}).Draw(t, "name")
			e.Other = rapid.SampledFrom([]string{"m", "m-amd64", "n", "q"}).Draw(t, "managedDataSource")
			e.Yes = rapid.Bool().Draw(t, "own image")
		case VerbPublish:
			e.Name = rapid.SampledFrom([]string{"m", "n", "o", "p", "m-amd64", "n-arm64"}).Draw(t, "managedDataSource")
			e.Other = rapid.SampledFrom([]string{FirstDigest, "second", "third", ""}).Draw(t, "digest")
		case VerbUnlabel, VerbLook, VerbRemove:
			e.Index = rapid.IntRange(0, 9).Draw(t, "index")
		case VerbReconcile:
			e.Fails = rapid.Uint16().Draw(t, "fails") & rapid.Uint16().Draw(t, "fails too")
		case VerbDeletions, VerbAnswer:
			e.Yes = rapid.Bool().Draw(t, "yes")
		}
		return e
	})
	return rapid.Custom(func(t *rapid.T) History {
		return History{
			Before160: rapid.Bool().Draw(t, "before 1.60"),
			First:     soundTemplates().Draw(t, "first"),
			Events:    rapid.SliceOfN(event, 1, 20).Draw(t, "events"),
			Last:      soundTemplates().Draw(t, "last"),
		}
	})
}

// edited draws a template that may have a schedule that only the API server refuses.
func edited() *rapid.Generator[Template] {
	return rapid.Custom(func(t *rapid.T) Template {
		x := AnyTemplate().Draw(t, "template")
		if rapid.IntRange(0, 3).Draw(t, "policy") == 0 {
			x.Spec.Schedule = policy
		}
		return x
	})
}

// soundTemplates draws templates that nothing is wrong with, under names that others have
// at other times.
func soundTemplates() *rapid.Generator[[]Template] {
	return rapid.Custom(func(t *rapid.T) []Template {
		var all []Template
		names := rapid.Permutation([]string{"x", "y", "z", "new"}).Draw(t, "names")
		for i, managed := range rapid.Permutation([]string{"m", "n", "o", "other"}).Draw(t, "managedDataSources")[:rapid.IntRange(1, 3).Draw(t, "number")] {
			x := TemplateOf(names[i], managed, rapid.SampledFrom([]string{"", "amd64", "arm64", "amd64,arm64"}).Draw(t, "listed"))
			x.Spec.RetentionPolicy = retention().Draw(t, "retentionPolicy")
			all = append(all, x)
		}
		return all
	})
}

// Play has the history happen to an operator, which newImpl makes at the beginning and
// for each restart, and returns what must not happen. Reconcile is needed.
func (h History) Play(newImpl func() Impl) Mishaps { return h.play(newImpl, true) }

// play leaves out the end unless it is asked for: it takes most of the time.
func (h History) play(newImpl func() Impl, toTheEnd bool) Mishaps {
	p := player{World: NewWorld(), newImpl: newImpl, event: -1}
	p.Before160 = h.Before160
	p.Operator = newImpl().Reconcile
	refusePolicy(p.World)
	p.Templates = copyTemplates(h.First)
	p.quiet()
	for n, e := range h.Events {
		p.event = n
		p.take(e)
	}
	if toTheEnd {
		p.event = len(h.Events)
		p.end(h.Last)
	}
	return p.mishaps
}

// take has an event happen.
func (p *player) take(e Event) {
	w := p.World
	switch e.Verb {
	case VerbTemplates:
		w.Templates = copyTemplates(e.Templates)
	case VerbRename, VerbAnnotate, VerbAim, VerbSchedule, VerbRetain, VerbRemove:
		if len(w.Templates) > 0 {
			w.Templates = edit(copyTemplates(w.Templates), e.Index%len(w.Templates), e)
		}
	case VerbAdd:
		w.Templates = append(copyTemplates(w.Templates), copyTemplates(e.Templates)...)
	case VerbCluster:
		w.Cluster = e.Cluster.clone()
	case VerbStranger:
		p.addStranger(e)
	case VerbUnlabel:
		if all := w.Client().DataSources(); len(all) > 0 {
			ds := all[e.Index%len(all)]
			delete(ds.Labels, cronLabel)
			w.DataSources[Key(ds.Namespace, ds.Name)] = ds
		}
	case VerbPublish:
		for _, a := range append([]string{""}, payload...) {
			w.Images["docker://quay.io/containerdisks/"+e.Name+" "+a] = e.Other
		}
	case VerbReconcile:
		p.reconcile(e.Fails)
	case VerbRestart:
		w.Operator = p.newImpl().Reconcile
	case VerbQuiet:
		p.quiet()
	case VerbLook:
		if all := w.Pending(); len(all) > 0 {
			w.Look(all[e.Index%len(all)])
		}
	case VerbGarbage:
		w.CollectGarbage()
	case VerbDeletions:
		w.FinishDeletions()
		w.Slow = e.Yes
	case VerbAnswer:
		w.NoAnswer = !e.Yes
	}
}

// edit changes one of the templates.
func edit(templates []Template, i int, e Event) []Template {
	if e.Verb == VerbRemove {
		return slices.Delete(templates, i, i+1)
	}
	x, other := &templates[i], copyTemplates(e.Templates)[0]
	switch e.Verb {
	case VerbRename:
		x.Name = other.Name
	case VerbAnnotate:
		x.Annotations = other.Annotations
	case VerbAim:
		x.Spec.ManagedDataSource = other.Spec.ManagedDataSource
	case VerbSchedule:
		x.Spec.Schedule = other.Spec.Schedule
	case VerbRetain:
		x.Spec.RetentionPolicy = other.Spec.RetentionPolicy
	}
	return templates
}

// errWrite is what a write comes to that does not reach the API server.
var errWrite = errors.New("connection reset")
