package importmode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

func importOf(images ...imagev1.ImageImportSpec) *imagev1.ImageStreamImport {
	return &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Import: true, Images: images}}
}

func image(from, to string, mode imagev1.ImportModeType) imagev1.ImageImportSpec {
	i := imagev1.ImageImportSpec{
		From:         corev1.ObjectReference{Kind: "DockerImage", Name: from},
		ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode},
	}
	if to != "" {
		i.To = &corev1.LocalObjectReference{Name: to}
	}
	return i
}

func TestDefaultImageStreamImport(t *testing.T) {
	for _, tt := range tagRows {
		t.Run(tt.name, func(t *testing.T) {
			got := importmode.DefaultImageStreamImport(nil, importOf(image("h/x/y:v5", "v1", tt.given)), tt.stored, tt.cluster, tt.opts)
			if diff := cmp.Diff([]verdict{tt.want}, verdicts(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("27: an import into a tag stored empty goes by Legacy and writes nothing", func(t *testing.T) {
		got := importmode.DefaultImageStreamImport(nil, importOf(image("h/x/y:v1", "v1", "")), stream(tag("v1", "")), preserve, importmode.Options{})
		if got[0].Import != legacy || got[0].Store != "" || got[0].Changed {
			t.Errorf("%+v", got[0])
		}
	})
	t.Run("nil request", func(t *testing.T) {
		if got := importmode.DefaultImageStreamImport(nil, nil, nil, preserve, importmode.Options{}); got != nil {
			t.Errorf("%+v", got)
		}
	})
}

func TestDefaultImageStreamImportTargets(t *testing.T) {
	stored := stream(tag("v1", legacy), tag("latest", legacy))
	for _, tt := range []struct {
		name, from, to string
		tag            string // that the image goes to
	}{
		{"35: to.name", "h/x/y", "v1", "v1"},
		{"35: to.name before the tag of from", "h/x/y:v1", "v9", "v9"},
		{"35: tag of from", "h/x/y:v1", "", "v1"},
		{"35: tag of from behind a port", "h:5000/x/y:v1", "", "v1"},
		{"35: tag of from before a digest", "h/x/y:v1@sha256:0123", "", "v1"},
		{"35,36: a port is no tag", "h:5000/x/y", "", ""},
		{"35,36: a port that reads like a tag", "h:v1/x/y", "", ""},
		{"35,36: a digest is no tag", "h/x/y@sha256:v1", "", ""},
		{"36: a name without a tag goes to no tag, not to latest", "h/x/y", "", ""},
		{"36: empty name", "", "", ""},
		{"36: just a colon", ":", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request := importOf(image(tt.from, tt.to, ""))
			if tt.to == "" {
				// An empty to.name is as good as none.
				request.Spec.Images = append(request.Spec.Images, image(tt.from, "", ""))
				request.Spec.Images[1].To = &corev1.LocalObjectReference{}
			}
			for _, d := range importmode.DefaultImageStreamImport(nil, request, stored, preserve, importmode.Options{}) {
				if found := tt.tag == "v1"; d.Name != tt.tag || d.New == found || (d.Reason == importmode.ReasonStored) != found {
					t.Errorf("%+v, want the tag %q", d, tt.tag)
				}
			}
		})
	}
	t.Run("36: an image that goes to no tag finds no tag without a name", func(t *testing.T) {
		got := importmode.DefaultImageStreamImport(nil, importOf(image("h/x/y", "", "")), stream(tag("", legacy)), preserve, importmode.Options{})
		if got[0].Store != preserve || !got[0].New || got[0].Name != "" {
			t.Errorf("%+v", got[0])
		}
	})
}

func TestDefaultRepositoryImport(t *testing.T) {
	repository := func(mode imagev1.ImportModeType) *imagev1.ImageStreamImport {
		return &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Repository: &imagev1.RepositoryImportSpec{
			ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode},
		}}}
	}
	for _, tt := range tagRows {
		t.Run(tt.name, func(t *testing.T) {
			got := importmode.DefaultRepositoryImport(nil, repository(tt.given), []string{"v1"}, tt.stored, tt.cluster, tt.opts)
			if diff := cmp.Diff([]verdict{tt.want}, verdicts(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("38: decided per resulting tag", func(t *testing.T) {
		stored := stream(tag("a", legacy), tag("b", preserve), tag("c", ""))
		got := importmode.DefaultRepositoryImport(nil, repository(""), []string{"c", "n", "b", "a", "b"}, stored, preserve, importmode.Options{})
		want := []verdict{
			{Import: legacy, Store: "", Reason: importmode.ReasonStoredEmpty},
			{Import: preserve, Store: preserve, Reason: importmode.ReasonClusterMode, New: true},
			{Import: preserve, Store: preserve, Reason: importmode.ReasonStored},
			{Import: legacy, Store: legacy, Reason: importmode.ReasonStored},
			{Import: preserve, Store: preserve, Reason: importmode.ReasonStored},
		}
		if diff := cmp.Diff(want, verdicts(got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("nothing without a repository", func(t *testing.T) {
		for _, request := range []*imagev1.ImageStreamImport{nil, {}, importOf(image("h/x/y", "v1", ""))} {
			if got := importmode.DefaultRepositoryImport(nil, request, []string{"v1"}, nil, preserve, importmode.Options{}); got != nil {
				t.Errorf("%+v", got)
			}
		}
	})
}
