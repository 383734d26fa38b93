package payloadarch

// Reason is the machine-readable ground of a Verdict.
type Reason string

const (
	// ReasonNotObserved: the source is not there yet, or is empty.
	ReasonNotObserved Reason = "NotObserved"
	// ReasonUnrecognized: the source holds a value that is not legal there. A
	// problem beside the verdict names it.
	ReasonUnrecognized Reason = "Unrecognized"

	// ReasonReported: status.desired.architecture says Multi.
	ReasonReported Reason = "Reported"
	// ReasonGateUnknown: the architecture is empty, and there is no FeatureGate yet,
	// or it has no entry for the desired version yet.
	ReasonGateUnknown Reason = "GateUnknown"
	// ReasonGateDisabled: the architecture is empty, and the gate under which it
	// is reported is not enabled for the desired version.
	ReasonGateDisabled Reason = "GateDisabled"
	// ReasonInstalling: the architecture is empty, and the cluster is being
	// installed, or its ClusterVersion was made anew. Whoever acts on it fills what is
	// empty, and leaves alone what an earlier verdict has settled.
	ReasonInstalling Reason = "Installing"
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
)

// TransitionReason is the machine-readable ground of a Transition.
type TransitionReason string

const (
	// ReasonKindUnknown: one of the two kinds is Unknown, or the current one may still
	// change as it rests on Installing.
	ReasonKindUnknown TransitionReason = "KindUnknown"
	// ReasonKindUnchanged: the two kinds are the same.
	ReasonKindUnchanged TransitionReason = "KindUnchanged"
	// ReasonKindChanged: the two kinds differ.
	ReasonKindChanged TransitionReason = "KindChanged"
)

// DesiredUpdateReason is the machine-readable ground of a DesiredUpdate.
type DesiredUpdateReason string

const (
	// ReasonNoUpdate: no update is proposed.
	ReasonNoUpdate DesiredUpdateReason = "NoUpdate"
	// ReasonMultiNotAsked: the update does not ask for the multi payload.
	ReasonMultiNotAsked DesiredUpdateReason = "MultiNotAsked"
	// ReasonAskedBefore: the update that is replaced asked for it already.
	ReasonAskedBefore DesiredUpdateReason = "AskedBefore"
	// ReasonPayloadUnknown: the kind of the payload is not known, so nothing can
	// be said of the edit.
	ReasonPayloadUnknown DesiredUpdateReason = "PayloadUnknown"
	// ReasonMigration: the edit asks for a migration from single to multi.
	ReasonMigration DesiredUpdateReason = "Migration"
	// ReasonAlreadyMulti: the edit asks for a migration that has been made. A
	// finding says so.
	ReasonAlreadyMulti DesiredUpdateReason = "AlreadyMulti"
)
