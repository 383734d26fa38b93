package dictexpand_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
