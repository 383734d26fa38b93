package dictexpandtest

import (
	"strings"

	"pgregory.net/rapid"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// payload are the architectures that a payload can have.
var payload = []string{"amd64", "arm64", "ppc64le", "s390x"}

// Annotation draws a value of the annotation: up to four of the payload's architectures,
// an alias, a typo and a blank.
func Annotation() *rapid.Generator[string] {
	listed := rapid.SampledFrom([]string{"amd64", "arm64", "s390x", "ppc64le", "x86_64", " ", "adm64"})
	return rapid.Map(rapid.SliceOfN(listed, 0, 4), func(list []string) string { return strings.Join(list, ",") })
}

// Templates draws one to four templates that nothing is wrong with, alone and together:
// names and DataSources of their own, and architectures of the payload.
func Templates() *rapid.Generator[[]Template] {
	return rapid.Custom(func(t *rapid.T) []Template {
		var all []Template
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"centos", "fedora", "rhel", "windows"}), 1, 4, rapid.ID[string]).Draw(t, "names") {
			listed := rapid.SliceOfNDistinct(rapid.SampledFrom(payload), 0, 4, rapid.ID[string]).Draw(t, "listed")
			x := TemplateOf(name+"-image-cron", name, strings.Join(listed, ","))
			x.Spec.Schedule = rapid.SampledFrom([]string{"0 */12 * * *", "@daily", ""}).Draw(t, "schedule")
			x.Spec.RetentionPolicy = retention().Draw(t, "retentionPolicy")
			all = append(all, x)
		}
		return all
	})
}

func retention() *rapid.Generator[*cdiv1beta1.DataImportCronRetentionPolicy] {
	return rapid.SampledFrom([]*cdiv1beta1.DataImportCronRetentionPolicy{
		nil, nil, ptr(cdiv1beta1.DataImportCronRetainAll), ptr(cdiv1beta1.DataImportCronRetainNone),
	})
}

// AnyTemplate draws a template as it may come. Names are few and alike, so that
// collisions, renamings and takeovers come up often.
func AnyTemplate() *rapid.Generator[Template] {
	return rapid.Custom(func(t *rapid.T) Template {
		x := TemplateOf(
			rapid.SampledFrom([]string{"x", "y", "z", "x-amd64", "y-arm64", strings.Repeat("l", 57), ""}).Draw(t, "name"),
			rapid.SampledFrom([]string{"m", "n", "o", "m-amd64", "n-arm64", "p"}).Draw(t, "managedDataSource"),
			Annotation().Draw(t, "listed"),
		)
		x.Namespace = rapid.SampledFrom([]string{"", "", "", GoldenImages, "custom"}).Draw(t, "namespace")
		x.Spec.Schedule = rapid.SampledFrom([]string{"0 */12 * * *", "0 0 * * *"}).Draw(t, "schedule")
		x.Labels = rapid.SampledFrom([]map[string]string{nil, nil, {"l": "1"}, {"l": "2"}}).Draw(t, "labels")
		x.Spec.RetentionPolicy = retention().Draw(t, "retentionPolicy")
		if rapid.IntRange(0, 9).Draw(t, "no registry") == 0 {
			x.Spec.Template.Spec.Source = nil
		}
		if rapid.IntRange(0, 9).Draw(t, "platform") == 0 && x.Spec.Template.Spec.Source != nil {
			x.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "amd64"}
		}
		x.Spec.Template.Labels = map[string]string{"pruned": "yes"}
		return Template{*x.ObjectMeta.DeepCopy(), *x.Spec.DeepCopy()} // nothing drawn twice is shared
	})
}

// AnyTemplates draws up to five of AnyTemplate.
func AnyTemplates() *rapid.Generator[[]Template] { return rapid.SliceOfN(AnyTemplate(), 0, 5) }

// AnyCluster draws a cluster: any architectures in any order, with any of them
// supported, held, or with nodes for workload.
func AnyCluster() *rapid.Generator[Cluster] {
	return rapid.Custom(func(t *rapid.T) Cluster {
		some := func(label string) []string {
			return rapid.Permutation(payload).Draw(t, label)[:rapid.IntRange(0, 4).Draw(t, label+" number")]
		}
		c := TwoArchitectures()
		c.MultiArch = rapid.IntRange(0, 3).Draw(t, "multi") > 0
		c.Architectures, c.Workload, c.Supported, c.Held = some("architectures"), some("workload"), some("supported"), some("held")
		c.Incomplete = rapid.IntRange(0, 4).Draw(t, "incomplete") == 0
		if rapid.Bool().Draw(t, "made per architecture") {
			c.Made = map[string][]string{"p": some("made")}
		}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"m", "n-amd64", "o-arm64", "p-amd64"}), 0, 1).Draw(t, "own images") {
			c.OwnImages = append(c.OwnImages, Key(GoldenImages, name))
		}
		return c
	})
}
