package importmode

import "strconv"

// Reason is the machine-readable ground of a Decision. The constants stand in the
// order in which the rules are tried.
type Reason string

const (
	// ReasonSpecOverride: the spec names a mode, which wins over everything.
	ReasonSpecOverride Reason = "SpecOverride"
	// ReasonInvalidSpec: the spec holds a value that is no mode; the current
	// mode is kept.
	ReasonInvalidSpec Reason = "InvalidSpec"
	// ReasonMultiPayload: the spec is empty and the payload is multi.
	ReasonMultiPayload Reason = "MultiPayload"
	// ReasonInstalling: the spec is empty and the payload is single as far as can be
	// told while the cluster is being installed; the current mode is kept, or Legacy
	// fills the empty status.
	ReasonInstalling Reason = "Installing"
	// ReasonSinglePayload: the spec is empty and the payload is single.
	ReasonSinglePayload Reason = "SinglePayload"
	// ReasonPayloadUnknown: the spec is empty and the payload is not settled
	// yet; the current mode is kept, or left empty.
	ReasonPayloadUnknown Reason = "PayloadUnknown"
)

// EvaluationReason is the machine-readable ground of an Evaluation. It is written
// to the condition as it is.
type EvaluationReason string

const (
	// ReasonEvaluationConditionDetected: the cluster overrides the import mode.
	ReasonEvaluationConditionDetected EvaluationReason = "OperatorEvaluationConditionDetected"
	// ReasonAsExpected: nothing was detected.
	ReasonAsExpected EvaluationReason = "AsExpected"
)

// ObservationReason is the machine-readable ground of an Observation.
type ObservationReason string

const (
	// ReasonObserved: the status of the image config names a mode.
	ReasonObserved ObservationReason = "Observed"
	// ReasonStatusEmpty: the status of the image config names no mode yet.
	ReasonStatusEmpty ObservationReason = "StatusEmpty"
	// ReasonImageConfigMissing: there is no image config.
	ReasonImageConfigMissing ObservationReason = "ImageConfigMissing"
	// ReasonPreviousKept: the image config could not be read, or its status
	// holds a value that is no mode; an error stands beside the observation.
	ReasonPreviousKept ObservationReason = "PreviousKept"
)

// TagReason is the machine-readable ground of a TagDecision. It takes one byte,
// since there is one for every tag of every write.
type TagReason uint8

const (
	// ReasonUndecided is the reason of the zero TagDecision.
	ReasonUndecided TagReason = iota
	// ReasonGiven: the request or the manifest names a mode.
	ReasonGiven
	// ReasonClusterMode: the request names no mode and no tag of that name is
	// stored.
	ReasonClusterMode
	// ReasonStored: the request names no mode and the stored tag has one.
	ReasonStored
	// ReasonStoredEmpty: the request names no mode and the stored tag has none,
	// as written before the field existed; it stays Legacy in effect.
	ReasonStoredEmpty
	// ReasonManaged: the manifest names no mode and the stream belongs to the
	// release payload.
	ReasonManaged
	// ReasonNoSpecTag: the image stream tag of the request has no spec tag, so
	// there is nothing to decide.
	ReasonNoSpecTag
)

var tagReasons = [...]string{"Undecided", "Given", "ClusterMode", "Stored", "StoredEmpty", "Managed", "NoSpecTag"}

// String returns the name of the constant without its prefix, such as "Given",
// and "TagReason(n)" for any other value.
func (r TagReason) String() string {
	if int(r) < len(tagReasons) {
		return tagReasons[r]
	}
	return "TagReason(" + strconv.Itoa(int(r)) + ")"
}
