package importmode

// Reason is the machine-readable ground of an answer.
type Reason string

// Reasons of a Decision, in the order in which its rules are tried.
const (
	// ReasonSpecOverride: the spec names a mode, which wins over everything.
	ReasonSpecOverride Reason = "SpecOverride"
	// ReasonInvalidSpec: the spec holds a value that is no mode; the current
	// mode is kept.
	ReasonInvalidSpec Reason = "InvalidSpec"
	// ReasonMultiPayload: the spec is empty and the payload is multi.
	ReasonMultiPayload Reason = "MultiPayload"
	// ReasonSinglePayload: the spec is empty and the payload is single.
	ReasonSinglePayload Reason = "SinglePayload"
	// ReasonPayloadUnknown: the spec is empty and the payload is not settled
	// yet; the current mode is kept, or left empty.
	ReasonPayloadUnknown Reason = "PayloadUnknown"
)

// Reasons of an Evaluation. They are written to the condition as they are.
const (
	// ReasonEvaluationConditionDetected: the cluster overrides the import mode.
	ReasonEvaluationConditionDetected Reason = "OperatorEvaluationConditionDetected"
	// ReasonAsExpected: nothing was detected.
	ReasonAsExpected Reason = "AsExpected"
)

// Reasons of an Observation.
const (
	// ReasonObserved: the status of the image config names a mode.
	ReasonObserved Reason = "Observed"
	// ReasonStatusEmpty: the status of the image config names no mode yet.
	ReasonStatusEmpty Reason = "StatusEmpty"
	// ReasonImageConfigMissing: there is no image config.
	ReasonImageConfigMissing Reason = "ImageConfigMissing"
	// ReasonPreviousKept: the image config could not be read, or its status
	// holds a value that is no mode; an error stands beside the observation.
	ReasonPreviousKept Reason = "PreviousKept"
)

// Reasons of a TagDecision.
const (
	// ReasonGiven: the request names a mode.
	ReasonGiven Reason = "Given"
	// ReasonClusterMode: the request names no mode and no tag of that name is
	// stored.
	ReasonClusterMode Reason = "ClusterMode"
	// ReasonStored: the request names no mode and the stored tag has one.
	ReasonStored Reason = "Stored"
	// ReasonStoredEmpty: the request names no mode and the stored tag has none,
	// as written before the field existed; it stays Legacy in effect.
	ReasonStoredEmpty Reason = "StoredEmpty"
	// ReasonManaged: the manifest names no mode and the stream belongs to the
	// release payload.
	ReasonManaged Reason = "Managed"
	// ReasonNoSpecTag: the image stream tag of the request has no spec tag, so
	// there is nothing to decide.
	ReasonNoSpecTag Reason = "NoSpecTag"
)
