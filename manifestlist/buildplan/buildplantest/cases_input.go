package buildplantest

import (
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/conformance"
)

type row = conformance.Row[Impl]

// An InputCase is facts that are taken or refused.
type InputCase struct {
	Rule  string // its ID
	Name  string
	Facts Facts
	Taken bool
}

// with are facts that differ from those of [FactsFor].
func with(change func(*Facts), architectures ...string) Facts {
	f := FactsFor(architectures...)
	change(&f)
	return f
}

func entry(a mcfgv1.ContainerfileArch, content string) mcfgv1.MachineOSContainerfile {
	return mcfgv1.MachineOSContainerfile{ContainerfileArch: a, Content: content}
}

// InputCases are facts that are taken or refused.
func InputCases() []InputCase {
	kernel := func(k string) func(*Facts) { return func(f *Facts) { f.Rendered.Spec.KernelType = k } }
	withoutExtensionsImage := func(f *Facts) { f.Base["amd64"] = BaseImages{OS: f.Base["amd64"].OS} }
	cases := []InputCase{
		{"architecture-can-name-a-job", "of the payload", FactsFor("ppc64le"), true},
		{"architecture-can-name-a-job", "of another GOARCH", FactsFor("riscv64"), true},
		{"architecture-can-name-a-job", "of 32 characters", FactsFor(strings.Repeat("a", 32)), true},
		{"architecture-can-name-a-job", "of 33 characters", FactsFor(strings.Repeat("a", 33)), false},
		{"architecture-can-name-a-job", "with a capital", FactsFor("AMD64"), false},
		{"architecture-can-name-a-job", "with an underscore", FactsFor("x86_64"), false},
		{"architecture-can-name-a-job", "with a hyphen at the end", FactsFor("arm-"), false},
		{"architecture-can-name-a-job", "with a dot", FactsFor("arm.v7"), false},
		{"architecture-can-name-a-job", "with the name of the publishing job", FactsFor("publish"), false},
		{"architecture-can-name-a-job", "with a name that only begins like that", FactsFor("publisher"), true},
		{"containerfile-of-a-known-architecture", "of none", with(func(f *Facts) { f.Config.Spec.Containerfile[0].ContainerfileArch = "RISCV64" }, "amd64"), false},
		{"one-containerfile-for-each-architecture", "NoArch and empty", with(func(f *Facts) {
			f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, entry("", "FROM other"))
		}, "amd64"), false},
		{"base-images-are-there", "none of an architecture", with(func(f *Facts) { delete(f.Base, "arm64") }, "amd64", "arm64"), false},
		{"base-images-are-there", "no extensions image, and extensions", with(withoutExtensionsImage, "amd64"), false},
		{"base-images-are-there", "no extensions image, and nothing comes out of it", with(func(f *Facts) {
			f.Rendered.Spec.Extensions = nil
			withoutExtensionsImage(f)
		}, "amd64"), true},
		{"base-images-are-there", "no extensions image, and another kernel", with(func(f *Facts) {
			f.Rendered.Spec.Extensions, f.Rendered.Spec.KernelType = nil, "realtime"
			withoutExtensionsImage(f)
		}, "amd64"), false},
		{"base-images-by-digest", "by tag", with(func(f *Facts) {
			f.Base["amd64"] = BaseImages{OS: "quay.io/release/os:4.21", Extensions: f.Base["amd64"].Extensions}
		}, "amd64"), false},
		{"large-pages-on-arm64", "an arm64 pool has them", with(kernel("64k-pages"), "arm64"), true},
		{"large-pages-on-arm64", "one of the others has not", with(kernel("64k-pages"), "amd64", "arm64"), false},
		{"large-pages-on-arm64", "realtime is for every architecture", with(kernel("realtime"), "amd64", "arm64"), true},
		{"kernel-type-is-known", "micro", with(kernel("micro"), "amd64"), false},
	}
	for _, spec := range []struct {
		name, spec string
		taken      bool
	}{
		{"one path level", "quay.io/org/os:v1", true},
		{"two path levels", "quay.io/org/team/os:v1", false},
		{"two path levels and a dot in the name", "a.b.svc:5000/one/two.three:v1", true},
		{"a path level with a dot", "a.b.svc:5000/ns.dotted/os:v1", false},
		{"a port of one digit", "a.b.svc:5/ns/os:v1", false},
		{"too long with a digest", "quay.io/" + strings.Repeat("a", 400) + ":v1", false},
	} {
		cases = append(cases, InputCase{"push-spec-has-a-form-by-digest", spec.name, with(func(f *Facts) {
			f.Config.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat(spec.spec)
		}, "amd64", "arm64"), spec.taken})
	}
	for _, c := range RepositoryCases() {
		cases = append(cases, InputCase{"build-repository-is-one", c.Name, with(func(f *Facts) { f.BuildRepository = c.Repository }, "amd64", "arm64"), c.Taken})
	}
	return cases
}

// A RepositoryCase is a repository that jobs can push tags to, or cannot.
type RepositoryCase struct {
	Name, Repository string
	Taken            bool
}

// RepositoryCases are repositories that jobs can push tags to, or cannot.
func RepositoryCases() []RepositoryCase {
	return []RepositoryCase{
		{"the push spec's own", "", true},
		{"host and path", "builds.example.com/os", true},
		{"a deep path, which the status would refuse", "builds.example.com/a/b/c_d/e.f-g__h", true},
		{"a port", "builds.example.com:5000/os", true},
		{"a port and no dot", "builds:5000/os", true},
		{"localhost", "localhost/os", true},
		{"fits with the digest", "quay.io/" + strings.Repeat("a", 447-8-72), true},
		{"too long with the digest", "quay.io/" + strings.Repeat("a", 447-8-71), false},
		{"a scheme", "https://builds.example.com/os", false},
		{"a digest", "builds.example.com/os@sha256:1", false},
		{"a digest and nothing else", "@sha256:1", false},
		{"a tag", "builds.example.com/os:latest", false},
		{"blanks", "builds.example.com/o s", false},
		{"nothing but a blank", " ", false},
		{"a blank at the end", "builds.example.com/os ", false},
		{"a newline", "builds.example.com/os\n", false},
		{"capitals", "builds.example.com/OS", false},
		{"no path", "builds.example.com", false},
		{"no path, but a port", "builds.example.com:5000", false},
		{"an empty path", "builds.example.com/", false},
		{"an empty path level", "builds.example.com//os", false},
		{"a hyphen first", "builds.example.com/-os", false},
		{"a dot last", "builds.example.com/os.", false},
		{"no host, so that the registry would be Docker's", "fleet/os", false},
		{"a port of letters", "builds.example.com:http/os", false},
		{"an empty host", "/os", false},
	}
}

func inputRows() []row {
	var all []row
	for _, c := range InputCases() {
		all = append(all, row{Rule: c.Rule, Name: c.Name, Implemented: hasPlan, Call: func(i Impl) conformance.Outcome {
			return conformance.Outcome{Input: c.Facts, Want: c.Taken, Got: !blocked(i, c.Facts)}
		}})
	}
	for _, c := range []struct {
		rule, name string
		entries    []mcfgv1.MachineOSContainerfile
		want       string
	}{
		{"own-containerfile-first", "its own", []mcfgv1.MachineOSContainerfile{entry("AMD64", "own")}, "own"},
		{"own-containerfile-first", "NoArch", []mcfgv1.MachineOSContainerfile{entry("NoArch", "any")}, "any"},
		{"own-containerfile-first", "empty is NoArch", []mcfgv1.MachineOSContainerfile{entry("", "any")}, "any"},
		{"own-containerfile-first", "its own before NoArch", []mcfgv1.MachineOSContainerfile{entry("NoArch", "any"), entry("AMD64", "own")}, "own"},
		{"own-containerfile-first", "its own before NoArch, in the other order", []mcfgv1.MachineOSContainerfile{entry("AMD64", "own"), entry("", "any")}, "own"},
		{"own-containerfile-first", "not that of another", []mcfgv1.MachineOSContainerfile{entry("ARM64", "other")}, ""},
		{"own-containerfile-first", "none", nil, ""},
		{"line-ends-do-not-count", "as it is", []mcfgv1.MachineOSContainerfile{entry("", "FROM configs\nRUN true")}, "FROM configs\nRUN true"},
		{"line-ends-do-not-count", "newlines at the end", []mcfgv1.MachineOSContainerfile{entry("", "FROM configs\n\n\n")}, "FROM configs"},
		{"line-ends-do-not-count", "CRLF", []mcfgv1.MachineOSContainerfile{entry("", "FROM configs\r\nRUN true\r\n")}, "FROM configs\nRUN true"},
		{"line-ends-do-not-count", "a lone CR is content", []mcfgv1.MachineOSContainerfile{entry("", "RUN printf 'a\rb'\n")}, "RUN printf 'a\rb'"},
		{"line-ends-do-not-count", "blanks at the end are content", []mcfgv1.MachineOSContainerfile{entry("", "RUN true \n")}, "RUN true "},
		{"line-ends-do-not-count", "newlines at the beginning are content", []mcfgv1.MachineOSContainerfile{entry("", "\nRUN true")}, "\nRUN true"},
		{"line-ends-do-not-count", "empty", []mcfgv1.MachineOSContainerfile{entry("", "")}, ""},
		{"line-ends-do-not-count", "newlines only", []mcfgv1.MachineOSContainerfile{entry("", "\r\n\n")}, ""},
	} {
		all = append(all, row{Rule: c.rule, Name: c.name, Implemented: hasPlan, Call: func(i Impl) conformance.Outcome {
			f := with(func(f *Facts) { f.Config.Spec.Containerfile = c.entries }, "amd64")
			return conformance.Outcome{Input: f, Want: []string{c.want}, Got: containerfiles(must(i, f))}
		}})
	}
	return all
}

func containerfiles(p Plan) (all []string) {
	for _, image := range p.Images {
		all = append(all, image.Containerfile)
	}
	return all
}
