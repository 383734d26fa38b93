package dictexpand_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/dictexpand"
)

func FuzzParseArchitectures(f *testing.F) {
	f.Add("amd64,arm64")              // as documented
	f.Add(" amd64 , arm64,,")         // as people write it
	f.Add("amd64,amd64, amd64")       // repeated
	f.Add(" ,\t, ")                   // nothing
	f.Add("x86_64,AMD64,\xff,\u00a0") // other names, no UTF-8, other blanks
	f.Fuzz(func(t *testing.T, value string) {
		list := dictexpand.ParseArchitectures(value)
		for i, a := range list {
			if a == "" || a != strings.TrimSpace(a) || strings.Contains(a, ",") || slices.Contains(list[:i], a) {
				t.Fatalf("%q gives %q", value, list)
			}
			if !strings.Contains(value, a) {
				t.Fatalf("%q does not hold %q", value, a)
			}
		}
		if again := dictexpand.ParseArchitectures(strings.Join(list, ",")); !slices.Equal(list, again) {
			t.Fatalf("%q gives %q, which gives %q", value, list, again)
		}
		if rest := strings.NewReplacer(",", "", " ", "", "\t", "").Replace(value); len(list) == 0 && strings.TrimSpace(rest) != "" {
			t.Fatalf("%q gives nothing", value)
		}
	})
}

// Whatever is in names, annotation and options: no panic, every template has its
// outcome, and what is made holds what CDI asks for.
func FuzzExpand(f *testing.F) {
	f.Add("x", "m", "ns", "amd64,arm64", "amd64,arm64", "l", true)                 // sound
	f.Add("", "", "", "", "", "", false)                                           // nothing at all
	f.Add(strings.Repeat("x", 60), "m", "ns", "amd64", "amd64", "", true)          // too long
	f.Add("X", "-", "ns", ",,", "x86_64", "?", true)                               // nothing is right
	f.Add("x", "x", "ns", "\xff,\x00", "\xff,\x00", strings.Repeat("v", 64), true) // odd architectures that the cluster has
	f.Add("x-amd64", "x", "ns", "amd64", "amd64", "", true)                        // collides with the second template
	f.Fuzz(func(t *testing.T, name, managed, namespace, listed, cluster, label string, multi bool) {
		x := template(name, managed, listed)
		x.Labels = map[string]string{"l": label}
		templates := []dictexpand.Template{x, template("x", "x", "amd64"), {}}
		o := dictexpand.Options{
			MultiArch: multi, Namespace: namespace, Architectures: strings.Split(cluster, ","), Owner: owner(),
			CallerDataSources: []dictexpand.CallerDataSource{{Name: managed, Architectures: strings.Split(listed, ",")}},
		}
		e := dictexpand.Expand(templates, o)
		if len(e.Outcomes) != len(templates) {
			t.Fatalf("%d outcomes", len(e.Outcomes))
		}
		for _, c := range e.Crons {
			if n, m := c.Object.Name, c.Object.Spec.ManagedDataSource; n == "" || m == "" || len(n) > 63 || len(m) > 63 || c.Object.Namespace == "" {
				t.Fatalf("cron %q manages %q in %q", n, m, c.Object.Namespace)
			}
		}
		for _, p := range e.Problems {
			if p.Field == "" || p.Type == "" || p.Error() == "" {
				t.Fatalf("problem %+v", p)
			}
		}
		m := newModel()
		m.apply(t, m.plan(e).Steps)
		if s := writes(m.plan(e).Steps); s != "" {
			t.Fatalf("a second plan wants to:\n%s", s)
		}
	})
}
