package buildplan

import (
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/polyarch/polyarch/payloadarch"
)

func TestNameFields(t *testing.T) {
	base := mustPlan(t, factsFor("amd64", "arm64"))
	if !strings.HasPrefix(base.Name, "worker-") {
		t.Errorf("name %s does not begin with the pool", base.Name)
	}
	for _, tc := range []struct {
		name   string
		change func(*Facts)
	}{
		{"19: config: two of them with equal inputs do not share a build", func(f *Facts) { f.Config.Name = "other" }},
		{"19: pool", func(f *Facts) { f.Config.Spec.MachineConfigPool.Name = "infra" }},
		{"19: rendered config", func(f *Facts) { f.Rendered.Name = "rendered-worker-2" }},
		{"19: push spec", func(f *Facts) { f.Config.Spec.RenderedImagePushSpec = otherRegistry + ":latest" }},
		{"19: tag of the push spec", func(f *Facts) { f.Config.Spec.RenderedImagePushSpec = testRepository + ":v2" }},
		{"19: architectures", func(f *Facts) { f.Architectures = payloadarch.SetOf("amd64") }},
		{"19: a key", func(f *Facts) { f.Config.Spec.Containerfile[0].Content = "x" }},
		{"19: attempt", func(f *Facts) { f.Config.Annotations = map[string]string{AnnotationAttempt: "1"} }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor("amd64", "arm64")
			tc.change(&f)
			if got := mustPlan(t, f).Name; got == base.Name {
				t.Errorf("the name %s does not depend on it", got)
			}
		})
	}
}

var tagRE = regexp.MustCompile(`^[\w][\w.-]{0,127}$`)

// misfits are the names of a build that do not fit where they have to stand.
func misfits(b Build) []string {
	var found []string
	check := func(what, value string, wrong []string) {
		if len(wrong) > 0 {
			found = append(found, what+" "+value+": "+wrong[0])
		}
	}
	object := b.MachineOSBuild()
	check("build", b.Name, validation.IsDNS1123Subdomain(b.Name))
	check("build as label", b.Name, validation.IsValidLabelValue(b.Name))
	for k, v := range object.Labels {
		check("label "+k, v, validation.IsValidLabelValue(v))
	}
	for k := range object.Annotations {
		check("annotation", k, validation.IsQualifiedName(k))
	}
	tags := map[string]string{}
	for _, img := range b.all() {
		meta := b.JobMeta(img)
		check("job", meta.Name, validation.IsDNS1123Label(meta.Name))
		for k, v := range meta.Labels {
			check("job label "+k, v, validation.IsValidLabelValue(v))
		}
		for k := range meta.Annotations {
			check("job annotation", k, validation.IsQualifiedName(k))
		}
		_, tag := splitTag(img.PushSpec)
		if !tagRE.MatchString(tag) {
			found = append(found, "tag "+tag)
		}
		if other, taken := tags[img.PushSpec]; taken && b.Publish.Reason != ReasonInPlace {
			found = append(found, "jobs "+other+" and "+img.Job+" push to "+img.PushSpec)
		}
		tags[img.PushSpec] = img.Job
	}
	if spec := string(b.PushSpec); !legalPushSpec(spec) {
		found = append(found, "push spec "+spec)
	}
	return found
}

// Upstream makes an invalid tag of a pool name of 100 characters.
func TestNamesFit(t *testing.T) {
	t.Run("21,22: pools of any length", func(t *testing.T) {
		for _, pool := range []string{
			"a", "worker", "infra.gpu", strings.Repeat("a", 34), strings.Repeat("a", 35), strings.Repeat("p", 100),
			strings.Repeat("a-", 126) + "a", strings.Repeat("a.", 126) + "a", "0", "worker-" + strings.Repeat(".x", 40),
			strings.Repeat("a", 33) + "-b", strings.Repeat("a", 62) + "-b",
		} {
			for _, archs := range [][]string{{"amd64"}, {"amd64", "arm64", "ppc64le", "s390x"}, {"riscv64", "thirty-two-characters-are-allowed"[:32]}} {
				f := factsFor(archs...)
				f.Config.Name, f.Config.Spec.MachineConfigPool.Name = pool, pool
				f.Rendered.Name = "rendered-" + pool[:min(len(pool), 211)] + "-" + strings.Repeat("0", 32)
				b := mustPlan(t, f)
				if b.Next != NextCreate {
					t.Fatalf("pool %.20s: %s %v", pool, b.Next, b.Problems)
				}
				for _, m := range misfits(b) {
					t.Errorf("pool %.20s of %d characters: %s", pool, len(pool), m)
				}
			}
		}
	})
}

func TestNamesTellPoolsApart(t *testing.T) {
	t.Run("19,21: by the hash", func(t *testing.T) {
		seen := map[string]string{}
		for _, pool := range []string{"a.b", "a-b", strings.Repeat("a", 60) + "b", strings.Repeat("a", 60) + "c"} {
			f := factsFor("amd64")
			f.Config.Spec.MachineConfigPool.Name = pool
			name := mustPlan(t, f).Name
			if other, taken := seen[name]; taken {
				t.Errorf("pools %s and %s share %s", other, pool, name)
			}
			seen[name] = pool
		}
		long := strings.Repeat("a", 64)
		if labelValue(long+"b") == labelValue(long+"c") {
			t.Error("long label values that differ became one")
		}
	})
}

// The way past the pattern of a label lets nothing by that the pattern refuses.
func TestArchitectureNames(t *testing.T) {
	for _, tc := range []struct {
		name, architecture string
		problems           int
	}{
		{"5: of the payload", "ppc64le", 0},
		{"5: of another GOARCH", "riscv64", 0},
		{"5: of 32 characters", strings.Repeat("a", 32), 0},
		{"5: of 33 characters", strings.Repeat("a", 33), 1},
		{"5: with a capital", "AMD64", 1},
		{"5: with an underscore", "x86_64", 1},
		{"5: with a hyphen at the end", "arm-", 1},
		{"5: with a dot", "arm.v7", 1},
		{"5: with the name of the publishing job", "publish", 1},
		{"5: with a name that only begins like that", "publisher", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := isLabel(tc.architecture); got != (len(validation.IsDNS1123Label(tc.architecture)) == 0) {
				t.Errorf("%q is a label: %v", tc.architecture, got)
			}
			b := mustPlan(t, factsFor(tc.architecture))
			if len(b.Problems) != tc.problems || (b.Next == NextBlocked) != (tc.problems > 0) {
				t.Errorf("%s with problems %v, want %d", b.Next, b.Problems, tc.problems)
			}
		})
	}
	for _, name := range []string{"amd64", "arm64", "ppc64le", "s390x", publishSuffix} {
		if !isLabel(name) || len(validation.IsDNS1123Label(name)) > 0 {
			t.Errorf("%s is no label", name)
		}
	}
}
