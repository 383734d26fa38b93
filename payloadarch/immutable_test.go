package payloadarch_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

// Each decision is made twice over equal arguments. The arguments must come out
// as they went in, and the first answer must stay what it is after its arguments
// have been overwritten.

func TestFromClusterVersionKeepsNothing(t *testing.T) {
	for _, arch := range []configv1.ClusterVersionArchitecture{"", multi, "bad"} {
		cv, gates := clusterVersion(arch, v1, imageA, completed(v1, imageA)), featureGate(enabled(v1), disabled(v2))
		keepsNothing(t, func() any { return payloadarch.FromClusterVersion(cv, gates) },
			func() any { return []any{cv.DeepCopy(), gates.DeepCopy()} },
			func() {
				cv.Status.Desired = configv1.Release{Architecture: "scribble", Version: "scribble"}
				cv.Status.History[0] = configv1.UpdateHistory{}
				gates.Status.FeatureGates[0].Enabled[1].Name = "scribble"
			})
	}
}

func TestFromHostedKeepsNothing(t *testing.T) {
	cv, gates := clusterVersion("", v1, imageA, completed(v1, imageA)), featureGate(enabled(v1))
	keepsNothing(t, func() any { return payloadarch.FromHosted("Multi", cv, gates) },
		func() any { return []any{cv.DeepCopy(), gates.DeepCopy()} },
		func() {
			cv.Status.History[0] = configv1.UpdateHistory{}
			gates.Status.FeatureGates[0].Version = "scribble"
		})
}

func TestFromReleaseMetadataKeepsNothing(t *testing.T) {
	for _, doc := range []string{
		document(`"release.openshift.io/architecture":"Multi"`),
		document(`"release.openshift.io/architecture":[1]`),
		`{"kind":"another"}`, `{"metadata":"x"}`, `{]`,
	} {
		data := []byte(doc)
		keepsNothing(t, func() any {
			v, err := payloadarch.FromReleaseMetadata(data)
			text := ""
			if err != nil {
				text = err.Error()
			}
			return []any{v, text}
		}, func() any { return string(data) }, func() { clear(data) })
	}
}

func TestFromIndexKeepsNothing(t *testing.T) {
	i := index(linuxEntry("x86_64"), entry("windows", "amd64", ""), linuxEntry("mips"), attestation())
	keepsNothing(t, func() any { return payloadarch.FromIndex(i) },
		func() any { return copyIndex(t, i) },
		func() { *i.Manifests[0].Platform = ocispec.Platform{}; clear(i.Manifests) })
}

func TestFromNodesKeepsNothing(t *testing.T) {
	nodes := nodesForCopying()
	keepsNothing(t, func() any { return payloadarch.FromNodes(nodes) },
		func() any { return copyNodes(nodes) },
		func() { scribbleNodes(nodes) })
}

func TestFromPoolsKeepsNothing(t *testing.T) {
	nodes := nodesForCopying()
	pools := []mcfgv1.MachineConfigPool{unreadablePool("x"), pool("worker"), pool("infra"), pool("gpu")}
	keepsNothing(t, func() any { return payloadarch.FromPools(pools, nodes) },
		func() any {
			var p []mcfgv1.MachineConfigPool
			for i := range pools {
				p = append(p, *pools[i].DeepCopy())
			}
			return []any{p, copyNodes(nodes)}
		},
		func() {
			pools[0].Spec.NodeSelector.MatchExpressions[0].Key = "scribble"
			clear(pools)
			scribbleNodes(nodes)
		})
}

func TestTransitionKeepsNothing(t *testing.T) {
	history := []configv1.UpdateHistory{partial(v1, imageB), completed(v1, imageA)}
	stored, proposed := &configv1.Update{Version: v1}, &configv1.Update{Architecture: multi, Version: v1}
	keepsNothing(t, func() any {
		return []any{
			payloadarch.TransitionOf(payloadarch.Single, payloadarch.Verdict{Kind: payloadarch.Multi}, history),
			payloadarch.CheckDesiredUpdate(stored, proposed, payloadarch.Multi),
		}
	},
		func() any { return []any{append([]configv1.UpdateHistory(nil), history...), *stored, *proposed} },
		func() { clear(history); *stored, *proposed = configv1.Update{}, configv1.Update{} })
}

// keepsNothing runs decide over arguments that snapshot copies and scribble
// overwrites.
func keepsNothing(t *testing.T, decide, snapshot func() any, scribble func()) {
	t.Helper()
	unexported := cmp.AllowUnexported(payloadarch.Set{})
	before := snapshot()
	first, second := decide(), decide()
	if diff := cmp.Diff(before, snapshot()); diff != "" {
		t.Errorf("an argument was changed (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(first, second, unexported); diff != "" {
		t.Errorf("two answers differ:\n%s", diff)
	}
	text := asText(t, first)
	scribble()
	if diff := cmp.Diff(text, asText(t, first)); diff != "" {
		t.Errorf("the answer changed with its arguments:\n%s", diff)
	}
}

func asText(t *testing.T, answer any) string {
	t.Helper()
	data, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func nodesForCopying() []corev1.Node {
	return []corev1.Node{
		node("b", "x86_64", role("worker")),
		node("a", "mips", role("worker"), role("infra"), role("gpu"), taint("master", corev1.TaintEffectNoSchedule)),
		node("c", "arm64", role("infra"), reported("amd64", "linux")),
	}
}

func copyNodes(nodes []corev1.Node) []corev1.Node {
	var out []corev1.Node
	for i := range nodes {
		out = append(out, *nodes[i].DeepCopy())
	}
	return out
}

func scribbleNodes(nodes []corev1.Node) {
	for i := range nodes {
		clear(nodes[i].Labels)
		clear(nodes[i].Spec.Taints)
	}
	clear(nodes)
}

func copyIndex(t *testing.T, i ocispec.Index) ocispec.Index {
	t.Helper()
	data, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	var out ocispec.Index
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
