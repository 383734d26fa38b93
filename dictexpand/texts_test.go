package dictexpand_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// A name that is too long is told what is appended, whatever the order of the list, and
// not also what apimachinery says of its length.
func TestTextsOfLongNames(t *testing.T) {
	limits := func(x dictexpand.Template) (got []string) {
		o := twoArchitectures()
		o.Architectures, o.WorkloadArchitectures = append(o.Architectures, "s390x", "ppc64le"), nil
		o.Supported = nil
		for _, p := range dictexpand.Expand([]dictexpand.Template{x}, o).Problems {
			got = append(got, strings.TrimPrefix(string(p.Type), "FieldValue")+" "+p.Detail)
		}
		return got
	}
	const tooLong = "TooLong may not be more than "
	for _, tt := range []struct {
		name  string
		x     dictexpand.Template
		types []string
		want  string
	}{
		{"12: nothing is appended", template(strings.Repeat("x", 64), "m", ""), []string{"TooLong"}, tooLong + "63 bytes: CDI admits 63"},
		{"12: one of two as long", template(strings.Repeat("x", 58), "m", "amd64,arm64"), []string{"TooLong"}, tooLong + `57 bytes: CDI admits 63, and "-amd64" is appended`},
		{"12: the same in another order", template(strings.Repeat("x", 58), "m", "arm64,amd64"), []string{"TooLong"}, tooLong + `57 bytes: CDI admits 63, and "-amd64" is appended`},
		{"12: the longest of three", template(strings.Repeat("x", 56), "m", "ppc64le,amd64,arm64"), []string{"TooLong"}, tooLong + `55 bytes: CDI admits 63, and "-ppc64le" is appended`},
		{"12: no subdomain either", template(strings.Repeat("X", 253), "m", ""), []string{"Invalid", "TooLong"}, ""},
		{"12: too long for a subdomain", template(strings.Repeat("X", 254), "m", ""), []string{"TooLong"}, tooLong + "63 bytes: CDI admits 63"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := limits(tt.x)
			var types []string
			for _, g := range got {
				kind, _, _ := strings.Cut(g, " ")
				types = append(types, kind)
			}
			if diff := cmp.Diff(tt.types, types); diff != "" || tt.want != "" && !slices.Contains(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// A list of names ends where a text does.
func TestTextsOfLists(t *testing.T) {
	for n, want := range map[int]string{0: "the cluster has none", 1: `the cluster has "a0"`, 2: `the cluster has "a0", "a1"`,
		10: `"a8", "a9"`, 11: `"a8", "a9" and 1 more`} {
		o := dictexpand.Options{MultiArch: true, Namespace: "ns"}
		for i := range n {
			o.Architectures = append(o.Architectures, fmt.Sprint("a", i))
		}
		e := dictexpand.Expand([]dictexpand.Template{template("x", "m", "amd64")}, o)
		at := slices.IndexFunc(e.Findings, func(f dictexpand.Finding) bool { return f.Code == dictexpand.FindingNotInCluster })
		if at < 0 || !strings.HasSuffix(e.Findings[at].Detail, want) {
			t.Errorf("32: %d names: %+v, want %s", n, e.Findings, want)
		}
	}
}

// What is no trouble of an image stream, a platform or a policy.
func TestNoTrouble(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(*dictexpand.Template)
	}{
		{"30: a url where image streams are asked for", func(*dictexpand.Template) {}},
		{"11: a platform without an architecture", func(x *dictexpand.Template) {
			x.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{}
		}},
		{"22: All", func(x *dictexpand.Template) { x.Spec.RetentionPolicy = ptr(cdiv1beta1.DataImportCronRetainAll) }},
		{"22: None", func(x *dictexpand.Template) { x.Spec.RetentionPolicy = ptr(cdiv1beta1.DataImportCronRetainNone) }},
		{"19: an access mode for many readers", func(x *dictexpand.Template) {
			x.Spec.Template.Spec.Storage.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadOnlyMany}
		}},
		{"17: Never", func(x *dictexpand.Template) {
			x.Spec.GarbageCollect = ptr(cdiv1beta1.DataImportCronGarbageCollectNever)
		}},
		{"17: no imports to keep", func(x *dictexpand.Template) { x.Spec.ImportsToKeep = ptr(int32(0)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := template("x", "m", "amd64")
			tt.edit(&x)
			o := twoArchitectures()
			o.ReportImageStreams = true
			if e := dictexpand.Expand([]dictexpand.Template{x}, o); len(e.Problems)+len(e.Findings) > 0 || len(e.Crons) != 1 {
				t.Errorf("%v, %v, %d crons", e.Problems, e.Findings, len(e.Crons))
			}
		})
	}
	t.Run("21,30: an image stream without a name is a problem and no finding", func(t *testing.T) {
		x := template("x", "m", "amd64")
		x.Spec.Template.Spec.Source.Registry = &cdiv1beta1.DataVolumeSourceRegistry{ImageStream: ptr(""), PullMethod: ptr(cdiv1beta1.RegistryPullNode)}
		o := twoArchitectures()
		o.ReportImageStreams = true
		if e := dictexpand.Expand([]dictexpand.Template{x}, o); len(e.Findings) != 0 || len(e.Problems) != 1 || e.Problems[0].Type != field.ErrorTypeRequired {
			t.Errorf("%v, %v", e.Problems, e.Findings)
		}
	})
}

// A step that is left alone says for whose sake.
func TestStepsSayFor(t *testing.T) {
	detail := func(w *world, kind, name string) string {
		for _, s := range w.plan() {
			if s.Kind == kind && s.Name == name {
				return string(s.Reason) + ": " + s.Detail
			}
		}
		return "no step"
	}
	t.Run("45,102: a blocked template", func(t *testing.T) {
		w := newWorld(template("x", "m", "amd64"))
		w.settle(t)
		w.templates = one("x", "m", "adm64")
		for kind, name := range map[string]string{dictexpand.KindDataImportCron: "x-amd64", dictexpand.KindDataSource: "m"} {
			if got := detail(w, kind, name); got != `TemplateBlocked: may belong to the template "x"` {
				t.Errorf("%s: %s", kind, got)
			}
		}
	})
	t.Run("85: a reference of a blocked template too", func(t *testing.T) {
		w := newWorld(template("a", "m", "arm64"), template("i", "m", "amd64"))
		w.settle(t)
		w.templates[1] = template("i", "m", "adm64")
		if got := detail(w, dictexpand.KindDataSource, "m"); got != `TemplateBlocked: belongs to the template "i" too` {
			t.Error(got)
		}
	})
	t.Run("57: what a deletion takes along", func(t *testing.T) {
		for _, retain := range []bool{true, false} {
			x := template("x", "m", "amd64")
			want := "SpecChanged: "
			if retain {
				x = retainNone(x)
				want += `the images that it imported go with it, and the DataSource "m-amd64" has none until the next import`
			}
			w := newWorld(x)
			w.settle(t)
			w.templates[0].Spec.Schedule = "1 1 * * *"
			if got := detail(w, dictexpand.KindDataImportCron, "x-amd64"); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	})
	t.Run("50: a template that is gone", func(t *testing.T) {
		w := newWorld(retainNone(template("x", "m", "amd64")))
		w.settle(t)
		w.templates = nil
		if got := detail(w, dictexpand.KindDataImportCron, "x-amd64"); got != "TemplateRemoved: " {
			t.Error(got)
		}
	})
}

// What begins like a scheme, or is as long as one, is another.
func TestSchemes(t *testing.T) {
	for url, want := range map[string]bool{
		"docker://q": true, "Docker://q": true, "oci-archive://q": true, "docker:": true,
		"podman://q": false, "docker-archive://q": false, "docker": false, "oci://q": false,
	} {
		x := template("x", "m", "amd64")
		x.Spec.Template.Spec.Source.Registry.URL = &url
		if e := dictexpand.Expand([]dictexpand.Template{x}, twoArchitectures()); (len(e.Problems) == 0) != want {
			t.Errorf("21: %s: %v", url, e.Problems)
		}
	}
}

func TestTextsOfSchedules(t *testing.T) {
	for schedule, want := range map[string]string{
		"TZ=UTC":      "there is nothing but a time zone",
		"CRON_TZ=UTC": "there is nothing but a time zone",
		"TZ=UTC ":     "there are 0 fields, and there must be five: minute, hour, day of the month, month, day of the week",
	} {
		x := template("x", "m", "amd64")
		x.Spec.Schedule = schedule
		e := dictexpand.Expand([]dictexpand.Template{x}, twoArchitectures())
		if len(e.Problems) != 1 || e.Problems[0].Detail != want {
			t.Errorf("16: %s: %v", schedule, e.Problems)
		}
	}
}
