package dictexpand_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
)

// A history is a cluster with CDI, an operator that carries out plans, people who
// edit templates, nodes that come and go, and strangers.
type history struct {
	*model
	templates []dictexpand.Template
	o         dictexpand.Options
	e         dictexpand.Expansion
	log       []string
}

// policy is a schedule that only the API server can judge.
const policy = "13 13 * * *"

// TestPlanProperties lives through histories, as those of package dictexpandtest do, which
// hold what comes of the steps. Writes fail, CDI and the garbage collector lag. Here the
// steps themselves are looked at:
//
//   - neither the order of what exists nor that of the templates shows in them;
//   - no step of a kind that cannot be, and none for a blocked template;
//   - a deletion says which images go with it;
//   - in the end everything is as it should be, and CDI lets every cron update its
//     DataSource, or a step says why not.
func TestPlanProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &history{model: newModel(), o: twoArchitectures()}
		h.o.Owner = owner()
		h.Before160 = rapid.Bool().Draw(t, "before 1.60")
		h.Refuses = func(c cdiv1beta1.DataImportCron) string {
			if c.Spec.Schedule == policy {
				return "policy"
			}
			return dictexpandtest.Webhook(c)
		}
		events := map[string]func(*rapid.T){
			"":                       func(t *rapid.T) { h.checkSummary(t) },
			"templates are replaced": func(t *rapid.T) { h.templates = genTemplates().Draw(t, "templates") },
			"a template is edited":   h.edit,
			"the cluster changes": func(t *rapid.T) {
				h.o = genOptions().Draw(t, "options")
				h.o.OwnImages = nil
			},
			"a stranger comes":        func(t *rapid.T) { addStranger(t, h.model) },
			"a label is taken away":   h.unlabel,
			"there is a new image":    h.publish,
			"the operator reconciles": func(t *rapid.T) { h.reconcileAll(t, true) },
			"all is well for a while": func(t *rapid.T) { h.quiet(t) },
			"CDI looks at a cron": func(t *rapid.T) {
				if all := h.Pending(); len(all) > 0 {
					h.Look(rapid.SampledFrom(all).Draw(t, "cron"))
				}
			},
			"garbage is collected": func(*rapid.T) { h.CollectGarbage() },
			"deletions are through": func(t *rapid.T) {
				h.FinishDeletions()
				h.Slow = rapid.Bool().Draw(t, "slow")
			},
		}
		t.Repeat(events)
		h.finish(t)
	})
}

// edit changes something of one template.
func (h *history) edit(t *rapid.T) {
	if len(h.templates) == 0 {
		t.Skip("no template")
	}
	h.templates = slices.Clone(h.templates)
	i := rapid.IntRange(0, len(h.templates)-1).Draw(t, "index")
	other := genTemplate().Draw(t, "other")
	x := dictexpand.Template{ObjectMeta: *h.templates[i].ObjectMeta.DeepCopy(), Spec: *h.templates[i].Spec.DeepCopy()}
	switch rapid.SampledFrom([]string{"rename", "annotate", "aim", "schedule", "refuse", "retain", "all", "remove"}).Draw(t, "what") {
	case "rename":
		x.Name = other.Name
	case "annotate":
		x.Annotations = other.Annotations
	case "aim":
		x.Spec.ManagedDataSource = other.Spec.ManagedDataSource
	case "schedule":
		x.Spec.Schedule = other.Spec.Schedule
	case "refuse":
		x.Spec.Schedule = policy
	case "retain":
		x.Spec.RetentionPolicy = other.Spec.RetentionPolicy
	case "all":
		x = other
	case "remove":
		h.templates = slices.Delete(h.templates, i, i+1)
		return
	}
	metav1.SetMetaDataAnnotation(&x.ObjectMeta, bornOf, "name "+x.Name)
	h.templates[i] = x
}

// unlabel takes CDI's label from a DataSource.
func (h *history) unlabel(t *rapid.T) {
	keys := slices.SortedFunc(maps.Keys(h.DataSources), func(a, b types.NamespacedName) int { return strings.Compare(a.String(), b.String()) })
	if len(keys) == 0 {
		t.Skip("no DataSource")
	}
	k := rapid.SampledFrom(keys).Draw(t, "DataSource")
	ds := h.DataSources[k]
	ds = *ds.DeepCopy()
	delete(ds.Labels, dictexpand.LabelDataImportCron)
	h.DataSources[k] = ds
}

// publish makes something lead to another digest, or to none.
func (h *history) publish(t *rapid.T) {
	for _, managed := range []string{"m", "n", "o", "p", "m-amd64", "n-arm64"} {
		for _, a := range []string{"", "amd64", "arm64", "s390x", "ppc64le"} {
			h.Images["docker://quay.io/containerdisks/"+managed+" "+a] = rapid.SampledFrom([]string{dictexpandtest.FirstDigest, "second", "third", ""}).Draw(t, "digest")
		}
	}
}

// reconcileAll is one run of the operator, which may fail at any write.
func (h *history) reconcileAll(t *rapid.T, fails bool) []dictexpand.Step {
	h.o.OwnImages = dictexpand.OwnImages(h.existing())
	h.e = dictexpand.Expand(h.templates, h.o)
	have := h.existing()
	raw := dictexpand.Plan(h.e, have)
	if diff := cmp.Diff(raw, dictexpand.Plan(h.e, h.existing())); diff != "" {
		t.Fatalf("the order of what exists shows:\n%s", diff)
	}
	shuffled := rapid.Permutation(h.templates).Draw(t, "order")
	if diff := cmp.Diff(raw, dictexpand.Plan(dictexpand.Expand(shuffled, h.o), have)); diff != "" {
		t.Fatalf("the order of the templates shows:\n%s", diff)
	}
	steps := h.plan(h.e).Steps
	checkSteps(t, steps, h.e, h.model, h.o)
	checkBlockedCrons(t, steps, h.e.BlockedCrons(have.Crons))
	stays := map[string]bool{} // crons whose deletion failed
	for _, s := range steps {
		if s.Verb == dictexpand.VerbCreate && stays[s.Kind+s.Namespace+"/"+s.Name] {
			continue // AlreadyExists
		}
		if s.Writes() && fails && rapid.IntRange(0, 3).Draw(t, "fails") == 0 {
			stays[s.Kind+s.Namespace+"/"+s.Name] = true
			h.log = append(h.log, "failed: "+strings.TrimSpace(format(s)))
			continue
		}
		h.take(t, s)
	}
	return steps
}

// take takes a step, and checks that it says which images go with it.
func (h *history) take(t *rapid.T, s dictexpand.Step) {
	if s.Writes() {
		h.log = append(h.log, strings.TrimSpace(format(s)))
	}
	if s.Verb == dictexpand.VerbDelete && s.Kind == dictexpand.KindDataImportCron && s.Data != dictexpand.DataDeleted {
		for _, ds := range h.Victims(key(s.Namespace, s.Name)) {
			t.Fatalf("%s takes the image from %v\n%s", strings.TrimSpace(format(s)), ds, h)
		}
	}
	h.apply(t, []dictexpand.Step{s})
}

// quiet lets everybody come to an end with the templates as they are, and returns
// the last plan.
func (h *history) quiet(t *rapid.T) []dictexpand.Step {
	h.Slow = false
	for range 12 {
		h.FinishDeletions()
		h.Run()
		h.reconcileAll(t, false)
	}
	last := h.plan(h.e).Steps
	if s := writes(slices.DeleteFunc(slices.Clone(last), h.refused)); s != "" {
		t.Fatalf("still wants to:\n%s%s", s, h)
	}
	return last
}

// refused reports whether the step creates what CDI does not want.
func (h *history) refused(s dictexpand.Step) bool {
	return s.Verb == dictexpand.VerbCreate && s.Cron != nil && h.Refuses(*s.Cron) != ""
}

// finish checks that all is as it should be in the end, with something new to
// import.
func (h *history) finish(t *rapid.T) {
	h.quiet(t)
	h.Images = map[string]string{}
	for _, c := range h.Crons {
		h.Images[dictexpandtest.ImageOf(&c)] = "last"
	}
	for _, c := range h.e.Crons {
		h.Images[dictexpandtest.ImageOf(&c.Object)] = "last"
	}
	last := h.quiet(t)
	checkReached(t, last, h.e, h.model)
	h.checkUpdatable(t, last)
	if !slices.ContainsFunc(last, func(s dictexpand.Step) bool { return s.Verb == dictexpand.VerbLeaveAlone || h.refused(s) }) &&
		slices.ContainsFunc(last, func(s dictexpand.Step) bool { return s.Verb == dictexpand.VerbWait }) {
		t.Fatalf("waits for nothing:\n%s%s", all(last), h)
	}
}

// checkUpdatable: CDI lets every cron of ours update its DataSource, or a step says
// why not.
func (h *history) checkUpdatable(t *rapid.T, last []dictexpand.Step) {
	for _, c := range h.e.Crons {
		k := key(c.Object.Namespace, c.Object.Name)
		live, exists := h.Crons[k]
		if !exists || live.Spec.ManagedDataSource != c.Object.Spec.ManagedDataSource || h.Updatable(k) {
			continue
		}
		if !slices.ContainsFunc(last, func(s dictexpand.Step) bool {
			said := s.Verb == dictexpand.VerbLeaveAlone || s.Verb == dictexpand.VerbWait
			return said && (key(s.Namespace, s.Name) == k || s.Kind == dictexpand.KindDataSource && s.Name == live.Spec.ManagedDataSource)
		}) {
			t.Fatalf("CDI does not let %v update %s\n%s%s", k, live.Spec.ManagedDataSource, all(last), h)
		}
	}
}

func (h *history) checkSummary(t *rapid.T) {
	for k, ds := range h.DataSources {
		if to := ds.Spec.Source.DataSource; to != nil && ds.Spec.Source.PVC != nil {
			t.Fatalf("%v leads to an image and to a DataSource", k)
		}
	}
}

// String returns what was done, and what there is.
func (h *history) String() string {
	var b strings.Builder
	for _, line := range h.log[max(0, len(h.log)-30):] {
		fmt.Fprintf(&b, "%s\n", line)
	}
	for _, x := range h.templates {
		fmt.Fprintf(&b, "template %s/%s manages %s %q %s\n", x.Namespace, x.Name, x.Spec.ManagedDataSource, x.Annotations[dictexpand.AnnotationArchitectures], x.Spec.Schedule)
	}
	fmt.Fprintf(&b, "%+v\n", h.o)
	for k, c := range h.Crons {
		fmt.Fprintf(&b, "cron %v manages %s\n", k, c.Spec.ManagedDataSource)
	}
	for k, ds := range h.DataSources {
		fmt.Fprintf(&b, "DataSource %v %v %+v\n", k, ds.Labels, ds.Spec.Source)
	}
	for k, c := range h.Claims {
		fmt.Fprintf(&b, "claim %v %v\n", k, c.Labels)
	}
	return b.String()
}

// addStranger adds an object of somebody else under a name that may be ours.
func addStranger(t *rapid.T, m *model) {
	w := dictexpandtest.World{CDI: m.CDI}
	name := rapid.SampledFrom([]string{"x-amd64", "y", "stranger"}).Draw(t, "stranger name")
	managed := rapid.SampledFrom([]string{"m", "m-amd64", "n", "q"}).Draw(t, "stranger managedDataSource")
	if _, taken := m.Crons[key(goldenImages, name)]; !taken {
		w.AddStranger(name, managed)
	}
	if _, taken := m.DataSources[key(goldenImages, managed)]; !taken && rapid.Bool().Draw(t, "stranger DataSource") {
		w.AddOwnImage(managed)
	}
}

func checkSteps(t *rapid.T, steps []dictexpand.Step, want dictexpand.Expansion, m *model, o dictexpand.Options) {
	blocked := want.Blocked()
	deleted := map[types.NamespacedName]bool{}
	created := false
	for _, s := range steps {
		k := key(s.Namespace, s.Name)
		if s.Kind == dictexpand.KindDataImportCron && s.Verb == dictexpand.VerbUpdate {
			t.Fatalf("updates the cron %v", k)
		}
		if s.Verb == dictexpand.VerbCreate && s.Kind == dictexpand.KindDataImportCron {
			created = true
		}
		if s.Verb != dictexpand.VerbDelete {
			continue
		}
		if o.ArchitecturesIncomplete {
			t.Fatalf("deletes the %s %v, and not all architectures are known", s.Kind, k)
		}
		if s.Kind == dictexpand.KindDataSource {
			if slices.ContainsFunc(want.Outcomes, func(o dictexpand.Outcome) bool { return o.Blocked && o.DataSource == s.Name }) {
				t.Fatalf("deletes the reference %v of a blocked template", k)
			}
			target := m.DataSources[k].Spec.Source.DataSource.Name
			for ck, c := range m.Crons {
				if slices.ContainsFunc(want.Crons, func(w dictexpand.Cron) bool { return key(w.Object.Namespace, w.Object.Name) == ck }) {
					continue // another template's by now
				}
				born, ok := strings.CutPrefix(c.Annotations[bornOf], "name ")
				if ok && slices.Contains(blocked, born) && ck.Namespace == k.Namespace && c.Spec.ManagedDataSource == target && c.DeletionTimestamp == nil {
					t.Fatalf("deletes the reference %v to the cron %v of the blocked template %q", k, ck, born)
				}
			}
			continue
		}
		if created || deleted[k] {
			t.Fatalf("deletes the cron %v after a creation, or twice", k)
		}
		deleted[k] = true
		live := m.Crons[k]
		// A cron that is replaced is not lost: its own template is sound. One name
		// may have been passed from one template to another, though.
		if born, ok := strings.CutPrefix(live.Annotations[bornOf], "name "); ok && s.Reason != dictexpand.ReasonSpecChanged && slices.Contains(blocked, born) {
			t.Fatalf("deletes the cron %v of the blocked template %q", k, born)
		}
		if none := live.Spec.RetentionPolicy != nil && *live.Spec.RetentionPolicy == cdiv1beta1.DataImportCronRetainNone; none && s.Data != dictexpand.DataDeleted {
			t.Fatalf("deletion of %v says that data is %s", k, s.Data) // the model checks the reverse
		}
	}
}

// checkBlockedCrons: Plan leaves alone what BlockedCrons returns, and nothing else
// for that reason.
func checkBlockedCrons(t *rapid.T, steps []dictexpand.Step, blocked []types.NamespacedName) {
	for _, s := range steps {
		if s.Kind != dictexpand.KindDataImportCron {
			continue
		}
		i := slices.Index(blocked, key(s.Namespace, s.Name))
		left := s.Reason == dictexpand.ReasonTemplateBlocked
		if i < 0 && left || i >= 0 && !left && s.Reason != dictexpand.ReasonBeingDeleted {
			t.Fatalf("step %s %s of %s/%s, blocked crons are %v", s.Verb, s.Reason, s.Namespace, s.Name, blocked)
		}
		if i >= 0 {
			blocked = slices.Delete(slices.Clone(blocked), i, i+1)
		}
	}
	if len(blocked) > 0 {
		t.Fatalf("no step for the blocked crons %v", blocked)
	}
}

// checkReached: what should exist does, unless the last plan says why not; what
// exists and is the owner's should, likewise.
func checkReached(t *rapid.T, last []dictexpand.Step, want dictexpand.Expansion, m *model) {
	excused := map[string]bool{}
	for _, s := range last {
		if s.Verb == dictexpand.VerbLeaveAlone || s.Verb == dictexpand.VerbWait || s.Verb == dictexpand.VerbCreate { // which CDI refuses
			excused[s.Kind+" "+s.Namespace+"/"+s.Name] = true
		}
	}
	wanted := map[types.NamespacedName]bool{}
	for _, c := range want.Crons {
		k := key(c.Object.Namespace, c.Object.Name)
		wanted[k] = true
		spec := c.Object.DeepCopy().Spec
		spec.Template.ObjectMeta = metav1.ObjectMeta{}
		if live, ok := m.Crons[k]; !excused["DataImportCron "+k.String()] && (!ok || !equality.Semantic.DeepEqual(live.Spec, spec)) {
			t.Fatalf("the cron %v should exist as wanted", k)
		}
	}
	for k, c := range m.Crons {
		if !wanted[k] && !excused["DataImportCron "+k.String()] {
			t.Fatalf("the cron %v should not exist: %+v", k, c.ObjectMeta)
		}
	}
	for _, r := range want.References {
		k := key(r.Namespace, r.Name)
		if live, ok := m.DataSources[k]; !excused["DataSource "+k.String()] &&
			(!ok || !equality.Semantic.DeepEqual(live.Spec, r.DataSource().Spec) || live.Labels[dictexpand.LabelDataImportCron] != "") {
			t.Fatalf("the reference %v should exist as wanted: %+v", k, live)
		}
	}
}
