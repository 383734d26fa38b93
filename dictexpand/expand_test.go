package dictexpand_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// An expandRow is an expansion of templates on a cluster of amd64 and arm64,
// unless its options say otherwise.
type expandRow struct {
	name      string
	templates []dictexpand.Template
	options   func(*dictexpand.Options)
	want      string
}

func testExpand(t *testing.T, rows []expandRow) {
	t.Helper()
	for _, tc := range rows {
		t.Run(tc.name, func(t *testing.T) {
			o := twoArchitectures()
			if tc.options != nil {
				tc.options(&o)
			}
			if diff := cmp.Diff(tc.want, text(dictexpand.Expand(tc.templates, o))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// text writes an expansion down in the words of its tests: what was made, what
// is blocked, and the type or code and the place of every trouble.
func text(e dictexpand.Expansion) string {
	var b strings.Builder
	for _, c := range e.Crons {
		arch := c.Architecture
		if arch == "" {
			arch = "any"
		}
		fmt.Fprintf(&b, "cron %s/%s manages %s arch %s: %s\n", c.Object.Namespace, c.Object.Name, c.Object.Spec.ManagedDataSource, arch, c.Reason)
	}
	for _, r := range e.References {
		fmt.Fprintf(&b, "reference %s/%s to %s: %s\n", r.Namespace, r.Name, r.Target, r.Reason)
	}
	for _, o := range e.Outcomes {
		if o.Blocked {
			fmt.Fprintf(&b, "blocked %s: %s\n", o.Template, o.Reason)
		}
	}
	for _, p := range e.Problems {
		fmt.Fprintf(&b, "problem %s at %s\n", strings.TrimPrefix(string(p.Type), "FieldValue"), shorten(p.Field))
	}
	for _, f := range e.Findings {
		fmt.Fprintf(&b, "finding %s at %s\n", f.Code, shorten(f.Path))
	}
	return strings.ReplaceAll(b.String(), goldenImages+"/", "")
}

func shorten(path string) string {
	path = strings.TrimPrefix(path, "dataImportCronTemplates")
	return strings.ReplaceAll(path, dictexpand.AnnotationArchitectures, "ARCHS")
}

func one(name, managed, archs string) []dictexpand.Template {
	return []dictexpand.Template{template(name, managed, archs)}
}

func with(t dictexpand.Template, change func(*dictexpand.Template)) dictexpand.Template {
	change(&t)
	return t
}

func source(s *cdiv1beta1.DataVolumeSource) func(*dictexpand.Template) {
	return func(t *dictexpand.Template) { t.Spec.Template.Spec.Source = s }
}

func inNamespace(ns string, t dictexpand.Template) dictexpand.Template {
	t.Namespace = ns
	return t
}

// A zero Options is multiple architectures off, and nothing is to be had without
// a namespace.
func TestExpandZeroOptions(t *testing.T) {
	x := template("x", "m", "amd64")
	x.Namespace = "ns"
	got := text(dictexpand.Expand([]dictexpand.Template{x, template("y", "n", "")}, dictexpand.Options{}))
	want := `cron ns/x manages m arch any: MultiArchOff
blocked y: Invalid
problem Required at [y].metadata.namespace
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if e := dictexpand.Expand(nil, dictexpand.Options{}); e.Crons != nil || e.References != nil || e.Outcomes != nil || e.Problems != nil || e.Findings != nil {
		t.Errorf("Expand of nothing = %+v, want the zero value", e)
	}
}
