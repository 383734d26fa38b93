package dictexpand_test

import (
	"cmp"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
)

// What CDI surely refuses is a problem at once, of the field that is wrong, and the
// model of its webhook agrees with each case.
func TestWhatCDIRefuses(t *testing.T) {
	refused := func(t *testing.T, x dictexpandtest.Template) (fields string, findings int) {
		t.Helper()
		e := dictexpand.Expand([]dictexpand.Template{dictexpand.Template(x)}, twoArchitectures())
		var got []string
		for _, p := range e.Problems {
			got = append(got, strings.TrimPrefix(p.Field, "dataImportCronTemplates[x]."))
		}
		c := cdiv1beta1.DataImportCron{ObjectMeta: x.ObjectMeta, Spec: x.Spec}
		c.Namespace = cmp.Or(c.Namespace, "ns")
		if why := dictexpandtest.Webhook(c); (why != "") != (got != nil) {
			t.Errorf("problems %v, the webhook says %q", e.Problems, why)
		}
		return strings.Join(got, ", "), len(e.Findings)
	}
	for _, tc := range dictexpandtest.SpecCases() {
		t.Run(tc.Name, func(t *testing.T) {
			x := dictexpandtest.TemplateOf("x", "m", "")
			tc.Edit(&x.Spec)
			got, findings := refused(t, x)
			if want := prefixed("spec.", tc.Refused); got != want {
				t.Errorf("problems at %q, want %q", got, want)
			}
			if noted := findings == 1; noted != (tc.Rule == "unknown-retention-is-all") {
				t.Errorf("%d findings", findings)
			}
		})
	}
	for _, tc := range dictexpandtest.MetadataCases() {
		t.Run(tc.Name, func(t *testing.T) {
			x := dictexpandtest.TemplateOf("x", "m", "")
			tc.Edit(&x)
			if got, _ := refused(t, x); got != prefixed("metadata.", tc.Refused) {
				t.Errorf("problems at %q, want %q", got, prefixed("metadata.", tc.Refused))
			}
		})
	}
}

func prefixed(prefix, field string) string {
	if field == "" {
		return ""
	}
	return prefix + field
}

// A value of half a megabyte, and a thousand names, make no text of that size.
func TestTextsAreBounded(t *testing.T) {
	t.Run("32: long values and many names", func(t *testing.T) {
		long := strings.Repeat("x", 500_000)
		x := template(long, long, long+","+long)
		x.Namespace, x.Labels = long, map[string]string{long: long}
		x.Annotations[long] = long
		x.Spec.Schedule, x.Spec.GarbageCollect = long, ptr(cdiv1beta1.DataImportCronGarbageCollect(long))
		x.Spec.RetentionPolicy = ptr(cdiv1beta1.DataImportCronRetentionPolicy(long))
		x.Spec.Template.Spec.Source.Registry.URL = &long
		x.Spec.Template.Spec.Storage.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.PersistentVolumeAccessMode(long)}
		templates := []dictexpand.Template{x, template(long, "m", "amd64"), template("y", long, ""), template("z", "n", "s390x")}
		for i := range 30 {
			templates = append(templates, template("shared-"+strings.Repeat("i", i), "m", ""))
		}
		o := twoArchitectures()
		o.Architectures = append(o.Architectures, long)
		e := dictexpand.Expand(templates, o)
		if len(e.Problems) < 40 || len(e.Findings) == 0 {
			t.Fatalf("%d problems, %d findings", len(e.Problems), len(e.Findings))
		}
		for _, p := range e.Problems {
			if n := len(p.Error()); n > 2000 {
				t.Errorf("problem of %d bytes: %.200s", n, p.Error())
			}
			if strings.Contains(p.Detail, "shared-iii") && !strings.Contains(p.Detail, "and 20 more") {
				t.Errorf("names too many or too few: %s", p.Detail)
			}
		}
		for _, f := range e.Findings {
			if n := len(f.String()); n > 2000 {
				t.Errorf("finding of %d bytes: %.200s", n, f)
			}
		}
	})
}
