package importmode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

func TestValidate(t *testing.T) {
	badTag := tag("v1", "Whole")
	repository := importOf(image("h/x/y", "a", "All"), image("h/x/y", "b", ""), image("h/x/y", "c", "None"))
	repository.Spec.Repository = &imagev1.RepositoryImportSpec{ImportPolicy: imagev1.TagImportPolicy{ImportMode: "Whole"}}
	root := field.NewPath("items").Index(4)
	for _, tt := range []struct {
		name string
		got  field.ErrorList
		want []string // fields
	}{
		{"the three valid values", importmode.ValidateImageStream(stream(tag("a", legacy), tag("b", preserve), tag("c", "")), nil), nil},
		{"every bad value, in order", importmode.ValidateImageStream(stream(tag("a", "Whole"), tag("b", legacy), tag("c", "legacy")), nil),
			[]string{"spec.tags[0].importPolicy.importMode", "spec.tags[2].importPolicy.importMode"}},
		{"under a path", importmode.ValidateImageStream(stream(tag("a", " ")), root),
			[]string{"items[4].spec.tags[0].importPolicy.importMode"}},
		{"nil stream", importmode.ValidateImageStream(nil, nil), nil},
		{"update: a bad value that is stored is let through", importmode.ValidateImageStreamUpdate(stream(tag("b", legacy), tag("a", "Whole")), stream(tag("a", "Whole")), nil), nil},
		{"update: a bad value in place of another is not", importmode.ValidateImageStreamUpdate(stream(tag("a", "Whole")), stream(tag("a", "All")), nil),
			[]string{"spec.tags[0].importPolicy.importMode"}},
		{"update: a bad value on another tag is not", importmode.ValidateImageStreamUpdate(stream(tag("a", "Whole"), tag("b", "Whole")), stream(tag("a", "Whole")), nil),
			[]string{"spec.tags[1].importPolicy.importMode"}},
		{"image stream tag", importmode.ValidateImageStreamTag(&imagev1.ImageStreamTag{Tag: &badTag}, nil), []string{"tag.importPolicy.importMode"}},
		{"image stream tag without a spec tag", importmode.ValidateImageStreamTag(&imagev1.ImageStreamTag{}, nil), nil},
		{"nil image stream tag", importmode.ValidateImageStreamTag(nil, nil), nil},
		{"import: repository and images", importmode.ValidateImageStreamImport(repository, nil),
			[]string{"spec.repository.importPolicy.importMode", "spec.images[0].importPolicy.importMode", "spec.images[2].importPolicy.importMode"}},
		{"nil import", importmode.ValidateImageStreamImport(nil, nil), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var fields []string
			for _, e := range tt.got {
				if e.Type != field.ErrorTypeNotSupported {
					t.Errorf("%v has type %s", e, e.Type)
				}
				fields = append(fields, e.Field)
			}
			if diff := cmp.Diff(tt.want, fields); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

// What the API server defaults, it must be able to store, but for values that
// are no mode and were there before or in the request.
func TestDefaultedStreamsAreValid(t *testing.T) {
	for _, cluster := range []imagev1.ImportModeType{"", legacy, preserve} {
		request := stream(tag("a", ""), tag("b", legacy), tag("n", ""))
		for _, d := range importmode.DefaultImageStream(nil, request, stream(tag("a", ""), tag("b", preserve)), cluster, importmode.Options{}) {
			request.Spec.Tags[d.Index].ImportPolicy.ImportMode = d.Mode
		}
		if problems := importmode.ValidateImageStream(request, nil); len(problems) > 0 {
			t.Errorf("cluster %q: %v", cluster, problems)
		}
	}
}

func TestFindingsPaths(t *testing.T) {
	ignore := importmode.Options{IgnoreLegacy: true}
	spec := tag("v1", legacy)
	for _, tt := range []struct {
		name      string
		decisions []importmode.TagDecision
		path      *field.Path
		want      []string
	}{
		{"tags of a stream", importmode.DefaultImageStream(nil, stream(tag("a", ""), tag("b", legacy), tag("c", legacy)), nil, preserve, ignore),
			field.NewPath("spec", "tags"), []string{"spec.tags[1]", "spec.tags[2]"}},
		{"an image stream tag", []importmode.TagDecision{importmode.DefaultImageStreamTag(&imagev1.ImageStreamTag{Tag: &spec}, nil, preserve, ignore)},
			field.NewPath("tag"), []string{"tag"}},
		{"images of an import", importmode.DefaultImageStreamImport(nil, importOf(image("h/x/y:v1", "", legacy)), nil, preserve, ignore),
			field.NewPath("spec", "images"), []string{"spec.images[0]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var paths []string
			for _, f := range importmode.Findings(tt.decisions, tt.path) {
				if f.Detail == "" {
					t.Errorf("finding %s without a detail", f.Code)
				}
				paths = append(paths, f.Path)
			}
			if diff := cmp.Diff(tt.want, paths); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
