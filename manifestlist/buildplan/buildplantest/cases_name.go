package buildplantest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/conformance"
)

// A NameCase is a change of the facts of amd64 and arm64 that needs another build.
type NameCase struct {
	Name   string
	Change func(*Facts)
}

// NameCases are what the name of a build covers.
func NameCases() []NameCase {
	return []NameCase{
		{"config: two of them with equal inputs do not share a build", func(f *Facts) { f.Config.Name = "other" }},
		{"pool", func(f *Facts) { f.Config.Spec.MachineConfigPool.Name = "infra" }},
		{"rendered config", func(f *Facts) { f.Rendered.Name = "rendered-worker-2" }},
		{"push spec", func(f *Facts) { f.Config.Spec.RenderedImagePushSpec = "mirror.example.com/fleet/os:latest" }},
		{"tag of the push spec", func(f *Facts) { f.Config.Spec.RenderedImagePushSpec = Repository + ":v2" }},
		{"architectures", func(f *Facts) { f.Architectures = []string{"amd64"} }},
		{"a key", func(f *Facts) { f.Config.Spec.Containerfile[0].Content = "x" }},
		{"pools that differ in a dot", func(f *Facts) { f.Config.Spec.MachineConfigPool.Name = "a.b" }},
		{"pools that differ at the end of a long name", func(f *Facts) {
			f.Config.Spec.MachineConfigPool.Name = strings.Repeat("a", 60) + "b"
		}},
	}
}

// before is what a case changes from.
func (c NameCase) before() Facts {
	f := FactsFor("amd64", "arm64")
	switch c.Name {
	case "pools that differ in a dot":
		f.Config.Spec.MachineConfigPool.Name = "a-b"
	case "pools that differ at the end of a long name":
		f.Config.Spec.MachineConfigPool.Name = strings.Repeat("a", 60) + "c"
	}
	return f
}

// Pools are names of pools that are hard to make other names of.
func Pools() []string {
	return []string{
		"a", "worker", "infra.gpu", strings.Repeat("a", 34), strings.Repeat("a", 35), strings.Repeat("p", 100),
		strings.Repeat("a-", 126) + "a", strings.Repeat("a.", 126) + "a", "0", "worker-" + strings.Repeat(".x", 40),
		strings.Repeat("a", 33) + "-b", strings.Repeat("a", 62) + "-b",
	}
}

var (
	tagRE        = regexp.MustCompile(`^[\w][\w.-]{0,127}$`)
	digestableRE = regexp.MustCompile(`^([a-zA-Z0-9-]+\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{1,61}/)?[a-zA-Z0-9-_.]*?:[\w][\w.-]{0,127}$`)
)

// Misfits are the names that do not fit where they have to stand.
func Misfits(p Plan) []string {
	found := []string{}
	check := func(what, value string, wrong []string) {
		if len(wrong) > 0 {
			found = append(found, what+" "+value+": "+wrong[0])
		}
	}
	labels := func(what string, labels, annotations map[string]string) {
		for k, v := range labels {
			check("label "+k+" of "+what, v, validation.IsValidLabelValue(v))
			check("label of "+what, k, validation.IsQualifiedName(k))
		}
		for k := range annotations {
			check("annotation of "+what, k, validation.IsQualifiedName(k))
		}
	}
	check("build", p.Build, validation.IsDNS1123Subdomain(p.Build))
	check("build as label", p.Build, validation.IsValidLabelValue(p.Build))
	if p.Create != nil {
		labels("the build", p.Create.Labels, p.Create.Annotations)
		if spec := string(p.Create.Spec.RenderedImagePushSpec); !digestableRE.MatchString(spec) {
			found = append(found, "push spec "+spec)
		}
	}
	for _, image := range everyImage(p) {
		check("job", image.Job.Name, validation.IsDNS1123Label(image.Job.Name))
		labels("a job", image.Job.Labels, image.Job.Annotations)
		if tag := image.PushSpec[strings.LastIndexByte(image.PushSpec, ':')+1:]; !tagRE.MatchString(tag) {
			found = append(found, "tag "+tag)
		}
	}
	slices.Sort(found)
	return found
}

// Shared are the tags and names that two jobs have.
func Shared(p Plan) []string {
	found := []string{}
	seen := map[string]bool{}
	for _, image := range everyImage(p) {
		for _, s := range []string{image.PushSpec, "job " + image.Job.Name} {
			if seen[s] {
				found = append(found, s)
			}
			seen[s] = true
		}
	}
	return found
}

func everyImage(p Plan) []Image {
	all := slices.Clone(p.Images)
	if p.Publish != nil {
		all = append(all, *p.Publish)
	}
	return all
}

func nameRows() []row {
	var all []row
	add := func(rule, name string, f Facts, want any, got func(Plan) any) {
		all = append(all, row{Rule: rule, Name: name, Implemented: hasPlan, Call: func(i Impl) conformance.Outcome {
			return conformance.Outcome{Input: f, Want: want, Got: got(must(i, f))}
		}})
	}
	for _, c := range NameCases() {
		all = append(all, row{Rule: "build-is-named-after-its-inputs", Name: c.Name, Implemented: hasPlan, Call: func(i Impl) conformance.Outcome {
			before, after := c.before(), c.before()
			c.Change(&after)
			return conformance.Outcome{Input: []Facts{before, after}, Want: false, Got: must(i, before).Build == must(i, after).Build}
		}})
	}
	for _, pool := range Pools() {
		for _, architectures := range [][]string{{"amd64"}, {"amd64", "arm64", "ppc64le", "s390x"}, {"riscv64", "thirty-two-characters-are-allowed"[:32]}} {
			f := FactsFor(architectures...)
			f.Config.Name, f.Config.Spec.MachineConfigPool.Name = pool, pool
			f.Rendered.Name = "rendered-" + pool[:min(len(pool), 211)] + "-" + strings.Repeat("0", 32)
			short := pool[:min(len(pool), 40)]
			name := "pool " + short + " of " + strconv.Itoa(len(pool)) + " characters, " + strings.Join(architectures, " and ")
			add("names-fit", name, f, []string{}, func(p Plan) any { return Misfits(p) })
			add("a-tag-for-each-job", name, f, []string{}, func(p Plan) any { return Shared(p) })
		}
	}
	add("a-tag-for-each-job", "an only image is pushed under the final tag", FactsFor("arm64"), true, func(p Plan) any {
		return p.Create != nil && p.Images[0].PushSpec == string(p.Create.Spec.RenderedImagePushSpec)
	})
	selector := func(a string) map[string]string {
		return map[string]string{"kubernetes.io/arch": a, "kubernetes.io/os": "linux"}
	}
	add("an-image-for-each-architecture", "two architectures", FactsFor("amd64", "arm64"), []string{"amd64", "arm64"}, func(p Plan) any { return jobsToRun(p) })
	add("an-image-for-each-architecture", "one architecture", FactsFor("s390x"), []string{"s390x"}, func(p Plan) any { return jobsToRun(p) })
	add("an-only-image-is-the-result", "two: a job publishes their index", FactsFor("amd64", "arm64"), true, func(p Plan) any { return p.Publish != nil })
	add("an-only-image-is-the-result", "one: its own job publishes it", FactsFor("arm64"), true, func(p Plan) any { return p.Publish == nil })
	add("jobs-run-on-their-architecture", "amd64 and arm64", FactsFor("amd64", "arm64"), []map[string]string{selector("amd64"), selector("arm64")}, func(p Plan) any {
		return []map[string]string{p.Images[0].NodeSelector, p.Images[1].NodeSelector}
	})
	add("jobs-run-on-their-architecture", "publishing", FactsFor("amd64", "arm64"), map[string]string{"kubernetes.io/os": "linux"}, func(p Plan) any {
		return p.Publish.NodeSelector
	})
	add("architecture-is-a-build-argument", "amd64 and arm64", FactsFor("amd64", "arm64"), []string{"amd64", "arm64"}, func(p Plan) any {
		return []string{p.Images[0].BuildArgs["TARGETARCH"], p.Images[1].BuildArgs["TARGETARCH"]}
	})
	return all
}

// withNames are facts of the names that are given.
func withNames(f Facts, config, pool, rendered, pushSpec string) Facts {
	f.Config.Name, f.Config.Spec.MachineConfigPool.Name, f.Rendered.Name = config, pool, rendered
	f.Config.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat(pushSpec)
	return f
}
