package payloadarch_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

const payloadArchAt = "status.payloadArch"

// hostedVerdict returns the whole verdict on status.payloadArch.
func hostedVerdict(payloadArch string) verdict {
	want := payloadarchtest.OracleHostedCluster(payloadArch)
	v := verdict{Kind: kindOf(want.Kind), Reason: payloadarch.ReasonHosted, Field: payloadArchAt}
	if payloadArch == "" {
		v.Reason = payloadarch.ReasonNotObserved
	}
	if want.Problem {
		v.Reason = payloadarch.ReasonUnrecognized
		v.Problems = []problem{{field.ErrorTypeNotSupported, payloadArchAt}}
	}
	return v
}

func TestFromHostedCluster(t *testing.T) {
	for _, c := range payloadarchtest.PayloadArchCases() {
		t.Run(c.Rule+"/"+c.Name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromHostedCluster(c.PayloadArch), hostedVerdict(c.PayloadArch))
		})
	}
}

// joined returns the verdict of both sources: own is that on the hosted
// ClusterVersion, which is there or not.
func joined(payloadArch string, own verdict, there bool) verdict {
	if payloadArch == "" {
		if there {
			own.Findings = []finding{{payloadarch.FindingHostedClusterVersion, own.Field}}
		}
		return own
	}
	v := hostedVerdict(payloadArch)
	if v.Kind != own.Kind && v.Kind != payloadarch.Unknown && own.Kind != payloadarch.Unknown {
		v.Findings = []finding{{payloadarch.FindingHostedConflict, own.Field}}
	}
	return v
}

func TestFromHostedWholeDomain(t *testing.T) {
	for c := range payloadarchtest.EveryCluster() {
		for _, payloadArch := range []string{"", "Multi", "AMD64", "S390X", "amd64", "Single"} {
			there := c.ClusterVersion != nil
			checkVerdict(t, payloadarch.FromHosted(payloadArch, c.ClusterVersion, c.FeatureGate), joined(payloadArch, verdictOf(c), there))
			if c.FeatureGate == nil {
				checkVerdict(t, payloadarch.FromHostedWithoutGates(payloadArch, c.ClusterVersion),
					joined(payloadArch, withoutGates(c.ClusterVersion), there))
			}
		}
	}
}
