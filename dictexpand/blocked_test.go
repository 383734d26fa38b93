package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestBlockedNames(t *testing.T) {
	e := dictexpand.Expand([]dictexpand.Template{
		template("z", "m", ","), template("a", "m", ","), template("a", "m", ","), template("ok", "ok", ""),
	}, twoArchitectures())
	if diff := cmp.Diff([]string{"a", "z"}, e.Blocked()); diff != "" {
		t.Errorf("Blocked(), -want +got:\n%s", diff)
	}
}

func TestBlockedCrons(t *testing.T) {
	o := twoArchitectures()
	o.Owner = owner()
	o.Architectures = append(o.Architectures, "riscv64") // no payload is for it
	o.Supported = append(o.Supported, "loong64")
	typo, lost := template("typo", "m", "adm64"), template("", "n", "amd64")
	parts, neither := template("of-two-parts", "m-of-parts", "adm64"), template("neither", "", "adm64")
	e := dictexpand.Expand([]dictexpand.Template{typo, lost, parts, neither, template("sound", "o", "amd64")}, o)
	live := func(name, managed, arch string) cdiv1beta1.DataImportCron {
		c := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{
			Namespace: goldenImages, Name: name, Labels: owner().Labels, Annotations: owner().Annotations,
		}}
		if arch != "" {
			metav1.SetMetaDataLabel(&c.ObjectMeta, dictexpand.LabelArchitecture, arch)
		}
		c.Spec.ManagedDataSource = managed
		return c
	}
	strangers := live("typo-amd64", "m-amd64", "amd64")
	strangers.Annotations = nil
	// Whatever the order, and each once.
	both := []types.NamespacedName{key(goldenImages, "typo-amd64"), key(goldenImages, "typo-arm64")}
	arm64, amd64 := live("typo-arm64", "m-arm64", "arm64"), live("typo-amd64", "m-amd64", "amd64")
	if diff := cmp.Diff(both, e.BlockedCrons([]cdiv1beta1.DataImportCron{arm64, amd64, arm64})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, tc := range []struct {
		name string
		live cdiv1beta1.DataImportCron
		want bool
	}{
		{"42: the name of the template", live("typo", "other", ""), true},
		{"42: the name with an architecture", live("typo-amd64", "other", ""), true},
		{"42: the name with an architecture that only the label tells", live("typo-sparc", "other", "sparc"), true},
		{"42: the name with an architecture of payloads alone", live("typo-ppc64le", "other", ""), true},
		{"42: the name with an architecture of the cluster alone", live("typo-riscv64", "other", ""), true},
		{"42: the name with an architecture that is supported alone", live("typo-loong64", "other", ""), true},
		{"42: a name of several parts with an architecture", live("of-two-parts-arm64", "other", ""), true},
		{"42: a DataSource of several parts with an architecture", live("other", "m-of-parts-arm64", ""), true},
		{"42: an architecture behind a template without a name", live("-amd64", "other", ""), true},
		{"42: nothing but an architecture", live("amd64", "arm64", ""), false},
		{"42: a DataSource that neither the cron nor the template names", live("other", "", ""), false},
		{"42: the name with something else", live("typo-sparc", "other", "amd64"), false},
		{"42: the DataSource of the template", live("other", "n", ""), true},
		{"42: the DataSource with an architecture", live("other", "n-arm64", ""), true},
		{"42: neither the name nor the DataSource", live("other", "other", ""), false},
		{"42: a cron that should exist", live("sound-amd64", "n", ""), false},
		{"42: a cron of a sound template that should not exist", live("sound-arm64", "o-arm64", ""), false},
		{"41,42: somebody else's cron", strangers, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var want []types.NamespacedName
			if tc.want {
				want = append(want, key(goldenImages, tc.live.Name))
			}
			if diff := cmp.Diff(want, e.BlockedCrons([]cdiv1beta1.DataImportCron{tc.live})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
