package payloadarch

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// FromHostedCluster returns the kind of the payload of a HyperShift hosted
// cluster from status.payloadArch of its HostedCluster, by rules 19 to 22 of the
// package. The string is empty while the release image has not been inspected.
//
// HyperShift counts the entries of the release image's index, so an index with
// two entries of one architecture reads as Multi there; FromIndex counts
// distinct architectures.
func FromHostedCluster(payloadArch string) Verdict {
	const path = "status.payloadArch"
	switch payloadArch {
	case "":
		return Verdict{Reason: ReasonNotObserved, Field: path}
	case "Multi":
		return Verdict{Kind: Multi, Reason: ReasonHosted, Field: path}
	case "AMD64", "ARM64", "PPC64LE", "S390X":
		return Verdict{Kind: Single, Reason: ReasonHosted, Field: path}
	}
	return Verdict{Reason: ReasonUnrecognized, Field: path, Problems: field.ErrorList{
		unsupported(field.NewPath("status", "payloadArch"), payloadArch, "Multi", "AMD64", "ARM64", "PPC64LE", "S390X", ""),
	}}
}

// FromHosted returns the kind for a hosted cluster from whatever the caller has, by
// rules 23 to 25 of the package: status.payloadArch of the HostedCluster ("" if
// there is no HostedCluster at hand), and the ClusterVersion and FeatureGate of the
// hosted cluster, each nil if it is not there (yet).
//
// The two sources differ for a while during a migration.
func FromHosted(payloadArch string, cv *configv1.ClusterVersion, gates *configv1.FeatureGate) Verdict {
	return fromHosted(payloadArch, cv, FromClusterVersion(cv, gates))
}

// FromHostedWithoutGates is FromHosted for a caller that cannot read the FeatureGate
// of the hosted cluster at all, with FromClusterVersionWithoutGates in place of
// FromClusterVersion.
func FromHostedWithoutGates(payloadArch string, cv *configv1.ClusterVersion) Verdict {
	return fromHosted(payloadArch, cv, FromClusterVersionWithoutGates(cv))
}

// fromHosted joins payloadArch with the verdict on the hosted ClusterVersion.
func fromHosted(payloadArch string, cv *configv1.ClusterVersion, own Verdict) Verdict {
	hosted := FromHostedCluster(payloadArch)
	if payloadArch == "" {
		if cv != nil {
			own.Findings = append(own.Findings, Finding{FindingHostedClusterVersion, own.Field,
				"the ClusterVersion of a hosted cluster can be written by its administrator; status.payloadArch of the HostedCluster is preferable"})
		}
		return own
	}
	if hosted.Kind != Unknown && own.Kind != Unknown && hosted.Kind != own.Kind {
		hosted.Findings = append(hosted.Findings, Finding{FindingHostedConflict, own.Field,
			fmt.Sprintf("the hosted ClusterVersion says %v, status.payloadArch of the HostedCluster says %s and was taken", own.Kind, quote.Quote(payloadArch))})
	}
	return hosted
}
