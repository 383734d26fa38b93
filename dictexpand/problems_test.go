package dictexpand_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestProblemsAndFindings(t *testing.T) {
	imageStream := with(template("x", "m", "amd64"), func(t *dictexpand.Template) {
		t.Spec.Template.Spec.Source.Registry = &cdiv1beta1.DataVolumeSourceRegistry{ImageStream: ptr("fedora"), PullMethod: ptr(cdiv1beta1.RegistryPullNode)}
	})
	testExpand(t, []expandRow{
		{
			name:      "30: the source is an image stream",
			templates: []dictexpand.Template{imageStream},
			options:   func(o *dictexpand.Options) { o.ReportImageStreams = true },
			want: `cron x-amd64 manages m-amd64 arch amd64
reference m to m-amd64
x: PerArchitecture
reference m: FirstWithWorkload
finding ImageStreamSource at [x].spec.template.spec.source.registry.imageStream
`,
		},
		{
			name:      "30: the source is an image stream, and nobody asked",
			templates: []dictexpand.Template{imageStream},
			want: `cron x-amd64 manages m-amd64 arch amd64
reference m to m-amd64
x: PerArchitecture
reference m: FirstWithWorkload
`,
		},
	})
}

func TestOrderOfTemplates(t *testing.T) {
	t.Run("31: the order of the templates shows in Outcomes only", func(t *testing.T) {
		templates := []dictexpand.Template{
			template("x", "m", "amd64,arm64"), template("y", "m", "arm64"), template("typo", "n", "adm64"),
			template("z", "o", "arm64"), template("i", "o", "amd64"), template("empty", "p", ","), template("w", "q", ""),
		}
		want := dictexpand.Expand(templates, twoArchitectures())
		slices.Reverse(templates)
		slices.Reverse(want.Outcomes)
		if diff := cmp.Diff(want, dictexpand.Expand(templates, twoArchitectures())); diff != "" {
			t.Errorf("-first +reversed:\n%s", diff)
		}
	})
}

func TestFindingNames(t *testing.T) {
	o := twoArchitectures()
	o.OwnImages = []types.NamespacedName{key(goldenImages, "m-arm64"), key(goldenImages, "n")}
	e := dictexpand.Expand([]dictexpand.Template{
		template("x", "m", "x86_64,ppc64le,s390x,arm64"), template("y", "n", ""), template("z", "o", "s390x"),
	}, o)
	var got []string
	for _, f := range e.Findings {
		got = append(got, fmt.Sprintf("%s %q of %s", f.Code, f.Architecture, f.Template))
	}
	want := []string{
		`ArchitectureAlias "x86_64" of x`, `ArchitectureNotInCluster "s390x" of x`, `ArchitectureUnsupported "ppc64le" of x`,
		`AutoUpdateOff "arm64" of x`, `AutoUpdateOff "" of y`,
		`ArchitectureNotInCluster "s390x" of z`, `NoCompatibleArchitecture "" of z`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFindingString(t *testing.T) {
	for want, f := range map[string]dictexpand.Finding{
		"templates[x].spec: is odd": {Path: "templates[x].spec", Detail: "is odd"},
		"is odd":                    {Detail: "is odd"},
		"":                          {},
	} {
		if got := f.String(); got != want {
			t.Errorf("%#v.String() = %q, want %q", f, got, want)
		}
	}
}
