package dictexpand_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// A story is what plans write, one after the other, with CDI at work between them.
type story struct {
	name string // the numbers of rules, and the name of a story of package dictexpandtest
	want string
	// old is what CDI before 1.60 makes of it, where that differs.
	old string
}

// testStories plays each story with both behaviors of CDI.
func testStories(t *testing.T, stories []story) {
	t.Helper()
	for _, tc := range stories {
		t.Run(tc.name, func(t *testing.T) {
			for _, before160 := range []bool{false, true} {
				w := worldOf(tc.name, before160)
				var chapters []string
				for i := range 8 {
					if i == 4 && w.later != nil {
						w.later()
						w.Run()
					}
					steps := w.plan()
					w.apply(t, steps)
					w.Run()
					if s := writes(steps); s != "" {
						chapters = append(chapters, s)
					}
				}
				want := tc.want
				if before160 && tc.old != "" {
					want = tc.old
				}
				if diff := cmp.Diff(want, strings.Join(chapters, "-\n")); diff != "" {
					t.Errorf("before 1.60: %v, -want +got:\n%s", before160, diff)
				}
			}
		})
	}
}

// newImages makes everything lead to a new image.
func newImages(w *world) {
	for _, a := range []string{"", "amd64", "arm64"} {
		w.Images["docker://quay.io/containerdisks/m "+a] = "second"
	}
}

func TestSuccessions(t *testing.T) {
	testStories(t, []story{
		{
			name: "72: a renamed template",
			want: `Create DataImportCron a: Missing
-
Update DataSource m: CronLabel
-
Delete DataImportCron x: TemplateRemoved data Kept
`,
		},
		{
			name: "72: a renamed template whose images go with the old cron",
			want: `Create DataImportCron a: Missing
-
Update DataSource m: CronLabel
-
Delete DataImportCron x: TemplateRemoved data Deleted
`,
		},
		{
			name: "72: the same image: its DataVolume is still the old cron's, which stays until there is another",
			want: `Create DataImportCron a: Missing
-
Update DataSource m: CronLabel
`,
		},
		{
			name: "72: CDI refuses the cron of the new name, and the old one stays",
			want: strings.TrimSuffix(strings.Repeat("Create DataImportCron a: Missing\n-\n", 8), "-\n"),
		},
		{
			name: "72: renamed with an annotation, each architecture for itself",
			want: `Create DataImportCron a-amd64: Missing
-
Update DataSource m-amd64: CronLabel
-
Delete DataImportCron x-amd64: TemplateRemoved data Deleted
`,
		},
		{
			name: "49,73: a template gains its annotation",
			want: `Create DataImportCron x-amd64: Missing
Create DataImportCron x-arm64: Missing
-
Update DataSource m: BecomesReference
-
Delete DataImportCron x: MultiArchSwitched data Deleted
`,
		},
		{
			name: "73: the image of the architecture cannot be imported, and the old cron stays",
			want: "Create DataImportCron x-amd64: Missing\n",
		},
		{
			name: "73: renamed and annotated at once",
			want: `Create DataImportCron a-arm64: Missing
-
Update DataSource m: BecomesReference
-
Delete DataImportCron x: TemplateRemoved data Kept
`,
		},
		{
			name: "49,74: switched off, what the DataSource leads to stays until it has an image of its own",
			want: `Update DataSource m: BackToCron
Create DataImportCron x: Missing
-
Delete DataImportCron x-amd64: MultiArchSwitched data Deleted
Delete DataImportCron x-arm64: MultiArchSwitched data Deleted
`,
		},
		{
			name: "74: the default architecture leaves the annotation",
			want: `Update DataSource m: Redirected
-
Delete DataImportCron x-amd64: ArchitectureRemoved data Deleted
`,
		},
		{
			name: "74: one architecture takes the place of another",
			want: `Create DataImportCron x-arm64: Missing
-
Update DataSource m: Redirected
-
Delete DataImportCron x-amd64: ArchitectureRemoved data Deleted
`,
		},
		{
			name: "75: switched off, and CDI refuses the one cron: those of the architectures stay",
			want: `Update DataSource m: BackToCron
Create DataImportCron x: Missing
-
` + strings.TrimSuffix(strings.Repeat("Create DataImportCron x: Missing\n-\n", 7), "-\n"),
		},
		{
			name: "76: two crons exchange their DataSources, and CDI leaves no way but through the deletion",
			want: `Delete DataImportCron x: SpecChanged data Kept
Delete DataImportCron y: SpecChanged data Kept
Create DataImportCron x: SpecChanged
Create DataImportCron y: SpecChanged
-
Update DataSource m: CronLabel
Update DataSource n: CronLabel
`,
			old: `Delete DataImportCron x: SpecChanged data Kept
Delete DataImportCron y: SpecChanged data Kept
Create DataImportCron x: SpecChanged
Create DataImportCron y: SpecChanged
`,
		},
		{
			name: "72,76: a chain has an end: each waits for the next",
			want: `Create DataImportCron z: Missing
-
Update DataSource m: CronLabel
-
Delete DataImportCron x: SpecChanged data Kept
Create DataImportCron x: SpecChanged
-
Update DataSource n: CronLabel
-
Delete DataImportCron y: SpecChanged data Kept
Create DataImportCron y: SpecChanged
`,
		},
		{
			name: "76,90: the replacement has the name of the old cron",
			want: `Delete DataImportCron x: SpecChanged data Kept
Create DataImportCron x: SpecChanged
-
Update DataSource m: BecomesReference
`,
		},
		{
			name: "100: somebody takes the label away",
			want: "Update DataSource m: CronLabel\n",
		},
		{
			name: "100: the template that the DataSource was of is gone, and another one names it",
			want: "Update DataSource m: CronLabel\nCreate DataImportCron a: Missing\n",
		},
		{
			name: "90,92: the template that the DataSource was of is gone, and another one makes it a reference",
			want: "Create DataImportCron a-amd64: Missing\n-\nUpdate DataSource m: BecomesReference\n",
		},
		{
			name: "90,92: a DataSource that lost its label, and its image has one",
			want: `Create DataImportCron x-amd64: Missing
-
Update DataSource m: BecomesReference
Delete DataImportCron x: MultiArchSwitched data Kept
`,
		},
	})
}

// What is lost until the next import, the step says.
func TestLostImages(t *testing.T) {
	t.Run("65,76: the deletion says that there is nothing until the next import", func(t *testing.T) {
		w := newWorld(retainNone(template("x", "m", "")))
		w.settle(t)
		w.templates[0].Spec.Schedule = "0 0 * * *"
		s := w.plan()[0]
		if s.Verb != dictexpand.VerbDelete || s.Data != dictexpand.DataDeleted ||
			!strings.Contains(s.Detail, `"m"`) || !strings.Contains(s.Detail, "until the next import") {
			t.Errorf("step %+v", s)
		}
	})
	t.Run("65: a claim tells that images go with the cron, though the DataSource was moved", func(t *testing.T) {
		w := newWorld(retainNone(template("x", "m", "")))
		w.settle(t)
		w.editCron("x", func(c *cdiv1beta1.DataImportCron) { c.Spec.RetentionPolicy = nil })
		w.editDataSource("m", func(ds *cdiv1beta1.DataSource) { ds.Labels = map[string]string{dictexpand.LabelDataImportCron: "a"} })
		w.templates = []dictexpand.Template{template("a", "m", "")}
		w.apply(t, w.plan())
		if s := w.plan()[1]; s.Name != "x" || s.Reason != dictexpand.ReasonReplacementAwaited {
			t.Errorf("step %+v", s)
		}
	})
	t.Run("100: the label for cleanup goes with the label of the old cron, unless the new one wants it", func(t *testing.T) {
		for _, none := range []bool{false, true} {
			w := newWorld(retainNone(template("x", "m", "")))
			w.settle(t)
			x := template("a", "m", "")
			if none {
				x = retainNone(x)
			}
			w.templates = []dictexpand.Template{x}
			w.apply(t, w.plan())
			w.apply(t, w.plan())
			if labels := w.DataSources[key(goldenImages, "m")].Labels; labels[dictexpand.LabelDataImportCron] != "a" || (labels[dictexpand.LabelDataImportCronCleanup] == "true") != none {
				t.Errorf("labels %v, images go with the new cron: %v", labels, none)
			}
		}
	})
	for _, tc := range []struct {
		name  string
		facts func(*dictexpand.Existing, *metav1.ObjectMeta)
		waits bool
	}{
		{"72: the DataVolume of the claim is the old cron's", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.DataVolumes = []metav1.ObjectMeta{{Namespace: goldenImages, Name: "m-second", Labels: map[string]string{dictexpand.LabelDataImportCron: "x"}}}
		}, true},
		{"72: the DataVolume of the claim is the new cron's", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.DataVolumes = []metav1.ObjectMeta{{Namespace: goldenImages, Name: "m-second", Labels: map[string]string{dictexpand.LabelDataImportCron: "a"}}}
		}, false},
		{"72: nobody lists DataVolumes, and the claim is older than its cron", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.CreationTimestamp = metav1.Unix(1, 0)
		}, true},
		{"72: nobody lists DataVolumes, and the claim is younger than its cron", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.CreationTimestamp = metav1.Unix(3, 0)
		}, false},
		{"72: the claim has no DataVolume", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.OwnerReferences = nil
		}, false},
		{"72: the claim still has the label of the old cron", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.Labels[dictexpand.LabelDataImportCron] = "x"
		}, true},
		{"72: nobody lists claims, and the old cron says that it is importing this", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.Claims = nil
			for i := range e.Crons {
				e.Crons[i].Status.CurrentImports = []cdiv1beta1.ImportStatus{{DataVolumeName: "m-second"}}
			}
		}, true},
		{"72: nobody lists DataVolumes, and the cron of the claim's label is gone", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.Labels[dictexpand.LabelDataImportCron] = "gone"
		}, false},
		{"72: the claim has the label of the old cron, and no DataVolume", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.OwnerReferences, claim.Labels[dictexpand.LabelDataImportCron] = nil, "x"
		}, true},
		{"72: something else than a DataVolume owns the claim", func(e *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.OwnerReferences[0].Kind = "StatefulSet"
			claim.CreationTimestamp = metav1.Unix(1, 0)
		}, false},
		{"72: nobody lists claims, and it is what the old cron imported last", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.Claims = nil
			for i := range e.Crons {
				e.Crons[i].Status = cdiv1beta1.DataImportCronStatus{LastImportedPVC: &cdiv1beta1.DataVolumeSourcePVC{Name: "m-second"}}
			}
		}, true},
		{"72: nobody lists claims, and the old cron imported nothing yet", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.Claims = nil
			for i := range e.Crons {
				e.Crons[i].Status = cdiv1beta1.DataImportCronStatus{}
			}
		}, false},
		{"72: there is no image, and the old cron says so of its imports", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			for i := range e.DataSources {
				e.DataSources[i].Spec.Source = cdiv1beta1.DataSourceSource{}
			}
			for i := range e.Crons {
				e.Crons[i].Status.LastImportedPVC = &cdiv1beta1.DataVolumeSourcePVC{}
			}
		}, false},
		{"72: nobody lists claims, and the old cron imported something else", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.Claims = nil
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(retainNone(template("x", "m", "")))
			w.settle(t)
			w.templates = []dictexpand.Template{retainNone(template("a", "m", ""))}
			w.apply(t, w.plan())
			w.apply(t, w.plan())
			newImages(w)
			w.Run()
			have := w.existing()
			have.DataVolumes = nil
			for i := range have.Crons {
				have.Crons[i].CreationTimestamp = metav1.Unix(2, 0)
			}
			for i := range have.Claims {
				if have.Claims[i].Name == "m-second" {
					tc.facts(&have, &have.Claims[i])
					break
				}
			}
			got := writes(dictexpand.Plan(dictexpand.Expand(w.templates, w.o), have).Steps)
			if waits := !strings.Contains(got, "Delete DataImportCron x"); waits != tc.waits {
				t.Errorf("waits: %v, writes:\n%s", waits, got)
			}
		})
	}
}
