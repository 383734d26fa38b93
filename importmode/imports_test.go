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
	for _, tt := range tagRows() {
		t.Run(tt.name, func(t *testing.T) {
			got := importmode.DefaultImageStreamImport(nil, importOf(image("h/x/y:v5", "v1", tt.given)), tt.stored, tt.cluster, tt.opts)
			if diff := cmp.Diff([]verdict{tt.want}, verdicts(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("nil request", func(t *testing.T) {
		if got := importmode.DefaultImageStreamImport(nil, nil, nil, preserve, importmode.Options{}); got != nil {
			t.Errorf("%+v", got)
		}
	})
}

func TestDefaultRepositoryImport(t *testing.T) {
	repository := func(mode imagev1.ImportModeType) *imagev1.ImageStreamImport {
		return &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Repository: &imagev1.RepositoryImportSpec{
			ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode},
		}}}
	}
	for _, tt := range tagRows() {
		t.Run(tt.name, func(t *testing.T) {
			got := importmode.DefaultRepositoryImport(nil, repository(tt.given), []string{"v1"}, tt.stored, tt.cluster, tt.opts)
			if diff := cmp.Diff([]verdict{tt.want}, verdicts(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("nothing without a repository", func(t *testing.T) {
		for _, request := range []*imagev1.ImageStreamImport{nil, {}, importOf(image("h/x/y", "v1", ""))} {
			if got := importmode.DefaultRepositoryImport(nil, request, []string{"v1"}, nil, preserve, importmode.Options{}); got != nil {
				t.Errorf("%+v", got)
			}
		}
	})
}
