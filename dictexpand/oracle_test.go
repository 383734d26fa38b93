package dictexpand_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// oracle is the contract read aloud: slow, one sentence after the other, and for
// templates whose names are fine. It returns the crons, the references and the
// blocked templates.
func oracle(templates []dictexpand.Template, o dictexpand.Options) string {
	type made struct{ name, dataSource, arch string }
	type fate struct {
		crons   []made
		images  []string // architectures that a reference could lead to
		before  []string // names of crons that it may have had before
		blocked bool
	}
	own := func(name string) bool { return slices.Contains(o.OwnImages, key(o.Namespace, name)) }
	usable := func(a string) bool {
		return slices.Contains(o.Architectures, a) && (len(o.Supported) == 0 || slices.Contains(o.Supported, a))
	}
	loaded := func(a string) bool {
		return len(o.WorkloadArchitectures) == 0 || slices.Contains(o.WorkloadArchitectures, a)
	}
	first := func(among []string) string {
		for _, wantLoaded := range []bool{true, false} {
			for _, a := range o.Architectures {
				if slices.Contains(among, a) && loaded(a) == wantLoaded {
					return a
				}
			}
		}
		return ""
	}

	fates := make([]fate, len(templates))
	for i, t := range templates {
		f := &fates[i]
		m := t.Spec.ManagedDataSource
		annotation := t.Annotations[dictexpand.AnnotationArchitectures]
		var common []string
		for _, ds := range o.CallerDataSources {
			if ds.Name == m {
				common = ds.Architectures
			}
		}
		switch {
		case !o.MultiArch, annotation == "" && common == nil:
			if !own(m) {
				f.crons = []made{{t.Name, m, ""}}
			}
		case annotation == "":
			var fits []string
			for _, a := range common {
				if usable(a) {
					fits = append(fits, a)
				}
			}
			if a := first(fits); a == "" {
				f.blocked = true
			} else {
				f.images = []string{a}
				if !own(m + "-" + a) {
					f.crons = []made{{t.Name, m + "-" + a, a}}
				}
			}
		default:
			for _, a := range strings.Split(annotation, ",") {
				if a = strings.TrimSpace(a); usable(a) && !slices.Contains(f.images, a) {
					f.images = append(f.images, a)
					if !own(m + "-" + a) {
						f.crons = append(f.crons, made{t.Name + "-" + a, m + "-" + a, a})
					}
				}
			}
			f.blocked = len(f.images) == 0
			for _, a := range f.images {
				f.before = append(f.before, t.Name+"-"+a)
			}
			if f.blocked {
				for _, a := range []string{"amd64", "arm64", "ppc64le", "s390x", "x86_64"} {
					f.before = append(f.before, t.Name+"-"+a)
				}
			}
		}
		for _, c := range f.crons {
			if p := t.Spec.Template.Spec.Source.Registry.Platform; c.arch != "" && p != nil && p.Architecture != c.arch {
				f.blocked = true
			}
		}
	}

	// Who needs a name that another one needs too is blocked.
	conflicts := make([]bool, len(templates))
	for i := range fates {
		for j := range fates {
			if i == j {
				continue
			}
			if templates[i].Name == templates[j].Name {
				conflicts[i], conflicts[j] = true, true
			}
			for _, c := range fates[i].crons {
				if slices.Contains(fates[j].before, c.name) {
					conflicts[i], conflicts[j] = true, true
				}
				for _, d := range fates[j].crons {
					if c.name == d.name || c.dataSource == d.dataSource {
						conflicts[i], conflicts[j] = true, true
					}
				}
				m := templates[j].Spec.ManagedDataSource
				if len(fates[j].images) > 0 && !own(m) && c.dataSource == m {
					conflicts[i], conflicts[j] = true, true
				}
			}
		}
	}

	var crons, references, blocked []string
	targets := map[string][]string{}
	for i, t := range templates {
		if fates[i].blocked || conflicts[i] {
			blocked = append(blocked, "blocked "+t.Name)
			continue
		}
		for _, c := range fates[i].crons {
			crons = append(crons, fmt.Sprintf("cron %s %s %s", c.name, c.dataSource, c.arch))
		}
		if m := t.Spec.ManagedDataSource; !own(m) {
			targets[m] = append(targets[m], fates[i].images...)
		}
	}
	for m, among := range targets {
		if a := first(among); a != "" {
			references = append(references, fmt.Sprintf("reference %s %s-%s", m, m, a))
		}
	}
	slices.Sort(crons)
	slices.Sort(references)
	slices.Sort(blocked)
	return strings.Join(slices.Concat(crons, references, blocked), "\n")
}

// plain writes an expansion the way oracle does.
func plain(e dictexpand.Expansion) string {
	var lines []string
	for _, c := range e.Crons {
		lines = append(lines, fmt.Sprintf("cron %s %s %s", c.Object.Name, c.Object.Spec.ManagedDataSource, c.Architecture))
	}
	slices.Sort(lines) // by name and a blank, not by name
	for _, r := range e.References {
		lines = append(lines, fmt.Sprintf("reference %s %s", r.Name, r.Target))
	}
	var blocked []string
	for _, o := range e.Outcomes {
		if o.Blocked {
			blocked = append(blocked, "blocked "+o.Template)
		}
	}
	slices.Sort(blocked)
	return strings.Join(append(lines, blocked...), "\n")
}

// subsets yields every selection of the names, in their order.
func subsets(names ...string) [][]string {
	all := [][]string{nil}
	for _, n := range names {
		for _, s := range all {
			all = append(all, append(slices.Clone(s), n))
		}
	}
	return all
}

// TestOracle goes through every combination of a small world.
func TestOracle(t *testing.T) {
	n := 0
	for _, listed := range subsets("amd64", " arm64", "x86_64", "ppc64le") {
		for _, cluster := range [][]string{nil, {"amd64"}, {"arm64"}, {"amd64", "arm64"}, {"arm64", "amd64", "arm64", "ppc64le"}} {
			for _, workload := range [][]string{nil, {"amd64"}, {"arm64"}} {
				for _, made := range [][]string{nil, {"arm64"}, {"amd64", "arm64"}} {
					for _, own := range [][]string{nil, {"m"}, {"m-amd64"}, {"m-arm64", "n"}} {
						for _, platform := range []string{"", "arm64"} {
							for _, second := range []dictexpand.Template{
								template("y", "n", ""), template("y", "m", ""), template("y", "m", "amd64"), template("x-amd64", "n", "arm64"), template("x", "m-arm64", ""),
							} {
								o := dictexpand.Options{
									MultiArch: true, Namespace: "ns", Architectures: cluster, WorkloadArchitectures: workload,
									Supported: []string{"amd64", "arm64"},
								}
								if made != nil {
									o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "m", Architectures: made}}
								}
								for _, name := range own {
									o.OwnImages = append(o.OwnImages, types.NamespacedName{Namespace: "ns", Name: name})
								}
								x := template("x", "m", strings.Join(listed, ","))
								if platform != "" {
									x.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: platform}
								}
								templates := []dictexpand.Template{x, second}
								for _, o.MultiArch = range []bool{true, false} {
									n++
									if diff := cmp.Diff(oracle(templates, o), plain(dictexpand.Expand(templates, o))); diff != "" {
										t.Fatalf("templates %s(%s) %q %s(%s) %q platform %q\noptions %+v\n-oracle +got:\n%s", x.Name, x.Spec.ManagedDataSource,
											listed, second.Name, second.Spec.ManagedDataSource, second.Annotations, platform, o, diff)
									}
								}
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d combinations", n)
}
