package dictexpand_test

import "testing"

func TestConflicts(t *testing.T) {
	testExpand(t, []expandRow{
		{
			name: "13: two templates of one name",
			want: `blocked x: Conflict
blocked x: Conflict
problem Duplicate at [x].metadata.name
problem Duplicate at [x].metadata.name
`,
		},
		{
			name: "13: two templates of one name in two namespaces do not collide",
			want: `x: NoAnnotation
x: NoAnnotation
`,
		},
		{
			name: "13: x-amd64 as written beside x with amd64",
			want: `blocked x: Conflict
blocked x-amd64: Conflict
problem Duplicate at [x-amd64].metadata.name
problem Duplicate at [x].metadata.name
`,
		},
		{
			name: "13,27: two crons for one DataSource, and others go on",
			want: `blocked x: Conflict
blocked y: Conflict
z: NoAnnotation
problem Duplicate at [x].spec.managedDataSource
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name: "13: a reference and a cron for one DataSource",
			want: `blocked x: Conflict
blocked y: Conflict
problem Duplicate at [x].spec.managedDataSource
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name: "28: a template with a problem claims its names",
			want: `blocked x: Conflict
blocked y: Invalid
problem Duplicate at [x].spec.managedDataSource
problem Invalid at [y].metadata.labels[l]
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name: "13: upstream drops one of two templates for one DataSource",
			want: `blocked x: Conflict
blocked y: Conflict
problem Duplicate at [x].spec.managedDataSource
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name: "13: upstream lets fedora-amd64 as written shadow fedora with amd64",
			want: `blocked fedora-cron: Conflict
blocked own-cron: Conflict
problem Duplicate at [fedora-cron].spec.managedDataSource
problem Duplicate at [own-cron].spec.managedDataSource
`,
		},
		{
			name: "13: two templates of one name, whose crons would have different ones",
			want: `blocked x: Conflict
blocked x: Conflict
problem Duplicate at [x].metadata.name
problem Duplicate at [x].metadata.name
`,
		},
		{
			name: "28: an annotation that lists nothing, beside a template of the name that a cron may have had",
			want: `blocked x: Invalid
blocked x-amd64: Conflict
problem Duplicate at [x-amd64].metadata.name
problem Invalid at [x].metadata.annotations[ARCHS]
problem Duplicate at [x].metadata.name
`,
		},
		{
			name: "28: an annotation with a typo, beside templates of names that a cron may have had",
			want: `blocked x: NoCompatibleArchitecture
blocked x-s390x: Conflict
blocked x-adm64: Conflict
x-riscv64: NoAnnotation
problem Duplicate at [x-adm64].metadata.name
problem Duplicate at [x-s390x].metadata.name
problem Duplicate at [x].metadata.name
problem Duplicate at [x].metadata.name
finding ArchitectureUnsupported at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "28: two templates with mistakes do not fight over what neither can make",
			want: `blocked x: Invalid
blocked x-amd64: Invalid
problem Invalid at [x-amd64].metadata.annotations[ARCHS]
problem Invalid at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "28: a sound template shares a managedDataSource with one that has a mistake",
			want: `blocked x: Invalid
y: PerArchitecture
reference m: FirstWithWorkload
problem Invalid at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "28: a user's own image keeps a template from making a cron, and others from its name",
			want: `blocked x: Conflict
blocked x-amd64: Conflict
problem Duplicate at [x-amd64].metadata.name
problem Duplicate at [x].metadata.name
finding AutoUpdateOff at [x].spec.managedDataSource
`,
		},
	})
}
