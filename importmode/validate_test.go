package importmode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

func TestValidate(t *testing.T) {
	istag := func(mode imagev1.ImportModeType) *imagev1.ImageStreamTag {
		spec := tag("v1", mode)
		return &imagev1.ImageStreamTag{Tag: &spec}
	}
	root := field.NewPath("items").Index(4)
	for _, tt := range []struct {
		name string
		got  field.ErrorList
		want []string // fields
	}{
		{"40: under a path", importmode.ValidateImageStream(stream(tag("a", " ")), root),
			[]string{"items[4].spec.tags[a].importPolicy.importMode"}},
		{"40: nil stream", importmode.ValidateImageStream(nil, nil), nil},
		{"40: one mode, empty", importmode.ValidateMode("", "", root), nil},
		{"40: one mode, empty over a mode", importmode.ValidateMode("", legacy, root), nil},
		{"40: one mode, empty over a bad value", importmode.ValidateMode("", "Whole", root), nil},
		{"40: an import without a repository", importmode.ValidateImageStreamImport(importOf(image("h/x/y:a", "", "Whole")), nil), []string{"spec.images[0].importPolicy.importMode"}},
		{"40: one mode, Legacy over a bad value", importmode.ValidateMode(legacy, "Whole", root), nil},
		{"40: one mode, PreserveOriginal", importmode.ValidateMode(preserve, legacy, root), nil},
		{"40: one bad mode", importmode.ValidateMode("Whole", "", root), []string{"items[4].importPolicy.importMode"}},
		{"40: one bad mode over a good one", importmode.ValidateMode("Whole", legacy, root), []string{"items[4].importPolicy.importMode"}},
		{"40: one bad mode, without a path", importmode.ValidateMode("Whole", "All", nil), []string{"importPolicy.importMode"}},
		{"42: one bad mode over itself", importmode.ValidateMode("Whole", "Whole", root), nil},
		{"40: nil image stream tag", importmode.ValidateImageStreamTag(nil, nil), nil},
		{"40: update of an image stream tag with another bad value", importmode.ValidateImageStreamTagUpdate(istag("Whole"), istag("All"), root), []string{"items[4].tag.importPolicy.importMode"}},
		{"40: update of no image stream tag", importmode.ValidateImageStreamTagUpdate(nil, istag("Whole"), nil), nil},
		{"40: nil import", importmode.ValidateImageStreamImport(nil, nil), nil},
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
		for i, d := range importmode.DefaultImageStream(nil, request, stream(tag("a", ""), tag("b", preserve)), cluster, importmode.Options{}) {
			request.Spec.Tags[i].ImportPolicy.ImportMode = d.Store
		}
		if problems := importmode.ValidateImageStream(request, nil); len(problems) > 0 {
			t.Errorf("cluster %q: %v", cluster, problems)
		}
	}
}

// A client reads an image stream tag that is stored with a bad value, changes
// something else and writes it back.
func TestImageStreamTagIsReadAndPutBack(t *testing.T) {
	stored := stream(tag("v1", "Whole"))
	read := &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Name: "s:v1"}, Tag: stored.Spec.Tags[0].DeepCopy()}
	put := read.DeepCopy()
	put.Tag.Annotations = map[string]string{"note": "changed"}
	if problems := importmode.ValidateImageStreamTagUpdate(put, read, nil); len(problems) != 0 {
		t.Errorf("refused: %v", problems)
	}
	if d := importmode.DefaultImageStreamTag(put, stored, preserve, importmode.Options{}); d.Store != "Whole" || d.Changed {
		t.Errorf("%+v", d)
	}
	if problems := importmode.ValidateImageStreamTag(put, nil); len(problems) != 1 {
		t.Errorf("at create: %v", problems)
	}
}
