package payloadarch

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"
)

// FromHostedCluster returns the kind of the payload of a HyperShift hosted
// cluster, out of status.payloadArch of its HostedCluster: Multi, one of AMD64,
// ARM64, PPC64LE and S390X in these very spellings, or empty while the release
// image has not been inspected. Any other value is Unknown with a problem.
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
		field.NotSupported(field.NewPath("status", "payloadArch"), payloadArch,
			[]string{"Multi", "AMD64", "ARM64", "PPC64LE", "S390X", ""}),
	}}
}

// FromHosted returns the kind for a hosted cluster out of whatever the caller
// has: status.payloadArch of the HostedCluster ("" if it has no HostedCluster),
// and the ClusterVersion and FeatureGate of the hosted cluster, nil where it has
// none of them.
//
// A payloadArch that is not empty decides, since the management cluster wrote
// it. Otherwise the hosted ClusterVersion decides by the rules of
// FromClusterVersion. Its administrator can write it, which harms nobody but
// that cluster, so it is accepted with the finding HostedClusterVersion. If both
// name a kind and differ, as they do for a while during a migration, there is the
// finding HostedConflict.
func FromHosted(payloadArch string, cv *configv1.ClusterVersion, gates *configv1.FeatureGate) Verdict {
	hosted, own := FromHostedCluster(payloadArch), FromClusterVersion(cv, gates)
	if payloadArch == "" {
		if cv != nil {
			own.Findings = append(own.Findings, Finding{FindingHostedClusterVersion, own.Field,
				"the ClusterVersion of a hosted cluster can be written by its administrator; status.payloadArch of the HostedCluster is to be preferred"})
		}
		return own
	}
	if hosted.Kind != Unknown && own.Kind != Unknown && hosted.Kind != own.Kind {
		hosted.Findings = append(hosted.Findings, Finding{FindingHostedConflict, own.Field,
			fmt.Sprintf("the hosted ClusterVersion says %v, status.payloadArch of the HostedCluster says %q and was taken", own.Kind, payloadArch)})
	}
	return hosted
}
