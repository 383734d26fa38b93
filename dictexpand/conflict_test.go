package dictexpand_test

import (
	"testing"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestConflicts(t *testing.T) {
	testExpand(t, []expandRow{
		{
			name:      "13: two templates of one name",
			templates: append(one("x", "m", ""), template("x", "n", "")),
			want: `blocked x: Conflict
blocked x: Conflict
problem Duplicate at [x].metadata.name
problem Duplicate at [x].metadata.name
`,
		},
		{
			name: "13: two templates of one name in two namespaces do not collide",
			templates: append(one("x", "m", ""), with(template("x", "m", ""), func(t *dictexpand.Template) {
				t.Namespace = "zoo"
			})),
			want: "cron x manages m arch any: NoAnnotation\ncron zoo/x manages m arch any: NoAnnotation\n",
		},
		{
			name:      "13: x-amd64 as written beside x with amd64",
			templates: append(one("x", "m", "amd64,arm64"), template("x-amd64", "n", "")),
			want: `blocked x: Conflict
blocked x-amd64: Conflict
problem Duplicate at [x-amd64].metadata.name
problem Duplicate at [x].metadata.name
`,
		},
		{
			name:      "13,19: two crons for one DataSource, and others go on",
			templates: append(one("x", "m", "amd64"), template("y", "m", "amd64,arm64"), template("z", "o", "")),
			want: `cron z manages o arch any: NoAnnotation
blocked x: Conflict
blocked y: Conflict
problem Duplicate at [x].spec.managedDataSource
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name:      "13: a reference and a cron for one DataSource",
			templates: append(one("x", "m", "amd64"), template("y", "m", "")),
			want: `blocked x: Conflict
blocked y: Conflict
problem Duplicate at [x].spec.managedDataSource
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name:      "20: a template with a problem claims its names",
			templates: append(one("x", "m", ""), with(template("y", "m", ""), func(t *dictexpand.Template) { t.Labels = map[string]string{"l": "?"} })),
			want: `blocked x: Conflict
blocked y: Invalid
problem Duplicate at [x].spec.managedDataSource
problem Invalid at [y].metadata.labels[l]
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name:      "13: upstream drops one of two templates for one DataSource",
			templates: append(one("x", "m", ""), template("y", "m", "")),
			want: `blocked x: Conflict
blocked y: Conflict
problem Duplicate at [x].spec.managedDataSource
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name:      "13: upstream lets fedora-amd64 as written shadow fedora with amd64",
			templates: append(one("fedora-cron", "fedora", "amd64"), template("own-cron", "fedora-amd64", "")),
			want: `blocked fedora-cron: Conflict
blocked own-cron: Conflict
problem Duplicate at [fedora-cron].spec.managedDataSource
problem Duplicate at [own-cron].spec.managedDataSource
`,
		},
	})
}
