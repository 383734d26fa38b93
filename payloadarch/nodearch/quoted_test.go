package nodearch_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// A value of half a megabyte is not repeated in an event or a log.
func TestValuesInTextsAreCut(t *testing.T) {
	const most = 1000 // 128 characters of two values, and the words around them
	huge := strings.Repeat("x", 500_000)
	for _, tc := range []struct {
		name  string
		nodes []corev1.Node
		pools []nodearch.PoolSelector
	}{
		{"5,27: an unknown name", []corev1.Node{node("a", huge)}, nil},
		{"6,27: a malformed name", []corev1.Node{node("a", huge+",")}, nil},
		{"2,27: two names", []corev1.Node{node("a", huge, reported("y"+huge, "linux"))}, nil},
		{"15,27: two custom pools", []corev1.Node{node("a", "amd64", role("infra"), role("gpu"))}, []nodearch.PoolSelector{
			{Name: huge, NodeSelector: pool("infra").NodeSelector}, {Name: "y" + huge, NodeSelector: pool("gpu").NodeSelector}}},
		{"16,27: a custom pool on a master", []corev1.Node{node("a", "amd64", role("master"), role("gpu"))}, []nodearch.PoolSelector{
			pool("master"), {Name: huge, NodeSelector: pool("gpu").NodeSelector}}},
		{"21,27: a selector that cannot be read", []corev1.Node{node("a", "amd64")}, []nodearch.PoolSelector{poolWith("p", &metav1.LabelSelector{
			MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: metav1.LabelSelectorOperator(huge), Values: []string{huge}}}})}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var texts []string
			for _, f := range nodearch.FromNodes(tc.nodes).Findings {
				texts = append(texts, f.String())
			}
			p := nodearch.FromPools(tc.pools, tc.nodes)
			for _, f := range p.Findings {
				texts = append(texts, f.String())
			}
			for _, problem := range p.Problems {
				texts = append(texts, problem.Error())
			}
			cut := false
			for _, text := range texts {
				cut = cut || strings.Contains(text, "(128 of ")
				if len(text) > most {
					t.Errorf("%d bytes: %.300s", len(text), text)
				}
			}
			if !cut {
				t.Errorf("nothing says that it was cut: %.300q", texts)
			}
		})
	}
	t.Run("4,27: another spelling", func(t *testing.T) {
		for _, f := range nodearch.FromNodes([]corev1.Node{node("a", strings.Repeat(" ", 500_000)+"x86_64")}).Findings {
			if len(f.String()) > most {
				t.Errorf("%d bytes", len(f.String()))
			}
		}
	})
}
