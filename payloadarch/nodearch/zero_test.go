package nodearch_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/internal/zerotest"
	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
	"github.com/polyarch/polyarch/payloadarch/nodearch/nodearchtest"
)

func TestZeroValues(t *testing.T) {
	nodes := []corev1.Node{node("a", "x86_64", role("worker")), node("b", "arm64", nodearchtest.Windows), node("c", "", role("infra"), role("gpu"))}
	pools := nodearch.FromPools([]nodearch.PoolSelector{unreadablePool("x"), pool("worker"), pool("infra"), pool("gpu")}, nodes)
	zerotest.Check(t,
		nodearch.Nodes{}, nodearch.FromNodes(nodes),
		nodearch.OperatingSystem{}, nodearch.OperatingSystem{Name: "windows", Architectures: payloadarch.SetOf("amd64")},
		nodearch.Pools{}, pools,
		nodearch.Pool{}, pools.Items[0],
		nodearch.PoolSelector{}, pool("worker"),
		nodearch.Reason(""), nodearch.FindingCode(""),
		nodearch.Finding{}, nodearch.Finding{Code: nodearch.FindingAlias, Path: "p", Detail: "d"},
	)
}

func TestFindingString(t *testing.T) {
	for _, tc := range []struct {
		finding nodearch.Finding
		want    string
	}{
		{nodearch.Finding{Code: "C", Path: "p", Detail: "d"}, "p: d"},
		{nodearch.Finding{Code: "C", Detail: "d"}, "d"},
	} {
		if got := tc.finding.String(); got != tc.want {
			t.Errorf("%#v.String() = %q, want %q", tc.finding, got, tc.want)
		}
	}
}
