package dictexpand_test

import "testing"

func TestHeldArchitectures(t *testing.T) {
	testExpand(t, []expandRow{
		{
			name: "33: an architecture that left the cluster gets a finding and nothing new",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
finding ArchitectureHeld at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "33: nothing else is left",
			want: `blocked x: NoCompatibleArchitecture
finding ArchitectureHeld at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
	})
	testPlan(t, []planRow{
		{
			name: "47,87: a node set scaled to zero deletes and redirects nothing",
			want: `LeaveAlone DataImportCron x-amd64: ArchitectureHeld
Keep DataImportCron x-arm64: UpToDate
LeaveAlone DataSource m: ArchitectureHeld
`,
		},
		{
			name: "47: the architecture left the annotation too, and that was meant",
			want: `Update DataSource n: Redirected
Keep DataImportCron x-arm64: UpToDate
Wait DataImportCron y-amd64: ReplacementAwaited
Keep DataImportCron y-arm64: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name: "34,47: a typo in one of several architectures",
			want: `Keep DataImportCron x-amd64: UpToDate
LeaveAlone DataImportCron x-arm64: TemplateUnclear
Keep DataSource m: UpToDate
`,
		},
		{
			name: "34,47: an alias instead of one of several architectures",
			want: `Update DataSource m: Redirected
LeaveAlone DataImportCron x-amd64: TemplateUnclear
Keep DataImportCron x-arm64: UpToDate
`,
		},
		{
			name: "34,51: an architecture that is known, and that the caller does not support",
			want: `Delete DataImportCron x-arm64: ArchitectureRemoved data Kept
Keep DataImportCron x-amd64: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name: "53: no other spec for a held architecture",
			want: `Delete DataImportCron x-arm64: SpecChanged data Kept
Create DataImportCron x-arm64: SpecChanged
LeaveAlone DataImportCron x-amd64: ArchitectureHeld
LeaveAlone DataSource m: ArchitectureHeld
`,
		},
		{
			name: "53,87: the cron for the default architecture stays for the one that left",
			want: `LeaveAlone DataImportCron x: ArchitectureHeld
LeaveAlone DataSource m: ArchitectureHeld
`,
		},
	})
	testStories(t, []story{{
		name: "47: what is held no longer is deleted",
		want: `Update DataSource m: Redirected
-
Delete DataImportCron x-amd64: ArchitectureRemoved data Kept
`,
	}})
}
