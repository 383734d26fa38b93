package buildplan

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

func TestNameFields(t *testing.T) {
	base := mustPlan(t, factsFor("amd64", "arm64"))
	t.Run("21: as much of the pool's name as there is room for", func(t *testing.T) {
		if !strings.HasPrefix(base.Name, "worker-") {
			t.Errorf("name %s does not begin with the pool", base.Name)
		}
	})
	t.Run("19: attempt", func(t *testing.T) {
		f := factsFor("amd64", "arm64")
		f.Config.Annotations = map[string]string{AnnotationAttempt: "1"}
		if got := mustPlan(t, f).Name; got == base.Name {
			t.Errorf("the name %s does not depend on it", got)
		}
	})
	t.Run("21: label values of names that are too long", func(t *testing.T) {
		long := strings.Repeat("a", 64)
		if labelValue(long+"b") == labelValue(long+"c") {
			t.Error("long label values that differ became one")
		}
	})
}

// The way past the pattern of a label lets nothing by that the pattern refuses.
func TestArchitectureNames(t *testing.T) {
	for _, c := range buildplantest.InputCases() {
		if c.Rule != "architecture-can-name-a-job" {
			continue
		}
		t.Run("5: "+c.Name, func(t *testing.T) {
			architecture := c.Facts.Architectures[0]
			if got := isLabel(architecture); got != (len(validation.IsDNS1123Label(architecture)) == 0) {
				t.Errorf("%q is a label: %v", architecture, got)
			}
			if b := mustPlan(t, factsFor(architecture)); len(b.Problems) > 1 || (len(b.Problems) == 0) != c.Taken {
				t.Errorf("problems %v, taken %v", b.Problems, c.Taken)
			}
		})
	}
	for _, name := range []string{"amd64", "arm64", "ppc64le", "s390x", publishSuffix} {
		if !isLabel(name) || len(validation.IsDNS1123Label(name)) > 0 {
			t.Errorf("%s is no label", name)
		}
	}
}
