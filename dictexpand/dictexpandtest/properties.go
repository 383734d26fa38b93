package dictexpandtest

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// Each property draws only what its rule speaks of, so that a mistake fails the rules
// that it breaks and no others.
func properties() []property {
	return []property{
		{Rule: "blanks-do-not-matter", Name: "any value", Implemented: hasArchitectures, Call: anyValue},
		{Rule: "unusable-architecture-is-skipped", Name: "any list on any cluster", Implemented: hasExpand, Call: anyList},
		{Rule: "metadata-is-valid", Name: "any name", Implemented: hasExpand, Call: anyName},
		{Rule: "names-are-needed-once", Name: "templates of few names", Implemented: hasExpand, Call: fewNames},
		{Rule: "reference-has-an-image", Name: "any order of preference", Implemented: hasExpand, Call: anyPreference},
		{Rule: "blocked-as-a-whole", Name: "sound templates beside one with a mistake", Implemented: hasExpand, Call: oneMistake},
		{Rule: "order-of-templates", Name: "any templates", Implemented: hasExpand, Call: anyOrder},
		{Rule: "imported-is-not-own", Name: "whatever somebody does to labels", Implemented: hasOwnImages, Call: anyLabels},
		{Rule: "nothing-to-do", Name: "sound templates, once they have settled", Implemented: hasReconcile, Call: settled},
	}
}

func anyValue(t *rapid.T, i Impl) outcome {
	value := rapid.StringOf(rapid.RuneFrom([]rune("amd64, \tx_"))).Draw(t, "value")
	return outcome{Input: value, Want: append([]string{}, oracleArchitectures(value)...), Got: append([]string{}, i.Architectures(value)...)}
}

// anyList compares the crons of one template.
func anyList(t *rapid.T, i Impl) outcome {
	listed := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"amd64", "arm64", "s390x", "ppc64le", "x86_64", "adm64"}), 1, 4, rapid.ID[string]).Draw(t, "listed")
	c := AnyCluster().Draw(t, "cluster")
	c.MultiArch, c.OwnImages, c.Made = true, nil, nil
	return compareExpansions(one("x", "m", strings.Join(listed, ",")), c, i, cronsOnly)
}

// anyName compares the crons of one template whose name, DataSource, namespace or label
// may be none.
func anyName(t *rapid.T, i Impl) outcome {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("abcxyz019-.A_")), 0, 66, -1)
	x := TemplateOf("x", "m", rapid.SampledFrom([]string{"", "arm64"}).Draw(t, "listed"))
	switch rapid.SampledFrom([]string{"name", "managedDataSource", "namespace", "label", "key"}).Draw(t, "where") {
	case "name":
		x.Name = text.Draw(t, "name")
	case "managedDataSource":
		x.Spec.ManagedDataSource = text.Draw(t, "managedDataSource")
	case "namespace":
		x.Namespace = text.Draw(t, "namespace")
	case "label":
		x.Labels = map[string]string{"l": text.Draw(t, "value")}
	case "key":
		x.Labels = map[string]string{text.Draw(t, "key"): ""}
	}
	return compareExpansions([]Template{x}, TwoArchitectures(), i, cronsOnly)
}

// fewNames compares the crons of sound templates that may collide.
func fewNames(t *rapid.T, i Impl) outcome {
	x := rapid.Custom(func(t *rapid.T) Template {
		return inNamespace(rapid.SampledFrom([]string{"", "", GoldenImages, "custom"}).Draw(t, "namespace"), TemplateOf(
			rapid.SampledFrom([]string{"x", "y", "x-amd64", "y-arm64"}).Draw(t, "name"),
			rapid.SampledFrom([]string{"m", "n", "m-amd64", "n-arm64"}).Draw(t, "managedDataSource"),
			rapid.SampledFrom([]string{"", "amd64", "arm64", "amd64,arm64"}).Draw(t, "listed")))
	})
	return compareExpansions(rapid.SliceOfN(x, 2, 4).Draw(t, "templates"), TwoArchitectures(), i, cronsOnly)
}

// anyPreference compares the references of sound templates.
func anyPreference(t *rapid.T, i Impl) outcome {
	c := TwoArchitectures()
	c.Supported = nil
	c.Architectures = rapid.Permutation(payload).Draw(t, "architectures")[:rapid.IntRange(1, 4).Draw(t, "number")]
	c.Workload = rapid.SliceOfNDistinct(rapid.SampledFrom(c.Architectures), 0, len(c.Architectures), rapid.ID[string]).Draw(t, "workload")
	return compareExpansions(Templates().Draw(t, "templates"), c, i, func(e Expansion) Expansion { return Expansion{References: e.References} })
}

func cronsOnly(e Expansion) Expansion { return Expansion{Crons: e.Crons} }

// compareExpansions compares a part with that of the oracle.
func compareExpansions(templates []Template, c Cluster, i Impl, part func(Expansion) Expansion) outcome {
	return outcome{Input: expandInput{templates, c}, Want: Summary(part(oracleExpand(copyTemplates(templates), c.clone()))), Got: Summary(part(i.expand(templates, c)))}
}

// oneMistake: what sound templates come to is the same with another template beside
// them that has a mistake.
func oneMistake(t *rapid.T, i Impl) outcome {
	sound, c := Templates().Draw(t, "sound"), TwoArchitectures()
	c.Supported = nil
	bad := TemplateOf("bad", "bad", rapid.SampledFrom([]string{"", "amd64", ",", "adm64", "x86_64"}).Draw(t, "listed"))
	switch rapid.SampledFrom([]string{"name", "schedule", "source", "labels"}).Draw(t, "mistake") {
	case "name":
		bad.Name = strings.Repeat("b", 70)
	case "schedule":
		bad.Spec.Schedule = "whenever"
	case "source":
		bad.Spec.Template.Spec.Source = nil
	case "labels":
		bad.Labels = map[string]string{"l": "?"}
	}
	templates := slices.Insert(slices.Clone(sound), rapid.IntRange(0, len(sound)).Draw(t, "place"), bad)
	got := i.expand(templates, c) // what comes of the mistake is for the rule that names it
	got.Crons = slices.DeleteFunc(got.Crons, func(o cdiv1beta1.DataImportCron) bool { return strings.HasPrefix(o.Spec.ManagedDataSource, "bad") })
	got.References = slices.DeleteFunc(got.References, func(o cdiv1beta1.DataSource) bool { return o.Name == "bad" })
	return outcome{Input: expandInput{templates, c}, Want: Summary(i.expand(sound, c)), Got: Summary(got)}
}

func anyOrder(t *rapid.T, i Impl) outcome {
	templates, c := AnyTemplates().Draw(t, "templates"), AnyCluster().Draw(t, "cluster")
	shuffled := templates
	if len(templates) > 0 {
		shuffled = rapid.Permutation(templates).Draw(t, "order")
	}
	return outcome{Input: expandInput{shuffled, c}, Want: Summary(i.expand(templates, c)), Got: Summary(i.expand(shuffled, c))}
}

// anyLabels: what CDI imported is no user's own image, and what it did not is.
func anyLabels(t *rapid.T, i Impl) outcome {
	claims := []metav1.ObjectMeta{
		{Namespace: "ns", Name: "imported", Labels: map[string]string{cronLabel: "x"}},
		{Namespace: "ns", Name: "own"},
	}
	var dataSources []cdiv1beta1.DataSource
	want := []types.NamespacedName{}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 1, 4, rapid.ID).Draw(t, "names") {
		ds := cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
		ds.Spec.Source = toClaim("ns", rapid.SampledFrom([]string{"imported", "own"}).Draw(t, "claim"))
		if rapid.Bool().Draw(t, "labeled") {
			metav1.SetMetaDataLabel(&ds.ObjectMeta, cronLabel, "x")
		} else if ds.Spec.Source.PVC.Name == "own" {
			want = append(want, Key("ns", name))
		}
		dataSources = append(dataSources, ds)
	}
	got := append([]types.NamespacedName{}, i.OwnImages(dataSources, claims, nil)...)
	slices.SortFunc(want, compareKeys)
	slices.SortFunc(got, compareKeys)
	return outcome{Input: dataSources, Want: want, Got: got}
}

// settled: of sound templates everything is there in the end, and nothing is written any
// more.
func settled(t *rapid.T, i Impl) outcome {
	w := NewWorld(Templates().Draw(t, "templates")...)
	w.Operator = i.Reconcile
	w.Settle()
	e := oracleExpand(copyTemplates(w.Templates), w.Cluster.clone())
	want := settledWorld{Writes: []string{}}
	for _, c := range e.Crons {
		want.Crons = append(want.Crons, c.Name)
		want.Boots = append(want.Boots, c.Spec.ManagedDataSource)
	}
	for _, r := range e.References {
		want.Boots = append(want.Boots, r.Name)
	}
	slices.Sort(want.Crons)
	slices.Sort(want.Boots)
	got := settledWorld{Writes: []string{}}
	for _, c := range w.Client().Crons() {
		got.Crons = append(got.Crons, c.Name)
	}
	for _, k := range w.Booting() {
		got.Boots = append(got.Boots, k.Name)
	}
	c := w.Client()
	c.before = func(write Write) { got.Writes = append(got.Writes, write.String()) }
	_ = w.reconcile(c)
	return outcome{Input: w.Templates, Want: want, Got: got}
}

// A settledWorld is what there is in the end.
type settledWorld struct {
	Crons, Boots []string
	Writes       []string // of one more run
}
