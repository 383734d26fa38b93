package payloadarch

// Reason is the machine-readable ground of a Verdict or of a Transition.
type Reason string

const (
	// ReasonNotObserved: the source is not there yet, or is empty.
	ReasonNotObserved Reason = "NotObserved"
	// ReasonUnrecognized: the source holds a value that is none of its legal
	// ones. A problem beside the verdict names it.
	ReasonUnrecognized Reason = "Unrecognized"

	// ReasonReported: status.desired.architecture says Multi.
	ReasonReported Reason = "Reported"
	// ReasonGateUnknown: the architecture is empty, and the FeatureGate has no
	// entry for the desired version yet.
	ReasonGateUnknown Reason = "GateUnknown"
	// ReasonGateDisabled: the architecture is empty, and the gate under which it
	// is reported is not enabled for the desired version.
	ReasonGateDisabled Reason = "GateDisabled"
	// ReasonUpdating: the architecture is empty, and the update to the desired
	// release is not complete.
	ReasonUpdating Reason = "Updating"
	// ReasonSettled: the architecture is empty, and nothing is left that could
	// make it Multi.
	ReasonSettled Reason = "Settled"

	// ReasonMetadata: the release metadata says so.
	ReasonMetadata Reason = "Metadata"
	// ReasonHosted: status.payloadArch of the HostedCluster says so.
	ReasonHosted Reason = "Hosted"
	// ReasonIndex: the architectures of the release image's index say so.
	ReasonIndex Reason = "Index"

	// ReasonKindUnknown: one of the two kinds of a Transition is Unknown.
	ReasonKindUnknown Reason = "KindUnknown"
	// ReasonKindUnchanged: the two kinds of a Transition are the same.
	ReasonKindUnchanged Reason = "KindUnchanged"
	// ReasonKindChanged: the two kinds of a Transition differ.
	ReasonKindChanged Reason = "KindChanged"
)
