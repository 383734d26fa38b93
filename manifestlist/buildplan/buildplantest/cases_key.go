package buildplantest

import (
	"slices"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/conformance"
)

// A KeyCase is a change of the facts of amd64 and arm64.
type KeyCase struct {
	Rule            string // its ID
	Name            string
	Prepare, Change func(*Facts)
	Keys            []string // architectures whose key changes, ascending
	Renamed         bool     // whether the change needs another MachineOSBuild
}

// KeyCases are what a key covers, and what it does not.
func KeyCases() []KeyCase {
	const covers, ignores, order = "key-covers-what-is-built", "key-covers-nothing-else", "order-does-not-count"
	both := []string{"amd64", "arm64"}
	withTwo := func(f *Facts) {
		f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, entry(mcfgv1.Amd64, "x"))
	}
	return []KeyCase{
		{covers, "the NoArch containerfile", nil, func(f *Facts) { f.Config.Spec.Containerfile[0].Content += "RUN true" }, both, true},
		{covers, "an own containerfile", nil, func(f *Facts) {
			f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, entry(mcfgv1.Arm64, "x"))
		}, []string{"arm64"}, true},
		{covers, "base image", nil, func(f *Facts) {
			f.Base["amd64"] = BaseImages{OS: Digest("other"), Extensions: f.Base["amd64"].Extensions}
		}, []string{"amd64"}, true},
		{covers, "extensions image", nil, func(f *Facts) { f.Base["amd64"] = BaseImages{OS: f.Base["amd64"].OS, Extensions: Digest("other")} }, []string{"amd64"}, true},
		{covers, "kernel type", nil, func(f *Facts) { f.Rendered.Spec.KernelType = "realtime" }, both, true},
		{covers, "an extension", nil, func(f *Facts) { f.Rendered.Spec.Extensions = append(f.Rendered.Spec.Extensions, "ipsec") }, both, true},
		{covers, "a kernel argument", nil, func(f *Facts) { f.Rendered.Spec.KernelArguments = append(f.Rendered.Spec.KernelArguments, "quiet") }, both, true},
		{covers, "the order of kernel arguments, which has a meaning", nil, func(f *Facts) { slices.Reverse(f.Rendered.Spec.KernelArguments) }, both, true},
		{covers, "where a list ends", nil, func(f *Facts) {
			f.Rendered.Spec.Extensions, f.Rendered.Spec.KernelArguments = append(f.Rendered.Spec.Extensions, f.Rendered.Spec.KernelArguments...), nil
		}, both, true},
		{order, "of containerFile", withTwo, func(f *Facts) { slices.Reverse(f.Config.Spec.Containerfile) }, nil, false},
		{order, "of extensions", nil, func(f *Facts) { slices.Reverse(f.Rendered.Spec.Extensions) }, nil, false},
		{order, "of architectures", nil, func(f *Facts) { slices.Reverse(f.Architectures) }, nil, false},
		{ignores, "a newline at the end", nil, func(f *Facts) { f.Config.Spec.Containerfile[0].Content += "\n" }, nil, false},
		{ignores, "empty or NoArch", nil, func(f *Facts) { f.Config.Spec.Containerfile[0].ContainerfileArch = "" }, nil, false},
		{ignores, "the push secret's name", nil, func(f *Facts) { f.Config.Spec.RenderedImagePushSecret.Name = "renamed" }, nil, false},
		{ignores, "the pull secret", nil, func(f *Facts) {
			f.Config.Spec.BaseImagePullSecret = &mcfgv1.ImageSecretObjectReference{Name: "pull"}
		}, nil, false},
		{ignores, "labels and other annotations", nil, func(f *Facts) { f.Config.Labels = map[string]string{"a": "b"} }, nil, false},
		{ignores, "a mirror of the base image", nil, func(f *Facts) {
			f.Base["amd64"] = BaseImages{OS: "mirror.example.com/os@" + Digest("os amd64"), Extensions: Digest("extensions amd64")}
		}, nil, false},
		{ignores, "default is the empty kernel type", nil, func(f *Facts) { f.Rendered.Spec.KernelType = "default" }, nil, false},
		{ignores, "an extension twice", nil, func(f *Facts) {
			f.Rendered.Spec.Extensions = append(f.Rendered.Spec.Extensions, f.Rendered.Spec.Extensions[0])
		}, nil, false},
		{ignores, "the push spec", nil, func(f *Facts) { f.Config.Spec.RenderedImagePushSpec = "mirror.example.com/fleet/os:v2" }, nil, true},
		{ignores, "the rendered config's name", nil, func(f *Facts) { f.Rendered.Name = "rendered-worker-2" }, nil, true},
		{ignores, "other content of the rendered config", nil, func(f *Facts) { f.Rendered.Spec.FIPS = true }, nil, false},
	}
}

// A change is what another input changes.
type change struct {
	Keys    []string
	Renamed bool
}

func changed(before, after Plan) change {
	c := change{Renamed: before.Build != after.Build}
	keys := map[string]string{}
	for _, image := range before.Images {
		keys[image.Architecture] = image.Key
	}
	for _, image := range after.Images {
		if image.Key != keys[image.Architecture] {
			c.Keys = append(c.Keys, image.Architecture)
		}
	}
	slices.Sort(c.Keys)
	return c
}

func keyRows() []row {
	var all []row
	for _, c := range KeyCases() {
		all = append(all, row{Rule: c.Rule, Name: c.Name, Implemented: hasPlan, Call: func(i Impl) conformance.Outcome {
			f := FactsFor("amd64", "arm64")
			if c.Prepare != nil {
				c.Prepare(&f)
			}
			before := must(i, f)
			f.Config = f.Config.DeepCopy() // what was planned with stays as it is
			f.Rendered = f.Rendered.DeepCopy()
			c.Change(&f)
			return conformance.Outcome{Input: f, Want: change{c.Keys, c.Renamed}, Got: changed(before, must(i, f))}
		}})
	}
	all = append(all, row{Rule: "key-covers-what-is-built", Name: "architecture", Implemented: hasPlan, Call: func(i Impl) conformance.Outcome {
		f := FactsFor("amd64", "arm64")
		f.Base["arm64"] = f.Base["amd64"]
		p := must(i, f)
		return conformance.Outcome{Input: f, Want: false, Got: p.Images[0].Key == p.Images[1].Key}
	}})
	return all
}
