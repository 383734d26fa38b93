package dictexpand_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/dictexpand"
)

// memory adds the address of everything below v that could be written through:
// what pointers point to, arrays of slices, maps.
func memory(v reflect.Value, path string, into map[uintptr]string) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		into[v.Pointer()] = path
		memory(v.Elem(), path, into)
	case reflect.Map:
		if v.IsNil() {
			return
		}
		into[v.Pointer()] = path
		for _, k := range v.MapKeys() {
			memory(v.MapIndex(k), path+"["+k.String()+"]", into)
		}
	case reflect.Slice:
		if v.Cap() == 0 {
			return
		}
		into[v.Pointer()] = path
		for i := range v.Len() {
			memory(v.Index(i), path+"[]", into)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			memory(v.Field(i), path+"."+v.Type().Field(i).Name, into)
		}
	case reflect.Interface:
		if !v.IsNil() {
			memory(v.Elem(), path, into)
		}
	}
}

func disjoint(t rapid.TB, what string, a, b any) {
	t.Helper()
	ours, theirs := map[uintptr]string{}, map[uintptr]string{}
	memory(reflect.ValueOf(a), "", ours)
	memory(reflect.ValueOf(b), "", theirs)
	for addr, path := range ours {
		if other, shared := theirs[addr]; shared {
			t.Fatalf("%s share memory: %s and %s", what, path, other)
		}
	}
}

// genFull returns templates with something in every field that could be shared.
func genFull() *rapid.Generator[[]dictexpand.Template] {
	return rapid.Custom(func(t *rapid.T) []dictexpand.Template {
		templates := genTemplates().Draw(t, "templates")
		for i := range templates {
			if templates[i].Spec.Template.Spec.Source == nil {
				continue
			}
			f := full()
			templates[i].Finalizers, templates[i].OwnerReferences = f.Finalizers, f.OwnerReferences
			f.Spec.ManagedDataSource, f.Spec.Schedule = templates[i].Spec.ManagedDataSource, templates[i].Spec.Schedule
			f.Spec.Template.Spec.Source.Registry.Platform = templates[i].Spec.Template.Spec.Source.Registry.Platform
			templates[i].Spec = f.Spec
		}
		return templates
	})
}

func TestExpandSharesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		templates, o := genFull().Draw(t, "templates"), genOptions().Draw(t, "options")
		before := make([]dictexpand.Template, len(templates))
		for i := range templates {
			before[i] = dictexpand.Template{ObjectMeta: *templates[i].ObjectMeta.DeepCopy(), Spec: *templates[i].Spec.DeepCopy()}
		}
		options := copyOptions(o)
		e := dictexpand.Expand(templates, o)
		if diff := cmp.Diff(before, templates); diff != "" && len(templates) > 0 {
			t.Fatalf("templates changed:\n%s", diff)
		}
		if diff := cmp.Diff(options, o); diff != "" {
			t.Fatalf("options changed:\n%s", diff)
		}
		disjoint(t, "templates and expansion", templates, e)
		disjoint(t, "options and expansion", o, e)
		for i := range e.Crons {
			for j := range i {
				disjoint(t, "two crons", &e.Crons[j], &e.Crons[i])
			}
		}
		for i := range e.References {
			for j := range i {
				disjoint(t, "two references", e.References[j], e.References[i])
			}
		}
	})
}

func TestPlanSharesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel()
		for range 3 {
			o := genOptions().Draw(t, "options")
			o.ArchitecturesIncomplete = false
			want := dictexpand.Expand(genFull().Draw(t, "templates"), o)
			have := m.existing()
			for _, s := range dictexpand.Plan(want, have).DryRuns() {
				have.DryRuns = append(have.DryRuns, dictexpand.DryRunOf(s, m.CreateCron(*s.Cron, true)))
			}
			before := copyExisting(have)
			wanted := copyExpansion(want)
			want.BlockedCrons(have.Crons)
			dictexpand.OwnImages(have)
			steps := dictexpand.Plan(want, have).Steps
			for what, diff := range map[string]string{
				"existing": cmp.Diff(before, have), "expansion": cmp.Diff(wanted, want),
			} {
				if diff != "" {
					t.Fatalf("%s changed:\n%s", what, diff)
				}
			}
			disjoint(t, "expansion and steps", want, steps)
			disjoint(t, "existing and steps", have, steps)
			for i := range steps {
				for j := range i {
					disjoint(t, "two steps", steps[j], steps[i])
				}
			}
			m.apply(t, steps)
			m.Run()
		}
	})
}

func copyExisting(have dictexpand.Existing) dictexpand.Existing {
	var e dictexpand.Existing
	for _, c := range have.Crons {
		e.Crons = append(e.Crons, *c.DeepCopy())
	}
	for _, ds := range have.DataSources {
		e.DataSources = append(e.DataSources, *ds.DeepCopy())
	}
	for _, claim := range have.Claims {
		e.Claims = append(e.Claims, *claim.DeepCopy())
	}
	for _, volume := range have.DataVolumes {
		e.DataVolumes = append(e.DataVolumes, *volume.DeepCopy())
	}
	for _, d := range have.DryRuns {
		d.Spec = *d.Spec.DeepCopy()
		e.DryRuns = append(e.DryRuns, d)
	}
	return e
}

func copyOptions(o dictexpand.Options) dictexpand.Options {
	clone := func(s []string) []string { return append([]string(nil), s...) }
	o.Architectures, o.WorkloadArchitectures, o.Supported = append(o.Architectures[:0:0], o.Architectures...),
		append(o.WorkloadArchitectures[:0:0], o.WorkloadArchitectures...), append(o.Supported[:0:0], o.Supported...)
	o.HeldArchitectures = append(o.HeldArchitectures[:0:0], o.HeldArchitectures...)
	o.OwnImages = append([]types.NamespacedName(nil), o.OwnImages...)
	dataSources := o.CallerDataSources
	o.CallerDataSources = nil
	for _, ds := range dataSources {
		ds.Architectures = append(ds.Architectures[:0:0], clone(ds.Architectures)...)
		o.CallerDataSources = append(o.CallerDataSources, ds)
	}
	o.Owner = owner()
	return o
}

func copyExpansion(e dictexpand.Expansion) dictexpand.Expansion {
	crons := e.Crons
	e.Crons = nil
	for _, c := range crons {
		c.Object = *c.Object.DeepCopy()
		e.Crons = append(e.Crons, c)
	}
	references := e.References
	e.References = nil
	for _, r := range references {
		r.Templates = append([]string(nil), r.Templates...)
		e.References = append(e.References, r)
	}
	e.Options = copyOptions(e.Options)
	return e
}

// A Reference gives a new object each time.
func TestReferenceDataSourceSharesNothing(t *testing.T) {
	r := dictexpand.Reference{Namespace: "ns", Name: "m", Target: "m-amd64"}
	a, b := r.DataSource(), r.DataSource()
	a.Spec.Source.DataSource.Name = "changed"
	metav1.SetMetaDataLabel(&a.ObjectMeta, "l", "v")
	if b.Spec.Source.DataSource.Name != "m-amd64" || b.Labels != nil {
		t.Errorf("%+v", b)
	}
}
