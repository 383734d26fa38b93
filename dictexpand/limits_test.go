package dictexpand_test

import (
	"strings"
	"testing"

	"github.com/polyarch/polyarch/dictexpand"
)

const (
	name57 = "a23456789-b23456789-c23456789-d23456789-e23456789-f234567"
	name58 = name57 + "8"
	name60 = name57 + "890"
	name63 = name57 + "890123"
)

func TestLimits(t *testing.T) {
	testExpand(t, []expandRow{
		{
			name:      "12: a name of 57 fits with the suffix",
			templates: one(name57, name57, "arm64"),
			want: "cron " + name57 + "-arm64 manages " + name57 + "-arm64 arch arm64: PerArchitecture\n" +
				"reference " + name57 + " to " + name57 + "-arm64: FirstWithWorkload\n",
		},
		{
			name:      "12,27: a name of 60 is too long with the suffix, and others go on",
			templates: append(one(name60, "m", "amd64,arm64"), template("y", "n", "arm64")),
			want: "cron y-arm64 manages n-arm64 arch arm64: PerArchitecture\n" +
				"reference n to n-arm64: FirstWithWorkload\n" +
				"blocked " + name60 + ": Invalid\n" +
				"problem TooLong at [" + name60 + "].metadata.name\n",
		},
		{
			name:      "12: a managedDataSource of 58 is too long with the suffix",
			templates: one("x", name58, "arm64"),
			want:      "blocked x: Invalid\nproblem TooLong at [x].spec.managedDataSource\n",
		},
		{
			name:      "12: 63 fit without a suffix",
			templates: one(name63, name63, ""),
			want:      "cron " + name63 + " manages " + name63 + " arch any: NoAnnotation\n",
		},
		{
			name:      "12: 64 do not fit",
			templates: one(name63+"4", name63+"4", ""),
			want: "blocked " + name63 + "4: Invalid\n" +
				"problem TooLong at [" + name63 + "4].metadata.name\n" +
				"problem TooLong at [" + name63 + "4].spec.managedDataSource\n",
		},
		{
			name:      "12: no DNS-1123 subdomain",
			templates: one("X_y", "-m", "arm64"),
			want: `blocked X_y: Invalid
problem Invalid at [X_y].metadata.name
problem Invalid at [X_y].spec.managedDataSource
`,
		},
		{
			name:      "12: name and managedDataSource missing",
			templates: one("", "", "arm64"),
			want: `blocked : Invalid
problem Required at [].metadata.name
problem Required at [].spec.managedDataSource
`,
		},
		{
			name:      "12: no namespace at all",
			templates: one("x", "m", ""),
			options:   func(o *dictexpand.Options) { o.Namespace = "" },
			want:      "blocked x: Invalid\nproblem Required at [x].metadata.namespace\n",
		},
		{
			name: "12: invalid label values",
			templates: []dictexpand.Template{with(template("x", "m", "arm64"), func(t *dictexpand.Template) {
				t.Labels = map[string]string{"ok": "A_b.c-D", "empty": "", "long": name63 + "4", "odd": "a b"}
			})},
			want: `blocked x: Invalid
problem TooLong at [x].metadata.labels[long]
problem Invalid at [x].metadata.labels[odd]
`,
		},
		{
			name:      "12: an architecture of the cluster that fits into no name",
			templates: one("x", "m", "sparc_v9"),
			options: func(o *dictexpand.Options) {
				o.Architectures, o.Supported, o.WorkloadArchitectures = []string{"sparc_v9"}, nil, nil
			},
			want: "blocked x: Invalid\nproblem Invalid at [x].metadata.annotations[ARCHS]\n",
		},
	})
}

// What would be right must be in the error, in its machine-readable part too.
func TestTooLongSaysWhatFits(t *testing.T) {
	long := strings.Repeat("a", 60)
	e := dictexpand.Expand([]dictexpand.Template{template(long, "m", "amd64,arm64,s390x")}, func() dictexpand.Options {
		o := twoArchitectures()
		o.Architectures = append(o.Architectures, "s390x")
		return o
	}())
	if len(e.Problems) != 1 {
		t.Fatalf("problems: %v", e.Problems)
	}
	p := e.Problems[0]
	if p.BadValue != long || !strings.Contains(p.Detail, "57") {
		t.Errorf("problem %v: want the value and 57, the longest that fits", p)
	}
}
