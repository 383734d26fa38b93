package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestPlanCrons(t *testing.T) {
	testPlan(t, []planRow{
		{
			name: "61,80: nothing exists",
			want: `Create DataSource m: Missing
Create DataImportCron x-amd64: Missing
Create DataImportCron x-arm64: Missing
`,
		},
		{
			name: "58,83: nothing changed",
			want: `Keep DataImportCron x-amd64: UpToDate
Keep DataImportCron x-arm64: UpToDate
Keep DataImportCron y: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name: "64: the CRD prunes the metadata of the DataVolume",
			want: `Keep DataImportCron rhel10-image-cron-amd64: UpToDate
Keep DataImportCron rhel10-image-cron-arm64: UpToDate
Keep DataSource rhel10: UpToDate
`,
		},
		{
			name: "58,62: CDI's annotations and the labels of others do not matter",
			want: "Keep DataImportCron x: UpToDate\n",
		},
		{
			name: "57: the spec changed",
			want: `Delete DataImportCron x-amd64: SpecChanged data Kept
Delete DataImportCron x-arm64: SpecChanged data Kept
Create DataImportCron x-amd64: SpecChanged
Create DataImportCron x-arm64: SpecChanged
Keep DataSource m: UpToDate
`,
		},
		{
			name: "61,72,99: a renamed template",
			want: `Create DataImportCron a: Missing
Wait DataImportCron x: ReplacementAwaited
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name: "59: a label of the template changed",
			want: `Relabel DataImportCron x-amd64: MetadataChanged
Keep DataSource m: UpToDate
`,
		},
		{
			name: "59: an annotation of the template changed",
			want: `Relabel DataImportCron x-amd64: MetadataChanged
Keep DataSource m: UpToDate
`,
		},
		{
			name: "59: somebody removed the label of the architecture",
			want: `Relabel DataImportCron x-amd64: MetadataChanged
Keep DataSource m: UpToDate
`,
		},
		{
			name: "74,91: an architecture left the annotation, and the rest stays",
			want: `Update DataSource m: Redirected
Wait DataImportCron x-amd64: ReplacementAwaited
Keep DataImportCron x-arm64: UpToDate
`,
		},
		{
			name: "51: an architecture left the cluster",
			want: `Delete DataImportCron x-arm64: ArchitectureRemoved data Kept
Keep DataImportCron x-amd64: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name: "50,105: the template was removed",
			want: `Delete DataSource m: Unused
Delete DataImportCron x-amd64: TemplateRemoved data Kept
Keep DataImportCron y: UpToDate
`,
		},
		{
			name: "65: retentionPolicy None takes the imported data along",
			want: `Delete DataSource m: Unused
Delete DataImportCron x-amd64: TemplateRemoved data Deleted
`,
		},
		{
			name: "65: data imported under retentionPolicy None goes along under another policy",
			want: "Delete DataImportCron x: TemplateRemoved data Deleted\n",
		},
		{
			name: "48: the DataSource points to a user's own image now",
			want: `Delete DataImportCron x-amd64: OwnImage data Kept
Keep DataImportCron x-arm64: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name: "44: a cron that should exist is being deleted",
			want: `Wait DataImportCron x-amd64: BeingDeleted
Keep DataSource m: UpToDate
`,
		},
		{
			name: "44: a cron that should not exist is being deleted",
			want: "Wait DataImportCron x: BeingDeleted\n",
		},
		{
			name: "60,63,98: the DataSource of a new cron is still that of one that is being deleted",
			want: `Wait DataImportCron a: DataSourceTaken
Wait DataImportCron x: BeingDeleted
Wait DataSource m: DataSourceTaken
`,
		},
		{
			name: "43: somebody else's cron has a name that should exist",
			want: `LeaveAlone DataImportCron x-amd64: NotOwned
Keep DataSource m: UpToDate
`,
		},
		{
			name: "43: somebody else's cron has a name that should not exist",
			want: "LeaveAlone DataImportCron x: NotOwned\n",
		},
		{
			name: "43,60: the DataSource of a new cron is that of somebody else's cron",
			want: `LeaveAlone DataImportCron a: DataSourceTaken
LeaveAlone DataImportCron x: NotOwned
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			name: "60,63: two crons manage the DataSource of a new one, and the second of them is being deleted",
			want: `LeaveAlone DataImportCron a: DataSourceTaken
LeaveAlone DataImportCron b: NotOwned
Wait DataImportCron x: BeingDeleted
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			name: "60,63: two crons manage the DataSource of a new one, and the first of them is being deleted",
			want: `LeaveAlone DataImportCron a: DataSourceTaken
Wait DataImportCron x: BeingDeleted
LeaveAlone DataImportCron z: NotOwned
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			name: "56,60,63: a cron that would be replaced stays, and keeps its DataSource from a third",
			want: `LeaveAlone DataImportCron new: DataSourceTaken
LeaveAlone DataImportCron x: DataSourceTaken
LeaveAlone DataImportCron y: DataSourceTaken
LeaveAlone DataImportCron z: NotOwned
LeaveAlone DataSource m: DataSourceTaken
LeaveAlone DataSource n: DataSourceTaken
LeaveAlone DataSource o: DataSourceTaken
`,
		},
	})
}

func TestPlanWithoutOwner(t *testing.T) {
	t.Run("41: a zero Owner owns nothing", func(t *testing.T) {
		w := newWorld(template("x", "m", "amd64"))
		w.o.Owner = dictexpand.Owner{}
		w.apply(t, w.plan())
		w.templates = []dictexpand.Template{template("y", "n", "")}
		want := `Create DataImportCron y: Missing
LeaveAlone DataImportCron x-amd64: NotOwned
`
		if diff := cmp.Diff(want, all(w.plan())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func TestMarks(t *testing.T) {
	t.Run("41: the marks are set, and win over the labels of the template", func(t *testing.T) {
		x := template("x", "m", "amd64")
		x.Labels = map[string]string{"app.kubernetes.io/managed-by": "me", "mine": "too"}
		w := newWorld(x)
		steps := w.plan()
		w.apply(t, steps)
		if s := writes(w.plan()); s != "" {
			t.Errorf("a second plan wants to:\n%s", s)
		}
		for _, s := range steps {
			var meta *metav1.ObjectMeta
			want := map[string]string{"app.kubernetes.io/managed-by": "ssp-operator"}
			if s.Cron != nil {
				meta = &s.Cron.ObjectMeta
				want["mine"], want[dictexpand.LabelArchitecture], want[dictexpand.LabelDataSourceName] = "too", "amd64", "m"
			} else {
				meta = &s.DataSource.ObjectMeta
			}
			if diff := cmp.Diff(want, meta.Labels); diff != "" {
				t.Errorf("labels of %s %s, -want +got:\n%s", s.Kind, s.Name, diff)
			}
			if diff := cmp.Diff(map[string]string{"operator-sdk/primary-resource": "kubevirt/ssp"}, meta.Annotations); diff != "" {
				t.Errorf("annotations of %s %s, -want +got:\n%s", s.Kind, s.Name, diff)
			}
		}
	})
}
