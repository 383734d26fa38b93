package payloadarch_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

const payloadArchAt = "status.payloadArch"

func TestFromHostedCluster(t *testing.T) {
	single := verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}
	unsupported := verdict{Reason: payloadarch.ReasonUnrecognized, Field: payloadArchAt,
		Problems: []problem{{field.ErrorTypeNotSupported, payloadArchAt}}}
	for _, tc := range []struct {
		name, payloadArch string
		want              verdict
	}{
		{"17: not inspected yet", "", verdict{Reason: payloadarch.ReasonNotObserved, Field: payloadArchAt}},
		{"18: Multi", "Multi", verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}},
		{"19: AMD64", "AMD64", single},
		{"19: ARM64", "ARM64", single},
		{"19: PPC64LE", "PPC64LE", single},
		{"19: S390X", "S390X", single},
		{"20: multi", "multi", unsupported},
		{"20: amd64", "amd64", unsupported},
		{"20: a blank", " ", unsupported},
		{"20: an architecture to come", "RISCV64", unsupported},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromHostedCluster(tc.payloadArch), tc.want)
		})
	}
}

func TestFromHosted(t *testing.T) {
	settled := clusterVersion("", v1, imageA, completed(v1, imageA))
	reported := clusterVersion(multi, v1, imageA, completed(v1, imageA))
	accepted := []finding{{payloadarch.FindingHostedClusterVersion, archAt}}
	conflict := []finding{{payloadarch.FindingHostedConflict, archAt}}
	for _, tc := range []struct {
		name        string
		payloadArch string
		cv          *configv1.ClusterVersion
		gates       *configv1.FeatureGate
		want        verdict
	}{
		{"21: the HostedCluster alone", "Multi", nil, nil,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}},
		{"21,22: both agree on Multi", "Multi", reported, nil,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}},
		{"21,22: both agree on Single", "ARM64", settled, nil,
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}},
		{"21: the hosted ClusterVersion is not settled", "AMD64", clusterVersion("", v1, imageA), nil,
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}},
		{"21,22: the hosted ClusterVersion contradicts Single", "AMD64", reported, nil,
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonHosted, Field: payloadArchAt, Findings: conflict}},
		{"21,22: the hosted ClusterVersion contradicts Multi", "Multi", settled, nil,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonHosted, Field: payloadArchAt, Findings: conflict}},
		{"20,21: another value, whatever the hosted ClusterVersion says", "multi", reported, nil,
			verdict{Reason: payloadarch.ReasonUnrecognized, Field: payloadArchAt, Problems: []problem{{field.ErrorTypeNotSupported, payloadArchAt}}}},
		{"23: the hosted ClusterVersion says Multi", "", reported, nil,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported, Field: archAt, Findings: accepted}},
		{"23: the hosted ClusterVersion is settled", "", settled, featureGate(enabled(v1)),
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonSettled, Field: archAt, Findings: accepted}},
		{"23: the hosted FeatureGate counts", "", settled, featureGate(),
			verdict{Reason: payloadarch.ReasonGateUnknown, Field: "featuregates[cluster].status.featureGates",
				Findings: []finding{{payloadarch.FindingHostedClusterVersion, "featuregates[cluster].status.featureGates"}}}},
		{"23: neither", "", nil, nil, verdict{Reason: payloadarch.ReasonNotObserved, Field: desired}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromHosted(tc.payloadArch, tc.cv, tc.gates), tc.want)
		})
	}
}
