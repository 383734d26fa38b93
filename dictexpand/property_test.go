package dictexpand_test

import (
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
)

// bornOf is an annotation that templates of these tests carry and pass on: which
// template a cron was made of, whatever becomes of names.
const bornOf = "test/born-of"

// The names are few and alike, so that collisions, renamings and takeovers come
// up often.
func genTemplate() *rapid.Generator[dictexpand.Template] {
	return rapid.Custom(func(t *rapid.T) dictexpand.Template {
		name := rapid.SampledFrom([]string{"x", "y", "z", "x-amd64", "y-arm64", strings.Repeat("l", 57), ""}).Draw(t, "name")
		x := template(
			name,
			rapid.SampledFrom([]string{"m", "n", "o", "m-amd64", "n-arm64", "p"}).Draw(t, "managedDataSource"),
			strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"amd64", "arm64", "s390x", "ppc64le", "x86_64", " ", "adm64"}), 0, 4).Draw(t, "listed"), ","),
		)
		x.Namespace = rapid.SampledFrom([]string{"", "", "", goldenImages, "custom"}).Draw(t, "namespace")
		x.Spec.Schedule = rapid.SampledFrom([]string{"0 */12 * * *", "0 0 * * *"}).Draw(t, "schedule")
		x.Labels = rapid.SampledFrom([]map[string]string{nil, nil, {"l": "1"}, {"l": "2"}}).Draw(t, "labels")
		metav1.SetMetaDataAnnotation(&x.ObjectMeta, bornOf, "name "+name)
		x.Spec.RetentionPolicy = rapid.SampledFrom([]*cdiv1beta1.DataImportCronRetentionPolicy{
			nil, nil, ptr(cdiv1beta1.DataImportCronRetainAll), ptr(cdiv1beta1.DataImportCronRetainNone),
		}).Draw(t, "retentionPolicy")
		if rapid.IntRange(0, 9).Draw(t, "no registry") == 0 {
			x.Spec.Template.Spec.Source = nil
		}
		if rapid.IntRange(0, 9).Draw(t, "platform") == 0 && x.Spec.Template.Spec.Source != nil {
			x.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "amd64"}
		}
		x.Spec.Template.Labels = map[string]string{"pruned": "yes"}
		return x
	})
}

func genTemplates() *rapid.Generator[[]dictexpand.Template] {
	return rapid.SliceOfN(genTemplate(), 0, 5)
}

func genOptions() *rapid.Generator[dictexpand.Options] {
	return rapid.Custom(func(t *rapid.T) dictexpand.Options {
		archs := rapid.Permutation([]string{"amd64", "arm64", "s390x", "ppc64le"})
		some := func(label string) []string {
			return archs.Draw(t, label)[:rapid.IntRange(0, 4).Draw(t, label+" number")]
		}
		o := dictexpand.Options{
			MultiArch: rapid.IntRange(0, 3).Draw(t, "multi") > 0,
			Namespace: goldenImages, Owner: owner(),
			Architectures:           some("architectures"),
			WorkloadArchitectures:   some("workload"),
			Supported:               some("supported"),
			ArchitecturesIncomplete: rapid.IntRange(0, 4).Draw(t, "incomplete") == 0,
		}
		if rapid.Bool().Draw(t, "made per architecture") {
			o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "p", Architectures: some("made")}}
		}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"m", "n-amd64", "o-arm64", "p-amd64"}), 0, 1).Draw(t, "own images") {
			o.OwnImages = append(o.OwnImages, key(goldenImages, name))
		}
		return o
	})
}

func TestExpandProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		templates, o := genTemplates().Draw(t, "templates"), genOptions().Draw(t, "options")
		e := dictexpand.Expand(templates, o)

		// Names and DataSources are unique, or reported and not there.
		crons, dataSources := map[types.NamespacedName]bool{}, map[types.NamespacedName]bool{}
		for _, c := range e.Crons {
			k, ds := key(c.Object.Namespace, c.Object.Name), key(c.Object.Namespace, c.Object.Spec.ManagedDataSource)
			if crons[k] || dataSources[ds] {
				t.Fatalf("two crons %v or DataSources %v", k, ds)
			}
			crons[k], dataSources[ds] = true, true
		}
		targets := map[types.NamespacedName]bool{}
		for k := range dataSources {
			targets[k] = true
		}
		for _, k := range o.OwnImages {
			targets[k] = true
		}
		for _, r := range e.References {
			k := key(r.Namespace, r.Name)
			if dataSources[k] {
				t.Fatalf("the reference %v is another reference's or a cron's DataSource", k)
			}
			dataSources[k] = true
			if !targets[key(r.Namespace, r.Target)] {
				t.Fatalf("the reference %v dangles: %s", k, r.Target)
			}
		}

		// The number of crons is the number of compatible architectures, whose
		// DataSources are no user's.
		want := 0
		blocked := e.Blocked()
		for i, out := range e.Outcomes {
			if out.Template != templates[i].Name || out.Blocked != slices.Contains([]dictexpand.OutcomeReason{
				dictexpand.ReasonInvalid, dictexpand.ReasonConflict, dictexpand.ReasonNoCompatibleArchitecture}, out.Reason) {
				t.Fatalf("outcome %d is %+v", i, out)
			}
			if out.Blocked != slices.Contains(blocked, out.Template) && out.Blocked {
				t.Fatalf("%q is blocked and not in %q", out.Template, blocked)
			}
			if out.Blocked {
				continue
			}
			owned := func(name string) bool { return slices.Contains(o.OwnImages, key(out.Namespace, name)) }
			switch out.Reason {
			case dictexpand.ReasonPerArchitecture:
				for _, a := range dictexpand.ParseArchitectures(templates[i].Annotations[dictexpand.AnnotationArchitectures]) {
					if slices.Contains(o.Architectures, a) && (len(o.Supported) == 0 || slices.Contains(o.Supported, a)) && !owned(out.DataSource+"-"+a) {
						want++
					}
				}
			case dictexpand.ReasonAutoUpdateOff:
			default:
				want++
			}
		}
		if len(e.Crons) != want {
			t.Fatalf("%d crons, want %d", len(e.Crons), want)
		}
		if (len(e.Problems) > 0) != slices.ContainsFunc(e.Outcomes, func(o dictexpand.Outcome) bool {
			return o.Reason == dictexpand.ReasonInvalid || o.Reason == dictexpand.ReasonConflict
		}) {
			t.Fatalf("problems %v beside outcomes %+v", e.Problems, e.Outcomes)
		}

		// The order of the templates shows in the outcomes only.
		order := rapid.Permutation(indices(len(templates))).Draw(t, "order")
		var shuffled []dictexpand.Template
		var outcomes []dictexpand.Outcome
		for _, i := range order {
			shuffled = append(shuffled, templates[i])
			outcomes = append(outcomes, e.Outcomes[i])
		}
		again := e
		again.Outcomes = outcomes
		if diff := cmp.Diff(again, dictexpand.Expand(shuffled, o)); diff != "" {
			t.Fatalf("the order of the templates shows:\n%s", diff)
		}
	})
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// TestPlanProperties lives through a history: templates and the cluster change,
// objects are deleted slowly or at once, strangers come along, and CDI works or
// does not. After each plan the same things must hold.
func TestPlanProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel()
		for range rapid.IntRange(1, 6).Draw(t, "length") {
			templates, o := genTemplates().Draw(t, "templates"), genOptions().Draw(t, "options")
			m.slow = rapid.Bool().Draw(t, "slow")
			if rapid.IntRange(0, 4).Draw(t, "stranger") == 0 {
				addStranger(t, m)
			}
			want := dictexpand.Expand(templates, o)
			have := m.existing()
			steps := m.plan(want).Steps
			if diff := cmp.Diff(steps, m.plan(want).Steps); diff != "" {
				t.Fatalf("the order of what exists shows:\n%s", diff)
			}
			checkSteps(t, steps, want, m, o)
			checkBlockedCrons(t, steps, want.BlockedCrons(have.Crons))
			strangers := m.strangers()
			m.apply(t, steps)
			if diff := cmp.Diff(strangers, m.strangers()); diff != "" {
				t.Fatalf("objects of others changed:\n%s", diff)
			}

			// Once deletions are through, one more plan reaches the desired set, and
			// then there is nothing left to do, whether CDI worked or not.
			m.finishDeletions()
			m.slow = false
			m.apply(t, m.plan(want).Steps)
			if rapid.Bool().Draw(t, "CDI works") {
				m.runCDI()
			}
			last := m.plan(want).Steps
			if s := writes(last); s != "" {
				t.Fatalf("still wants to:\n%s", s)
			}
			checkReached(t, last, want, m)
		}
	})
}

// addStranger adds an object of somebody else under a name that may be ours.
func addStranger(t *rapid.T, m *model) {
	name := rapid.SampledFrom([]string{"x-amd64", "y", "stranger"}).Draw(t, "stranger name")
	managed := rapid.SampledFrom([]string{"m", "m-amd64", "n", "q"}).Draw(t, "stranger managedDataSource")
	c := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: name}}
	c.Spec.ManagedDataSource = managed
	if _, taken := m.crons[key(goldenImages, name)]; !taken {
		m.addCron(c)
	}
	if _, taken := m.dataSources[key(goldenImages, managed)]; !taken && rapid.Bool().Draw(t, "stranger DataSource") {
		m.addDataSource(cdiv1beta1.DataSource{
			ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: managed},
			Spec:       cdiv1beta1.DataSourceSpec{Source: cdiv1beta1.DataSourceSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Name: "own"}}},
		})
	}
}

// strangers returns the crons that are not the owner's, and DataSources that are
// neither the owner's nor of a cron.
func (m *model) strangers() map[types.NamespacedName]any {
	all := map[types.NamespacedName]any{}
	owned := func(meta *metav1.ObjectMeta) bool {
		return meta.Labels["app.kubernetes.io/managed-by"] == "ssp-operator" && meta.Annotations["operator-sdk/primary-resource"] == "kubevirt/ssp"
	}
	for k, c := range m.crons {
		if !owned(&c.ObjectMeta) {
			all[key("cron "+k.Namespace, k.Name)] = *c.DeepCopy()
		}
	}
	for k, ds := range m.dataSources {
		if !owned(&ds.ObjectMeta) && ds.Labels[dictexpand.LabelDataImportCron] == "" {
			all[key("DataSource "+k.Namespace, k.Name)] = *ds.DeepCopy()
		}
	}
	return all
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
			target := m.dataSources[k].Spec.Source.DataSource.Name
			for ck, c := range m.crons {
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
		live := m.crons[k]
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
		if s.Verb == dictexpand.VerbLeaveAlone || s.Verb == dictexpand.VerbWait {
			excused[s.Kind+" "+s.Namespace+"/"+s.Name] = true
		}
	}
	wanted := map[types.NamespacedName]bool{}
	for _, c := range want.Crons {
		k := key(c.Object.Namespace, c.Object.Name)
		wanted[k] = true
		spec := c.Object.DeepCopy().Spec
		spec.Template.ObjectMeta = metav1.ObjectMeta{}
		if live, ok := m.crons[k]; !excused["DataImportCron "+k.String()] && (!ok || !equality.Semantic.DeepEqual(live.Spec, spec)) {
			t.Fatalf("the cron %v should exist as wanted", k)
		}
	}
	for k, c := range m.crons {
		if !wanted[k] && !excused["DataImportCron "+k.String()] {
			t.Fatalf("the cron %v should not exist: %+v", k, c.ObjectMeta)
		}
	}
	for _, r := range want.References {
		k := key(r.Namespace, r.Name)
		if live, ok := m.dataSources[k]; !excused["DataSource "+k.String()] &&
			(!ok || !equality.Semantic.DeepEqual(live.Spec, r.DataSource().Spec) || live.Labels[dictexpand.LabelDataImportCron] != "") {
			t.Fatalf("the reference %v should exist as wanted: %+v", k, live)
		}
	}
}
