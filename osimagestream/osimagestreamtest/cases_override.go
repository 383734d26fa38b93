package osimagestreamtest

import (
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// An OverrideCase is a row of PoolImages where users set OS images.
type OverrideCase struct {
	Rules, Name string
	Pool        PoolFacts
	Configs     []*mcfgv1.MachineConfig
	Want        string // the OS image; none if the pool keeps what it runs
	Stream      string // in its status
	// What package osimagestream reports. There is an error if there are problems.
	Degraded string
	Problems []Problem
	Findings []Finding
}

// OverrideCases are the rows of osImageURL.
func OverrideCases() []OverrideCase {
	const url, other = "quay.io/me/os:1", "quay.io/me/os:2"
	both := Stored("rhel-9", "rhel-9", Sets("rhel-10", "rhel-9")...)
	rhel9, rhel10 := string(Set("rhel-9").OSImage), string(Set("rhel-10").OSImage)
	worker := func(stream string) *mcfgv1.MachineConfigPool { return Selecting("worker", stream, "worker") }
	infra := func(stream string) *mcfgv1.MachineConfigPool { return Selecting("infra", stream, "worker", "infra") }
	with := func(selector *metav1.LabelSelector) *mcfgv1.MachineConfigPool {
		p := Pool("worker", "")
		p.Spec.MachineConfigSelector = selector
		return p
	}
	generated := Config("99-worker-generated", "worker", other)
	generated.Annotations = map[string]string{annotationGenerated: "hash"}
	at := func(name string) string { return "machineconfigs[" + name + "].spec.osImageURL" }
	return []OverrideCase{
		{Rules: "image-over-the-default pool-status-names-the-stream", Name: "over the default", Pool: PoolFacts{Pool: worker(""), Stored: both}, Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", url)},
			Want: url, Findings: []Finding{{"OSImageURLOverride", at("99-mine")}}},
		{Rules: "image-beside-a-named-stream problem-means-no-images", Name: "beside a stream of its own", Pool: PoolFacts{Pool: worker("rhel-10"), Stored: both}, Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", url)},
			Degraded: "OSImageURLConflict", Problems: []Problem{{field.ErrorTypeForbidden, at("99-mine"), ""}}},
		{Rules: "image-beside-a-named-stream", Name: "beside an inherited stream", Pool: PoolFacts{Pool: infra(""), Worker: worker("rhel-10"), Stored: both}, Configs: []*mcfgv1.MachineConfig{Config("99-mine", "infra", url)},
			Degraded: "OSImageURLConflict", Problems: []Problem{{field.ErrorTypeForbidden, at("99-mine"), ""}}},
		{Rules: "image-beside-a-named-stream", Name: "beside a stream of its own, before there is a singleton", Pool: PoolFacts{Pool: worker("rhel-10")}, Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", url)},
			Degraded: "OSImageURLConflict", Problems: []Problem{{field.ErrorTypeForbidden, at("99-mine"), ""}},
			Findings: []Finding{{"SingletonMissing", "osimagestreams[cluster]"}}},
		{Rules: "problem-means-no-images", Name: "beside a retired stream: that comes first", Pool: PoolFacts{Pool: worker("rhel-8"), Stored: both}, Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", url)},
			Degraded: "StreamNotOffered", Problems: []Problem{
				{field.ErrorTypeNotSupported, "machineconfigpools[worker].spec.osImageStream.name", "rhel-8"}, {field.ErrorTypeForbidden, at("99-mine"), ""}}},
		{Rules: "no-images-is-no-problem image-over-the-default", Name: "over the default, before there is a singleton", Pool: PoolFacts{Pool: worker("")}, Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", url)},
			Findings: []Finding{{"OSImageURLOverride", at("99-mine")}, {"SingletonMissing", "osimagestreams[cluster]"}}},

		{Rules: "image-of-the-stream-is-no-override", Name: "the default's own image is no override", Pool: PoolFacts{Pool: worker(""), Stored: both}, Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", rhel9)},
			Want: rhel9, Stream: "rhel-9"},
		{Rules: "image-of-the-stream-is-no-override", Name: "the image of the stream that the pool names is no conflict", Pool: PoolFacts{Pool: worker("rhel-10"), Stored: both},
			Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", rhel10)}, Want: rhel10, Stream: "rhel-10"},
		{Rules: "image-of-the-stream-is-no-override", Name: "the image of another stream is one", Pool: PoolFacts{Pool: worker("rhel-10"), Stored: both}, Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", rhel9)},
			Degraded: "OSImageURLConflict", Problems: []Problem{{field.ErrorTypeForbidden, at("99-mine"), ""}}},

		{Rules: "last-config-wins", Name: "the last by name wins", Pool: PoolFacts{Pool: worker(""), Stored: both},
			Configs: []*mcfgv1.MachineConfig{Config("99-b", "worker", url), Config("99-a", "worker", other)},
			Want:    url, Findings: []Finding{{"OSImageURLShadowed", at("99-a")}, {"OSImageURLOverride", at("99-b")}}},
		// The adapter ordered by name alone, and MCO does not.
		{Rules: "last-config-wins", Name: "a custom pool's own before the worker's, whatever the names", Pool: PoolFacts{Pool: infra(""), Worker: worker(""), Stored: both},
			Configs: []*mcfgv1.MachineConfig{Config("99-z", "worker", other), Config("50-infra", "infra", url)},
			Want:    url, Findings: []Finding{{"OSImageURLOverride", at("50-infra")}, {"OSImageURLShadowed", at("99-z")}}},
		{Rules: "last-config-wins", Name: "one image twice is no conflict", Pool: PoolFacts{Pool: worker(""), Stored: both},
			Configs: []*mcfgv1.MachineConfig{Config("99-b", "worker", url), Config("99-a", "worker", url)}, Want: url, Findings: []Finding{{"OSImageURLOverride", at("99-b")}}},
		{Rules: "last-config-wins", Name: "one that sets no image does not count", Pool: PoolFacts{Pool: worker(""), Stored: both},
			Configs: []*mcfgv1.MachineConfig{Config("99-a", "worker", url), Config("99-b", "worker", "")}, Want: url, Findings: []Finding{{"OSImageURLOverride", at("99-a")}}},
		{Rules: "generated-config", Name: "the operator's own", Pool: PoolFacts{Pool: worker(""), Stored: both}, Configs: []*mcfgv1.MachineConfig{generated}, Want: rhel9, Stream: "rhel-9"},

		{Rules: "config-not-selected", Name: "a config of another pool", Pool: PoolFacts{Pool: worker(""), Stored: both}, Configs: []*mcfgv1.MachineConfig{Config("99-mine", "master", url)}, Want: rhel9, Stream: "rhel-9"},
		{Rules: "config-not-selected", Name: "no selector", Pool: PoolFacts{Pool: Pool("worker", ""), Stored: both}, Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", url)}, Want: rhel9, Stream: "rhel-9"},
		// The adapter took an empty selector for one that selects everything.
		{Rules: "config-not-selected", Name: "an empty selector", Pool: PoolFacts{Pool: with(&metav1.LabelSelector{}), Stored: both},
			Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", url), Config("99-master", "master", url)}, Want: rhel9, Stream: "rhel-9"},
		{Rules: "config-not-selected", Name: "no pool", Pool: PoolFacts{Stored: both}, Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", url)}, Want: rhel9, Stream: "rhel-9"},
		{Rules: "unreadable-selector problem-means-no-images", Name: "a selector that cannot be read", Pool: PoolFacts{Stored: both, Pool: with(&metav1.LabelSelector{
			MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "role", Operator: "Like"}}})},
			Configs: []*mcfgv1.MachineConfig{Config("99-mine", "worker", url)}, Degraded: "MachineConfigSelectorInvalid",
			Problems: []Problem{{field.ErrorTypeInvalid, "machineconfigpools[worker].spec.machineConfigSelector", nil}}},
	}
}
