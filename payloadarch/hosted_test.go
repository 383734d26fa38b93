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
		{"19: not inspected yet", "", verdict{Reason: payloadarch.ReasonNotObserved, Field: payloadArchAt}},
		{"20: Multi", "Multi", verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}},
		{"21: AMD64", "AMD64", single},
		{"21: ARM64", "ARM64", single},
		{"21: PPC64LE", "PPC64LE", single},
		{"21: S390X", "S390X", single},
		{"22: multi", "multi", unsupported},
		{"22: amd64", "amd64", unsupported},
		{"22: a blank", " ", unsupported},
		{"22: an architecture to come", "RISCV64", unsupported},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromHostedCluster(tc.payloadArch), tc.want)
		})
	}
}

func TestFromHosted(t *testing.T) {
	settled := clusterVersion("", v1, imageA, completed(v1, imageA))
	reported := clusterVersion(multi, v1, imageA, completed(v1, imageA))
	known := featureGate(enabled(v1))
	accepted := []finding{{payloadarch.FindingHostedClusterVersion, archAt}}
	conflict := []finding{{payloadarch.FindingHostedConflict, archAt}}
	for _, tc := range []struct {
		name        string
		payloadArch string
		cv          *configv1.ClusterVersion
		gates       *configv1.FeatureGate
		want        verdict
	}{
		{"23: the HostedCluster alone", "Multi", nil, nil,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}},
		{"23,24: both agree on Multi", "Multi", reported, nil,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}},
		{"23,24: both agree on Single", "ARM64", settled, known,
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}},
		{"23: the hosted ClusterVersion is not settled", "AMD64", clusterVersion("", v1, imageA), nil,
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}},
		{"23,24: the hosted ClusterVersion contradicts Single", "AMD64", reported, nil,
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonHosted, Field: payloadArchAt, Findings: conflict}},
		{"23,24: the hosted ClusterVersion contradicts Multi", "Multi", settled, known,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonHosted, Field: payloadArchAt, Findings: conflict}},
		{"22,23: another value, whatever the hosted ClusterVersion says", "multi", reported, nil,
			verdict{Reason: payloadarch.ReasonUnrecognized, Field: payloadArchAt, Problems: []problem{{field.ErrorTypeNotSupported, payloadArchAt}}}},
		{"25: the hosted ClusterVersion says Multi", "", reported, nil,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported, Field: archAt, Findings: accepted}},
		{"25: the hosted ClusterVersion is settled", "", settled, known,
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonSettled, Field: archAt, Findings: accepted}},
		{"25: the hosted FeatureGate counts", "", settled, featureGate(),
			verdict{Reason: payloadarch.ReasonGateUnknown, Field: "featuregates[cluster].status.featureGates",
				Findings: []finding{{payloadarch.FindingHostedClusterVersion, "featuregates[cluster].status.featureGates"}}}},
		{"5,25: no hosted FeatureGate", "", settled, nil,
			verdict{Reason: payloadarch.ReasonGateUnknown, Field: "featuregates[cluster]",
				Findings: []finding{{payloadarch.FindingHostedClusterVersion, "featuregates[cluster]"}}}},
		{"7,25: the hosted cluster is being installed", "", clusterVersion("", v1, imageA, partial(v1, imageA)), known,
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonInstalling, Field: stateAt,
				Findings: []finding{{payloadarch.FindingHostedClusterVersion, stateAt}}}},
		{"25: neither", "", nil, nil, verdict{Reason: payloadarch.ReasonNotObserved, Field: desired}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromHosted(tc.payloadArch, tc.cv, tc.gates), tc.want)
		})
	}
}

func TestFromHostedWithoutGates(t *testing.T) {
	settled := clusterVersion("", v1, imageA, completed(v1, imageA))
	for _, tc := range []struct {
		name        string
		payloadArch string
		cv          *configv1.ClusterVersion
		want        verdict
	}{
		{"10,23: the HostedCluster alone", "ARM64", nil, verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonHosted, Field: payloadArchAt}},
		{"10,24: the hosted ClusterVersion contradicts Multi", "Multi", settled,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonHosted, Field: payloadArchAt,
				Findings: []finding{{payloadarch.FindingHostedConflict, archAt}}}},
		{"10,25: the hosted ClusterVersion is settled", "", settled,
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonSettled, Field: archAt,
				Findings: []finding{{payloadarch.FindingHostedClusterVersion, archAt}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromHostedWithoutGates(tc.payloadArch, tc.cv), tc.want)
		})
	}
}
