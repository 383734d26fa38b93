package buildplan

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

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
		{"pool", func(f *Facts) { f.Config.Spec.MachineConfigPool.Name = "infra" }},
		{"rendered config", func(f *Facts) { f.Rendered.Name = "rendered-worker-2" }},
		{"push spec", func(f *Facts) { f.Config.Spec.RenderedImagePushSpec = otherRegistry + ":latest" }},
		{"tag of the push spec", func(f *Facts) { f.Config.Spec.RenderedImagePushSpec = testRepository + ":v2" }},
		{"architectures", func(f *Facts) { f.Architectures = payloadarch.SetOf("amd64") }},
		{"a key", func(f *Facts) { f.Config.Spec.Containerfile[0].Content = "x" }},
		{"attempt", func(f *Facts) { f.Config.Annotations = map[string]string{AnnotationAttempt: "1"} }},
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
	for _, s := range append(slices.Clone(b.Images), b.Publish) {
		meta := b.JobMeta(s)
		check("job", meta.Name, validation.IsDNS1123Label(meta.Name))
		for k, v := range meta.Labels {
			check("job label "+k, v, validation.IsValidLabelValue(v))
		}
		for k := range meta.Annotations {
			check("job annotation", k, validation.IsQualifiedName(k))
		}
		_, tag := splitTag(s.PushSpec)
		if !tagRE.MatchString(tag) {
			found = append(found, "tag "+tag)
		}
		if other, taken := tags[s.PushSpec]; taken && b.Publish.Reason != ReasonInPlace {
			found = append(found, "jobs "+other+" and "+s.Job+" push to "+s.PushSpec)
		}
		tags[s.PushSpec] = s.Job
	}
	if spec := string(b.PushSpec); !legalPushSpec(spec) {
		found = append(found, "push spec "+spec)
	}
	return found
}

// Upstream makes an invalid tag of a pool name of 100 characters.
func TestNamesFit(t *testing.T) {
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
}

func TestNamesTellPoolsApart(t *testing.T) {
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
}

func TestJobFacts(t *testing.T) {
	f := factsFor("amd64", "arm64")
	f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.Arm64, Content: "own"})
	b := mustPlan(t, f)
	tags := map[string]bool{}
	for _, s := range b.Images {
		meta := b.JobMeta(s)
		if meta.Namespace != Namespace || meta.Name != s.Job {
			t.Errorf("job %s/%s", meta.Namespace, meta.Name)
		}
		selector := s.NodeSelector()
		if selector["kubernetes.io/arch"] != s.Architecture || selector["kubernetes.io/os"] != "linux" || len(selector) != 2 {
			t.Errorf("%s runs on %v", s.Architecture, selector)
		}
		if meta.Labels[LabelArchitecture] != s.Architecture || meta.Annotations[LabelArchitecture] != s.Architecture {
			t.Errorf("%s is labeled %v, annotated %v", s.Architecture, meta.Labels, meta.Annotations)
		}
		if got := s.BuildArgs(); len(got) != 1 || got["TARGETARCH"] != s.Architecture {
			t.Errorf("%s has the build arguments %v", s.Architecture, got)
		}
		if tags[s.PushSpec] || !strings.HasSuffix(s.PushSpec, s.Architecture) {
			t.Errorf("%s pushes to %s", s.Architecture, s.PushSpec)
		}
		tags[s.PushSpec] = true
	}
	if selector := b.Publish.NodeSelector(); len(selector) != 1 || selector["kubernetes.io/os"] != "linux" {
		t.Errorf("the publishing job runs on %v", selector)
	}
	meta := b.JobMeta(b.Publish)
	if _, ok := meta.Labels[LabelArchitecture]; ok || meta.Labels[LabelBuild] != b.Name {
		t.Errorf("the publishing job is labeled %v", meta.Labels)
	}
	if b.Publish.PushSpec != testRepository+":"+b.Name {
		t.Errorf("published as %s", b.Publish.PushSpec)
	}
	// A homogeneous pool works as it does today: one job pushes under the final tag.
	if one := mustPlan(t, factsFor("arm64")); one.Images[0].PushSpec != string(one.PushSpec) {
		t.Errorf("a single image is pushed to %s, want %s", one.Images[0].PushSpec, one.PushSpec)
	}
}
