package dictexpand_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// What stands in conflict, and what does not.
func TestClaims(t *testing.T) {
	ownImage := func(o *dictexpand.Options) { o.OwnImages = []types.NamespacedName{key(goldenImages, "m-arm64")} }
	testExpand(t, []expandRow{
		{
			name:      "12,13: what templates lack, they do not both need",
			templates: []dictexpand.Template{template("x", "", "amd64"), template("y", "", "amd64")},
			want: `blocked x: Invalid
blocked y: Invalid
problem Required at [x].spec.managedDataSource
problem Required at [y].spec.managedDataSource
`,
		},
		{
			name:      "12,13: without a namespace there are no names",
			templates: []dictexpand.Template{template("x", "m", "amd64"), template("x", "m", "amd64")},
			options:   func(o *dictexpand.Options) { o.Namespace = "" },
			want: `blocked x: Invalid
blocked x: Invalid
problem Required at [x].metadata.namespace
problem Required at [x].metadata.namespace
`,
		},
		{
			name:      "28: a user's own image keeps the names of the listed architectures only",
			templates: []dictexpand.Template{template("x", "m", "amd64,arm64"), template("x-s390x", "n", "")},
			options:   ownImage,
			want: `cron x-amd64 manages m-amd64 arch amd64
cron x-s390x manages n arch any
reference m to m-amd64
x: PerArchitecture
x-s390x: NoAnnotation
reference m: FirstWithWorkload
finding AutoUpdateOff at [x].spec.managedDataSource
`,
		},
		{
			name:      "28: a name is needed once by one template",
			templates: []dictexpand.Template{template("x", "m", "amd64,arm64"), template("x-amd64", "n", "")},
			options:   ownImage,
			want: `blocked x: Conflict
blocked x-amd64: Conflict
problem Duplicate at [x-amd64].metadata.name
problem Duplicate at [x].metadata.name
finding AutoUpdateOff at [x].spec.managedDataSource
`,
		},
	})
}

// What a conflict says of one other template, of several, and of templates of one name.
func TestConflictTexts(t *testing.T) {
	const in = `in namespace "` + goldenImages + `"`
	for _, tt := range []struct {
		name      string
		templates []dictexpand.Template
		want      []string
	}{
		{"13: one other", []dictexpand.Template{template("x", "m", ""), template("y", "m", "")}, []string{
			`the DataSource "m" ` + in + ` is needed by the template "y" as well; change one of them`,
			`the DataSource "m" ` + in + ` is needed by the template "x" as well; change one of them`}},
		{"13: two others", []dictexpand.Template{template("x", "m", ""), template("y", "m", ""), template("z", "m", "")}, []string{
			`the DataSource "m" ` + in + ` is needed by the templates "y", "z" as well; change one of them`,
			`the DataSource "m" ` + in + ` is needed by the templates "x", "z" as well; change one of them`,
			`the DataSource "m" ` + in + ` is needed by the templates "x", "y" as well; change one of them`}},
		{"13: a cron", []dictexpand.Template{template("x", "m", "amd64"), template("x-amd64", "n", "")}, []string{
			`the cron "x-amd64" ` + in + ` is needed by the template "x" as well; change one of them`,
			`the cron "x-amd64" ` + in + ` is needed by the template "x-amd64" as well; change one of them`}},
		{"13: one name, with the namespace and without", []dictexpand.Template{template("x", "m", ""), template("y", "n", ""), inNamespace(goldenImages, template("x", "o", ""))}, []string{
			`2 templates have this name ` + in + `; change all but one`, `2 templates have this name ` + in + `; change all but one`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bothWays(tt.templates, func(templates []dictexpand.Template) {
				var got []string
				for _, p := range dictexpand.Expand(templates, twoArchitectures()).Problems {
					got = append(got, p.Detail)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

// A text names the templates in ascending order, however many there are, and in whatever
// order their DataSources are.
func TestConflictNamesInOrder(t *testing.T) {
	var templates []dictexpand.Template
	for i := range 40 {
		n := i * 7 % 40
		templates = append(templates, template(fmt.Sprintf("x%02d", n), []string{"m", "a"}[n%2], ""))
	}
	e := dictexpand.Expand(templates, twoArchitectures())
	if len(e.Problems) != 40 {
		t.Fatalf("%d problems", len(e.Problems))
	}
	for i, p := range e.Problems {
		var others []string
		for k := i % 2; k < 40; k += 2 {
			if k != i && len(others) < 10 {
				others = append(others, fmt.Sprintf(`"x%02d"`, k))
			}
		}
		want := fmt.Sprintf(`the DataSource %q in namespace %q is needed by the templates %s and 9 more as well; change one of them`,
			[]string{"m", "a"}[i%2], goldenImages, strings.Join(others, ", "))
		if p.Detail != want {
			t.Errorf("13: problem %d: %s\nwant %s", i, p.Detail, want)
		}
	}
}

// Problems and findings of one field have an order too.
func TestOrderOfProblems(t *testing.T) {
	x := template("X_y", "m", "amd64,z80,alpha")
	x.Labels = map[string]string{"b b": "", "a a": "", "c c": ""}
	for range 20 { // labels are a map
		e := dictexpand.Expand([]dictexpand.Template{x, template("X_y-amd64", "n", "")}, twoArchitectures())
		var got []string
		for _, p := range e.Problems {
			got = append(got, fmt.Sprint(shorten(p.Field), " ", strings.TrimPrefix(string(p.Type), "FieldValue"), " ", p.BadValue))
		}
		for _, f := range e.Findings {
			got = append(got, string(f.Code)+" "+f.Architecture)
		}
		want := []string{
			"[X_y-amd64].metadata.name Duplicate X_y-amd64", "[X_y-amd64].metadata.name Invalid X_y-amd64",
			"[X_y].metadata.labels Invalid a a", "[X_y].metadata.labels Invalid b b", "[X_y].metadata.labels Invalid c c",
			"[X_y].metadata.name Duplicate X_y-amd64", "[X_y].metadata.name Invalid X_y",
			"ArchitectureUnsupported alpha", "ArchitectureUnsupported z80",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	}
}

// Templates of one name have their problems in one place: these are in the order of their
// values, and of what is said of them.
func TestOrderOfProblemsOfOneName(t *testing.T) {
	keep := func(n int32, x dictexpand.Template) dictexpand.Template {
		x.Spec.ImportsToKeep = &n
		return x
	}
	platform := func(x dictexpand.Template) dictexpand.Template {
		x.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "s390x"}
		return x
	}
	for _, tt := range []struct {
		name      string
		templates []dictexpand.Template
		want      []string
	}{
		{"31: by value", []dictexpand.Template{inNamespace("a", keep(-2, template("x", "m", ""))), inNamespace("b", keep(-1, template("x", "m", "")))}, []string{"-1", "-2"}},
		{"31: by detail", []dictexpand.Template{inNamespace("a", platform(template("x", "m", "arm64"))), inNamespace("b", platform(template("x", "m", "amd64")))}, []string{`"amd64"`, `"arm64"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bothWays(tt.templates, func(templates []dictexpand.Template) {
				problems := dictexpand.Expand(templates, twoArchitectures()).Problems
				for i, want := range tt.want {
					if len(problems) != len(tt.want) || !strings.Contains(problems[i].Error(), want) {
						t.Fatalf("%v, want %q", problems, tt.want)
					}
				}
			})
		})
	}
}
