package osimagestream

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"
)

func TestOSImageOfAUser(t *testing.T) {
	const url, other = "quay.io/me/os:1", "quay.io/me/os:2"
	both := stored("rhel-9", "rhel-9", sets("rhel-10", "rhel-9")...)
	rhel9, rhel10 := string(set("rhel-9").OSImage), string(set("rhel-10").OSImage)
	worker := func(stream string) *mcfgv1.MachineConfigPool { return selecting("worker", stream, "worker") }
	infra := func(stream string) *mcfgv1.MachineConfigPool { return selecting("infra", stream, "worker", "infra") }
	with := func(selector *metav1.LabelSelector) *mcfgv1.MachineConfigPool {
		p := pool("worker", "")
		p.Spec.MachineConfigSelector = selector
		return p
	}
	generated := config("99-worker-generated", "worker", other)
	generated.Annotations = map[string]string{AnnotationGenerated: "hash"}
	at := func(name string) string { return "machineconfigs[" + name + "].spec.osImageURL" }
	for _, tc := range []struct {
		name     string
		pool     Pool
		configs  []*mcfgv1.MachineConfig
		want     string // the OS image
		stream   string // in status
		degraded DegradedReason
		problems []problem
		findings []found
	}{
		{name: "95,99: over the default", pool: Pool{Pool: worker(""), Stored: both}, configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", url)},
			want: url, findings: []found{{FindingURLOverride, at("99-mine")}}},
		{name: "96,97: beside a stream of its own", pool: Pool{Pool: worker("rhel-10"), Stored: both}, configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", url)},
			degraded: ReasonURLConflict, problems: []problem{{field.ErrorTypeForbidden, at("99-mine"), ""}}},
		{name: "96: beside an inherited stream", pool: Pool{Pool: infra(""), Worker: worker("rhel-10"), Stored: both}, configs: []*mcfgv1.MachineConfig{config("99-mine", "infra", url)},
			degraded: ReasonURLConflict, problems: []problem{{field.ErrorTypeForbidden, at("99-mine"), ""}}},
		{name: "96: beside a stream of its own, before there is a singleton", pool: Pool{Pool: worker("rhel-10")}, configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", url)},
			degraded: ReasonURLConflict, problems: []problem{{field.ErrorTypeForbidden, at("99-mine"), ""}},
			findings: []found{{FindingSingletonMissing, "osimagestreams[cluster]"}}},
		{name: "97: beside a retired stream: that comes first", pool: Pool{Pool: worker("rhel-8"), Stored: both}, configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", url)},
			degraded: ReasonStreamNotOffered, problems: []problem{
				{field.ErrorTypeNotSupported, "machineconfigpools[worker].spec.osImageStream.name", "rhel-8"}, {field.ErrorTypeForbidden, at("99-mine"), ""}}},
		{name: "98,95: over the default, before there is a singleton", pool: Pool{Pool: worker("")}, configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", url)},
			findings: []found{{FindingURLOverride, at("99-mine")}, {FindingSingletonMissing, "osimagestreams[cluster]"}}},

		{name: "94: the default's own image is no override", pool: Pool{Pool: worker(""), Stored: both}, configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", rhel9)},
			want: rhel9, stream: "rhel-9"},
		{name: "94: the image of the stream that the pool names is no conflict", pool: Pool{Pool: worker("rhel-10"), Stored: both},
			configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", rhel10)}, want: rhel10, stream: "rhel-10"},
		{name: "94: the image of another stream is one", pool: Pool{Pool: worker("rhel-10"), Stored: both}, configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", rhel9)},
			degraded: ReasonURLConflict, problems: []problem{{field.ErrorTypeForbidden, at("99-mine"), ""}}},

		{name: "93: the last by name wins", pool: Pool{Pool: worker(""), Stored: both},
			configs: []*mcfgv1.MachineConfig{config("99-b", "worker", url), config("99-a", "worker", other)},
			want:    url, findings: []found{{FindingURLShadowed, at("99-a")}, {FindingURLOverride, at("99-b")}}},
		// The adapter ordered by name alone, and MCO does not.
		{name: "93: a custom pool's own before the worker's, whatever the names", pool: Pool{Pool: infra(""), Worker: worker(""), Stored: both},
			configs: []*mcfgv1.MachineConfig{config("99-z", "worker", other), config("50-infra", "infra", url)},
			want:    url, findings: []found{{FindingURLOverride, at("50-infra")}, {FindingURLShadowed, at("99-z")}}},
		{name: "93: one image twice is no conflict", pool: Pool{Pool: worker(""), Stored: both},
			configs: []*mcfgv1.MachineConfig{config("99-b", "worker", url), config("99-a", "worker", url)}, want: url, findings: []found{{FindingURLOverride, at("99-b")}}},
		{name: "93: one that sets no image does not count", pool: Pool{Pool: worker(""), Stored: both},
			configs: []*mcfgv1.MachineConfig{config("99-a", "worker", url), config("99-b", "worker", "")}, want: url, findings: []found{{FindingURLOverride, at("99-a")}}},
		{name: "92: the operator's own", pool: Pool{Pool: worker(""), Stored: both}, configs: []*mcfgv1.MachineConfig{generated}, want: rhel9, stream: "rhel-9"},

		{name: "90: a config of another pool", pool: Pool{Pool: worker(""), Stored: both}, configs: []*mcfgv1.MachineConfig{config("99-mine", "master", url)}, want: rhel9, stream: "rhel-9"},
		{name: "90: no selector", pool: Pool{Pool: pool("worker", ""), Stored: both}, configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", url)}, want: rhel9, stream: "rhel-9"},
		// The adapter took an empty selector for one that selects everything.
		{name: "90: an empty selector", pool: Pool{Pool: with(&metav1.LabelSelector{}), Stored: both},
			configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", url), config("99-master", "master", url)}, want: rhel9, stream: "rhel-9"},
		{name: "90: no pool", pool: Pool{Stored: both}, configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", url)}, want: rhel9, stream: "rhel-9"},
		{name: "91,97: a selector that cannot be read", pool: Pool{Stored: both, Pool: with(&metav1.LabelSelector{
			MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "role", Operator: "Like"}}})},
			configs: []*mcfgv1.MachineConfig{config("99-mine", "worker", url)}, degraded: ReasonSelectorInvalid,
			problems: []problem{{field.ErrorTypeInvalid, "machineconfigpools[worker].spec.machineConfigSelector", nil}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.pool.Configs = append([]*mcfgv1.MachineConfig{nil}, tc.configs...)
			r := ForPool(tc.pool)
			diff(t, "image", tc.want, r.OSImageURL)
			diff(t, "stream in status", tc.stream, r.StatusStream)
			diff(t, "degraded", tc.degraded, r.Degraded)
			got := problems(r.Problems)
			for i := range got {
				if got[i].Type == field.ErrorTypeInvalid {
					got[i].Value = nil // how a selector reads
				}
			}
			diff(t, "problems", tc.problems, got)
			slices.SortFunc(tc.findings, func(a, b found) int { return strings.Compare(a.Path, b.Path) })
			diff(t, "findings", tc.findings, findings(r.Findings))
		})
	}
}

// lastImage is MergeMachineConfigs of openshift/machine-config-operator
// (pkg/controller/common/helpers.go, as it was before it took an OSImageStreamSet) as
// far as it is about osImageURL: the worker's configs, then the others, each sorted by
// name, and each osImageURL replaces the one before.
func lastImage(configs []*mcfgv1.MachineConfig, base string) string {
	var workers, others []*mcfgv1.MachineConfig
	for _, c := range configs {
		if c.Labels["machineconfiguration.openshift.io/role"] == "worker" {
			workers = append(workers, c)
		} else {
			others = append(others, c)
		}
	}
	byName := func(a, b *mcfgv1.MachineConfig) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortStableFunc(workers, byName)
	slices.SortStableFunc(others, byName)
	url := base
	for _, c := range append(workers, others...) {
		if c.Spec.OSImageURL != "" {
			url = c.Spec.OSImageURL
		}
	}
	return url
}

// What a pool is to run is what MCO would merge; and a pool with a problem gets
// nothing to run.
func TestOracleOSImageOfAUser(t *testing.T) {
	both := stored("rhel-9", "rhel-9", sets("rhel-10", "rhel-9")...)
	rapid.Check(t, func(t *rapid.T) {
		p := Pool{Pool: selecting("infra", rapid.SampledFrom([]string{"", "rhel-10", "rhel-8"}).Draw(t, "own"), "worker", "infra"), Stored: both, Worker: pool("worker", "")}
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"00-a", "50-b", "50-infra", "99-c", "99-infra", "99-worker"}), 0, 4, rapid.ID[string]).Draw(t, "names")
		for _, name := range names {
			p.Configs = append(p.Configs, config(name, rapid.SampledFrom([]string{"worker", "infra"}).Draw(t, "role"),
				rapid.SampledFrom([]string{"", "quay.io/me/os:1", "quay.io/me/os:2", pull("rhel-10")}).Draw(t, "image")))
		}
		r := ForPool(p)
		if (len(r.Problems) > 0) != (r.Degraded != "") || len(r.Problems) > 0 && (r.Images.Name != "" || r.OSImageURL != "" || r.StatusStream != "") {
			t.Fatalf("problems, and yet something to run: %+v", r)
		}
		if len(r.Problems) > 0 {
			return
		}
		if want := lastImage(p.Configs, string(r.Images.OSImage)); r.OSImageURL != want {
			t.Fatalf("runs %s, MCO %s", r.OSImageURL, want)
		}
		if (r.OSImageURL == string(r.Images.OSImage)) != (r.StatusStream == r.Stream) {
			t.Fatalf("runs %s, and status names %q", r.OSImageURL, r.StatusStream)
		}
	})
}
