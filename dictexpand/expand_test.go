package dictexpand_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
	"github.com/polyarch/polyarch/dictexpand/internal/ours"
)

// An expandRow is an expansion of templates on a cluster of amd64 and arm64, unless its
// options say otherwise.
type expandRow struct {
	// name is the numbers of rules, and the name of a case of package dictexpandtest
	// unless there are templates.
	name      string
	templates []dictexpand.Template
	options   func(*dictexpand.Options)
	// want is what text says; of a case what details says, since the case has the rest.
	want string
}

func testExpand(t *testing.T, rows []expandRow) {
	t.Helper()
	for _, tc := range rows {
		t.Run(tc.name, func(t *testing.T) {
			got := ""
			if tc.templates != nil {
				o := twoArchitectures()
				if tc.options != nil {
					tc.options(&o)
				}
				got = text(dictexpand.Expand(tc.templates, o))
			} else {
				_, name, _ := strings.Cut(tc.name, ": ")
				c := dictexpandtest.ExpandCaseNamed(name)
				got = details(dictexpand.Expand(ours.Templates(c.Templates), ours.Options(c.On())))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// text writes an expansion down in the words of its tests: what was made, and what
// details says.
func text(e dictexpand.Expansion) string {
	return dictexpandtest.Summary(ours.Expansion(e)) + details(e)
}

// details writes down why: what became of each template and why references lead where
// they lead, and the type or code and the place of every trouble.
func details(e dictexpand.Expansion) string {
	var b strings.Builder
	for _, o := range e.Outcomes {
		blocked := ""
		if o.Blocked {
			blocked = "blocked "
		}
		fmt.Fprintf(&b, "%s%s: %s\n", blocked, o.Template, o.Reason)
	}
	for _, r := range e.References {
		fmt.Fprintf(&b, "reference %s: %s\n", r.Name, r.Reason)
	}
	for _, p := range e.Problems {
		fmt.Fprintf(&b, "problem %s at %s\n", strings.TrimPrefix(string(p.Type), "FieldValue"), shorten(p.Field))
	}
	for _, f := range e.Findings {
		fmt.Fprintf(&b, "finding %s at %s\n", f.Code, shorten(f.Path))
	}
	return b.String()
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
	want := `cron ns/x manages m arch any
x: MultiArchOff
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
