package importmode_test

import (
	"strconv"
	"testing"

	imagev1 "github.com/openshift/api/image/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/importmode"
)

// With the race detector this sees a write to what several callers share, even one that is
// undone before they return.
func TestConcurrentCallers(t *testing.T) {
	request, stored := stream(tag("a", ""), tag("b", legacy), tag("c", "Whole")), stream(tag("a", legacy), tag("d", preserve))
	imports := importOf(image("h/x/y:a", "", ""), image("h/x/y:b", "b", "Whole"))
	imports.Spec.Repository = &imagev1.RepositoryImportSpec{}
	one := &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Name: "s:a"}, Tag: &request.Spec.Tags[0]}
	config, existing := imageConfig(configLegacy), observed("PreserveOriginal")
	opts := importmode.Options{IgnoreLegacy: true}
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			for _, d := range importmode.DefaultImageStream(nil, request, stored, preserve, opts) {
				d.Findings(nil)
			}
			importmode.DefaultManagedImageStream(nil, request, stored)
			importmode.DefaultImageStreamTag(one, stored, preserve, opts)
			importmode.DefaultImageStreamImport(nil, imports, stored, preserve, opts)
			importmode.DefaultRepositoryImport(nil, imports, []string{"a", "b"}, stored, preserve, opts)
			importmode.ValidateImageStreamUpdate(request, stored, nil)
			importmode.ValidateImageStreamTagUpdate(one, one, nil)
			importmode.ValidateImageStreamImport(imports, nil)
			var effect importmode.Effect
			effect.Add(nil, stored, nil)
			importmode.Decide(importmode.Input{Spec: "Whole", Payload: multi})
			if _, err := importmode.Convert[imagev1.ImportModeType]("Whole"); err == nil {
				t.Error("Whole is no mode")
			}
			if _, err := importmode.Observe(config, nil, existing); err != nil {
				t.Error(err)
			}
		})
	}
}
