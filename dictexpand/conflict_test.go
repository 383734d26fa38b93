package dictexpand_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/types"

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
			name:      "13,27: two crons for one DataSource, and others go on",
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
			name:      "28: a template with a problem claims its names",
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
		{
			name:      "13: two templates of one name, whose crons would have different ones",
			templates: append(one("x", "m", "amd64"), template("x", "n", "")),
			want: `blocked x: Conflict
blocked x: Conflict
problem Duplicate at [x].metadata.name
problem Duplicate at [x].metadata.name
`,
		},
		{
			name:      "28: an annotation that lists nothing, beside a template of the name that a cron may have had",
			templates: append(one("x", "m", ","), template("x-amd64", "n", "")),
			want: `blocked x: Invalid
blocked x-amd64: Conflict
problem Duplicate at [x-amd64].metadata.name
problem Invalid at [x].metadata.annotations[ARCHS]
problem Duplicate at [x].metadata.name
`,
		},
		{
			name:      "28: an annotation with a typo, beside templates of names that a cron may have had",
			templates: append(one("x", "m", "adm64"), template("x-s390x", "n", ""), template("x-adm64", "o", ""), template("x-riscv64", "p", "")),
			want: `cron x-riscv64 manages p arch any: NoAnnotation
blocked x: NoCompatibleArchitecture
blocked x-s390x: Conflict
blocked x-adm64: Conflict
problem Duplicate at [x-adm64].metadata.name
problem Duplicate at [x-s390x].metadata.name
problem Duplicate at [x].metadata.name
problem Duplicate at [x].metadata.name
finding ArchitectureUnsupported at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "28: two templates with mistakes do not fight over what neither can make",
			templates: append(one("x", "m", ","), template("x-amd64", "n", ",")),
			want: `blocked x: Invalid
blocked x-amd64: Invalid
problem Invalid at [x-amd64].metadata.annotations[ARCHS]
problem Invalid at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "28: a sound template shares a managedDataSource with one that has a mistake",
			templates: append(one("x", "m", ","), template("y", "m", "amd64")),
			want: `cron y-amd64 manages m-amd64 arch amd64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
blocked x: Invalid
problem Invalid at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "28: a user's own image keeps a template from making a cron, and others from its name",
			templates: append(one("x", "m", "amd64,arm64"), template("x-amd64", "n", "")),
			options: func(o *dictexpand.Options) {
				o.OwnImages = []types.NamespacedName{key(goldenImages, "m-amd64")}
			},
			want: `blocked x: Conflict
blocked x-amd64: Conflict
problem Duplicate at [x-amd64].metadata.name
problem Duplicate at [x].metadata.name
finding AutoUpdateOff at [x].spec.managedDataSource
`,
		},
	})
}
