package dictexpandtest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// Mishaps are what must not happen in a history, each beside the number of the event.
type Mishaps struct {
	// Lost: a write took the image from a DataSource that should exist, or that may be a
	// blocked template's, and no cron was replaced under its name.
	Lost []string
	// Refused: a cron was deleted for one of its name that the API server or CDI refuses.
	Refused []string
	// Others: an object of somebody else was changed.
	Others []string
	// Unsettled: in the end something is missing or left over, is not updated, has no
	// image, or is still written.
	Unsettled []string
}

// A player is a history as it happens.
type player struct {
	*World
	newImpl func() Impl
	event   int
	mishaps Mishaps
	// What the templates come to in this run of the operator.
	crons   map[types.NamespacedName]cdiv1beta1.DataImportCron
	wanted  map[types.NamespacedName]bool // DataSources
	blocked []fate
}

// strange is an annotation of the DataSources of strangers.
const strange = "test/stranger"

func (p *player) addStranger(e Event) {
	k := Key(GoldenImages, e.Other)
	if _, taken := p.Crons[Key(GoldenImages, e.Name)]; !taken {
		p.AddStranger(e.Name, e.Other)
	}
	if _, taken := p.DataSources[k]; !taken && e.Yes {
		p.AddOwnImage(e.Other)
		p.EditDataSource(e.Other, func(ds *cdiv1beta1.DataSource) { metav1.SetMetaDataAnnotation(&ds.ObjectMeta, strange, "yes") })
	}
}

// expect works out what the templates come to now.
func (p *player) expect() {
	c := p.Cluster.clone()
	client := p.Client()
	c.OwnImages = oracleOwnImages(client.DataSources(), client.Claims(), nil)
	templates := copyTemplates(p.Templates)
	e := oracleExpand(templates, c)
	p.crons, p.wanted, p.blocked = map[types.NamespacedName]cdiv1beta1.DataImportCron{}, map[types.NamespacedName]bool{}, nil
	for _, cron := range e.Crons {
		p.crons[Key(cron.Namespace, cron.Name)] = cron
		p.wanted[Key(cron.Namespace, cron.Spec.ManagedDataSource)] = true
	}
	for _, r := range e.References {
		p.wanted[Key(r.Namespace, r.Name)] = true
	}
	for _, f := range oracleFates(templates, c) {
		if f.blocked && f.template.Spec.ManagedDataSource != "" {
			p.blocked = append(p.blocked, f)
		}
	}
}

// keeps reports whether the DataSource is not to lose its image: it should exist, or it is
// the reference of a blocked template, or that of one of its crons.
func (p *player) keeps(k types.NamespacedName) bool {
	reference := p.DataSources[k].Spec.Source.DataSource != nil
	return p.wanted[k] || slices.ContainsFunc(p.blocked, func(f fate) bool {
		rest, ok := strings.CutPrefix(k.Name, f.template.Spec.ManagedDataSource)
		return ok && k.Namespace == f.namespace && (rest == "" || !reference && slices.Contains(payload, strings.TrimPrefix(rest, "-")))
	})
}

// reconcile runs the operator once, looks at each of its writes, and returns how many
// there were.
func (p *player) reconcile(fails uint16) int {
	p.expect()
	strangers := p.strangers()
	c := p.Client()
	n := 0
	c.fails = func(Write) error {
		n++
		if fails>>(n%16)&1 == 1 {
			return errWrite
		}
		return nil
	}
	var keep []types.NamespacedName // that have an image before the write
	replaced := false
	c.before = func(w Write) {
		keep = slices.DeleteFunc(p.Booting(), func(k types.NamespacedName) bool { return !p.keeps(k) })
		replaced = w.Verb == "Delete" && w.Kind == "DataImportCron" && p.replaces(w)
		if w.Verb != "Delete" || w.Kind != "DataImportCron" || replaced {
			return
		}
		for _, k := range p.Victims(w.Key) {
			// What the cron managed before may be anybody's, unless it should exist.
			if p.wanted[k] || slices.Contains(keep, k) && p.Crons[w.Key].Spec.ManagedDataSource == k.Name {
				p.lose(w, k)
			}
		}
	}
	c.after = func(w Write, _ error) {
		for _, k := range keep {
			if !replaced && !p.Boots(k) {
				p.lose(w, k)
			}
		}
	}
	_ = p.World.reconcile(c) // tried again
	if !reflect.DeepEqual(strangers, p.strangers()) {
		p.mishaps.Others = append(p.mishaps.Others, p.at("an object of somebody else was changed"))
	}
	return n
}

// replaces reports whether a deletion makes room for a cron of the name, and notes if
// that one is refused.
func (p *player) replaces(w Write) bool {
	want, ok := p.crons[w.Key]
	if !ok || sameSpec(want.Spec, p.Crons[w.Key].Spec) {
		return false
	}
	if why := p.Refuses(want); why != "" {
		p.mishaps.Refused = append(p.mishaps.Refused, p.at(w.String()+" for one that is refused: "+why))
	}
	return true
}

func sameSpec(a, b cdiv1beta1.DataImportCronSpec) bool {
	a.Template.ObjectMeta, b.Template.ObjectMeta = metav1.ObjectMeta{}, metav1.ObjectMeta{}
	return equality.Semantic.DeepEqual(a, b)
}

func (p *player) lose(w Write, k types.NamespacedName) {
	p.mishaps.Lost = append(p.mishaps.Lost, p.at(w.String()+" takes the image from "+k.String()))
}

func (p *player) at(text string) string { return fmt.Sprintf("event %d: %s", p.event, text) }

// quiet lets everybody come to an end with the templates as they are.
func (p *player) quiet() {
	p.Slow = false
	for round, still := 0, 0; round < maxRounds && still < 2; round++ {
		p.FinishDeletions()
		p.Run()
		if p.reconcile(0) == 0 {
			still++
		} else {
			still = 0
		}
	}
}

// maxRounds is more than any history takes to come to an end.
const maxRounds = rounds + rounds/2

// owned reports whether an object carries the marks of the operator.
func owned(o metav1.ObjectMeta) bool {
	c := TwoArchitectures()
	return has(o.Labels, c.Labels) && has(o.Annotations, c.Annotations)
}

func has(m, marks map[string]string) bool {
	for k, v := range marks {
		if m[k] != v {
			return false
		}
	}
	return true
}

// strangers returns copies of what is somebody else's.
func (p *player) strangers() map[string]any {
	all := map[string]any{}
	for k, c := range p.Crons {
		if !owned(c.ObjectMeta) {
			all["cron "+k.String()] = *c.DeepCopy()
		}
	}
	for k, ds := range p.DataSources {
		if ds.Annotations[strange] != "" {
			all["DataSource "+k.String()] = *ds.DeepCopy()
		}
	}
	return all
}

// end has all go well with templates that nothing is wrong with: strangers leave, what
// nobody could tell the owner of goes with them, every node is known, and there are new
// images now and then. Then everything must be there, and nothing else.
func (p *player) end(last []Template) {
	p.Cluster, p.NoAnswer = TwoArchitectures(), false
	p.Templates = copyTemplates(last)
	p.FinishDeletions()
	p.Run()
	maps.DeleteFunc(p.Crons, func(_ types.NamespacedName, c cdiv1beta1.DataImportCron) bool { return !owned(c.ObjectMeta) })
	maps.DeleteFunc(p.DataSources, func(_ types.NamespacedName, ds cdiv1beta1.DataSource) bool {
		return ds.Annotations[strange] != "" || !owned(ds.ObjectMeta) && ds.Labels[cronLabel] == "" && !p.imported(ds)
	})
	p.Images = map[string]string{}
	// A cron that takes over finds the image of another one, which goes with that one, and
	// several may have to go one after the other: each waits for an image of its own.
	for n := range maxImages {
		p.quiet()
		p.expect()
		p.mishaps.Unsettled = nil
		if p.compare(); p.mishaps.Unsettled == nil {
			break
		}
		for _, crons := range []map[types.NamespacedName]cdiv1beta1.DataImportCron{p.Crons, p.crons} {
			for _, c := range crons {
				p.Images[ImageOf(&c)] = fmt.Sprintf("last-%d", n)
			}
		}
	}
	c := p.Client()
	c.before = func(w Write) { p.unsettled("still: " + w.String()) }
	_ = p.World.reconcile(c)
}

// maxImages is more than any chain of crons needs.
const maxImages = 8

// imported reports whether the image of a DataSource tells that a cron imported it.
func (p *player) imported(ds cdiv1beta1.DataSource) bool {
	source := ds.Spec.Source.PVC
	return source != nil && p.Claims[Key(ds.Namespace, source.Name)].Labels[cronLabel] != ""
}

func (p *player) unsettled(text string) { p.mishaps.Unsettled = append(p.mishaps.Unsettled, text) }

// compare holds what there is against what there should be.
func (p *player) compare() {
	for _, k := range slices.SortedFunc(maps.Keys(p.Crons), compareKeys) {
		if _, ok := p.crons[k]; !ok {
			p.unsettled("left over: the cron " + k.String())
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(p.crons), compareKeys) {
		switch live, ok := p.Crons[k]; {
		case !ok:
			p.unsettled("missing: the cron " + k.String())
		case !sameSpec(live.Spec, p.crons[k].Spec):
			p.unsettled("another spec: the cron " + k.String())
		case !p.Updates(k):
			p.unsettled("not updated: the DataSource of the cron " + k.String())
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(p.wanted), compareKeys) {
		if !p.Boots(k) {
			p.unsettled("no image: the DataSource " + k.String())
		}
	}
}

func historyProperties() []property {
	of := func(rule string, part func(Mishaps) []string, toTheEnd bool) property {
		return property{Rule: rule, Name: "any history", Implemented: hasReconcile, Call: func(t *rapid.T, i Impl) outcome {
			h := Histories().Draw(t, "history")
			return outcome{Input: h, Want: []string(nil), Got: part(h.play(func() Impl { return i }, toTheEnd))}
		}}
	}
	return []property{
		of("history-keeps-images", func(m Mishaps) []string { return m.Lost }, false),
		of("history-asks-first", func(m Mishaps) []string { return m.Refused }, false),
		of("history-leaves-others-alone", func(m Mishaps) []string { return m.Others }, false),
		of("history-settles", func(m Mishaps) []string { return m.Unsettled }, true),
	}
}
