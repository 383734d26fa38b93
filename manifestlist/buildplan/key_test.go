package buildplan

import (
	"slices"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

func keys(b Build) map[string]string {
	all := map[string]string{}
	for _, img := range b.Images {
		all[img.Architecture] = img.Key
	}
	return all
}

// changedKeys are the architectures whose key differs, ascending.
func changedKeys(before, after map[string]string) []string {
	var changed []string
	for a, k := range before {
		if after[a] != k {
			changed = append(changed, a)
		}
	}
	slices.Sort(changed)
	return changed
}

func TestKeyFields(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*Facts)
		want   []string
	}{
		{"17: the NoArch containerfile", func(f *Facts) { f.Config.Spec.Containerfile[0].Content += "RUN true" }, []string{"amd64", "arm64"}},
		{"17: an own containerfile", func(f *Facts) {
			f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.Arm64, Content: "x"})
		}, []string{"arm64"}},
		{"17: base image", func(f *Facts) {
			f.Base["amd64"] = BaseImages{OS: digestText("other"), Extensions: f.Base["amd64"].Extensions}
		}, []string{"amd64"}},
		{"17: extensions image", func(f *Facts) {
			f.Base["amd64"] = BaseImages{OS: f.Base["amd64"].OS, Extensions: digestText("other")}
		}, []string{"amd64"}},
		{"17: kernel type", func(f *Facts) { f.Rendered.Spec.KernelType = "realtime" }, []string{"amd64", "arm64"}},
		{"17: an extension", func(f *Facts) { f.Rendered.Spec.Extensions = append(f.Rendered.Spec.Extensions, "ipsec") }, []string{"amd64", "arm64"}},
		{"17: a kernel argument", func(f *Facts) { f.Rendered.Spec.KernelArguments = append(f.Rendered.Spec.KernelArguments, "quiet") }, []string{"amd64", "arm64"}},
		{"17: the order of kernel arguments, which has a meaning", func(f *Facts) { slices.Reverse(f.Rendered.Spec.KernelArguments) }, []string{"amd64", "arm64"}},
		{"17: where a list ends", func(f *Facts) {
			f.Rendered.Spec.Extensions, f.Rendered.Spec.KernelArguments =
				append(f.Rendered.Spec.Extensions, f.Rendered.Spec.KernelArguments...), nil
		}, []string{"amd64", "arm64"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor("amd64", "arm64")
			before := keys(mustPlan(t, f))
			tc.change(&f)
			if got := changedKeys(before, keys(mustPlan(t, f))); !slices.Equal(got, tc.want) {
				t.Errorf("changed keys %v, want %v", got, tc.want)
			}
		})
	}
	f := factsFor("amd64", "arm64")
	f.Base["arm64"] = f.Base["amd64"]
	b := mustPlan(t, f)
	if b.Images[0].Key == b.Images[1].Key {
		t.Error("two architectures, one key")
	}
}

// Upstream rebuilds everything for most of these.
func TestKeyIgnores(t *testing.T) {
	withTwo := func(f *Facts) {
		f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.Amd64, Content: "x"})
	}
	for _, tc := range []struct {
		name            string
		prepare, change func(*Facts)
		newName         bool // whether another object is needed nevertheless
	}{
		{"18: the order of containerFile", withTwo, func(f *Facts) { slices.Reverse(f.Config.Spec.Containerfile) }, false},
		{"18: a newline at the end", nil, func(f *Facts) { f.Config.Spec.Containerfile[0].Content += "\n" }, false},
		{"18: empty or NoArch", nil, func(f *Facts) { f.Config.Spec.Containerfile[0].ContainerfileArch = "" }, false},
		{"18: the push secret's name", nil, func(f *Facts) { f.Config.Spec.RenderedImagePushSecret.Name = "renamed" }, false},
		{"18: the pull secret", nil, func(f *Facts) {
			f.Config.Spec.BaseImagePullSecret = &mcfgv1.ImageSecretObjectReference{Name: "pull"}
		}, false},
		{"18: labels and other annotations", nil, func(f *Facts) { f.Config.Labels = map[string]string{"a": "b"} }, false},
		{"18: a mirror of the base image", nil, func(f *Facts) {
			f.Base["amd64"] = BaseImages{OS: "mirror.example.com/os@" + digestText("os amd64"), Extensions: digestText("extensions amd64")}
		}, false},
		{"18: default is the empty kernel type", nil, func(f *Facts) { f.Rendered.Spec.KernelType = "default" }, false},
		{"18: the order of extensions", nil, func(f *Facts) { slices.Reverse(f.Rendered.Spec.Extensions) }, false},
		{"18: an extension twice", nil, func(f *Facts) {
			f.Rendered.Spec.Extensions = append(f.Rendered.Spec.Extensions, f.Rendered.Spec.Extensions[0])
		}, false},
		{"18: the push spec", nil, func(f *Facts) { f.Config.Spec.RenderedImagePushSpec = otherRegistry + ":v2" }, true},
		{"18: the rendered config's name", nil, func(f *Facts) { f.Rendered.Name = "rendered-worker-2" }, true},
		{"18: other content of the rendered config", nil, func(f *Facts) { f.Rendered.Spec.FIPS = true }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor("amd64", "arm64")
			if tc.prepare != nil {
				tc.prepare(&f)
			}
			before := mustPlan(t, f)
			tc.change(&f)
			after := mustPlan(t, f)
			if got := changedKeys(keys(before), keys(after)); got != nil {
				t.Errorf("changed keys %v, want none", got)
			}
			if renamed := before.Name != after.Name; renamed != tc.newName {
				t.Errorf("%s became %s", before.Name, after.Name)
			}
		})
	}
}
