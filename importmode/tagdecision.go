package importmode

import imagev1 "github.com/openshift/api/image/v1"

// TagDecision is the import mode that one tag of a request is to have. The
// caller writes Mode to the tag's importPolicy.importMode, in every case: where
// nothing changes, it is what is there already.
type TagDecision struct {
	// Index is the position of the tag in the list that was decided, -1 for an
	// image stream tag, which is in no list.
	Index int
	// Mode may be empty: the mode of a tag that is stored without one.
	Mode imagev1.ImportModeType
	// New says that no tag of that name is stored.
	New bool
	// Changed says that the effective mode differs from that of the stored tag,
	// as in ModeChanged. A new tag has nothing to differ from.
	Changed bool
	rule    rule
	marks   mark
}

// Reason returns the ground of the decision: Given, ClusterMode, Stored,
// StoredEmpty, Managed or NoSpecTag, and "" for the zero TagDecision.
func (d TagDecision) Reason() Reason {
	switch d.rule {
	case ruleGiven:
		return ReasonGiven
	case ruleClusterMode:
		return ReasonClusterMode
	case ruleStored:
		return ReasonStored
	case ruleStoredEmpty:
		return ReasonStoredEmpty
	case ruleManaged:
		return ReasonManaged
	case ruleNoSpecTag:
		return ReasonNoSpecTag
	}
	return ""
}

// rule is the reason of a TagDecision in a byte. There is one for every tag of
// every write, so its size is felt.
type rule uint8

const (
	ruleGiven rule = iota + 1
	ruleClusterMode
	ruleStored
	ruleStoredEmpty
	ruleManaged
	ruleNoSpecTag
)

// mark is a set of what is odd about one tag decision.
type mark uint8

const (
	legacyIgnored mark = 1 << iota
	unknownStored
	legacyOverPreserveOriginal
)
