package importmode

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

// The inputs that a Decision names as what it rests on.
const (
	specField    = "spec.imageStreamImportMode"
	statusField  = "status.imageStreamImportMode"
	payloadField = "payload"
)

// Input is what Decide looks at. The zero value is a cluster of which nothing is
// known yet.
type Input struct {
	// Spec is spec.imageStreamImportMode of image.config.openshift.io/cluster.
	Spec configv1.ImportModeType
	// Current is status.imageStreamImportMode of the same object.
	Current configv1.ImportModeType
	// Payload is the kind of the release payload. A value that is none of the
	// three kinds counts as Unknown.
	Payload payloadarch.Kind
	// Nodes is the set of the nodes' architectures. It decides nothing; without
	// it, the finding about homogeneous nodes is left out.
	Nodes payloadarch.Set
}

// Decision is the import mode that the status of the image config ought to
// have.
type Decision struct {
	// Mode is Legacy, PreserveOriginal, or empty where nothing is to be written.
	Mode   configv1.ImportModeType
	Reason Reason
	// Field is the input that Reason speaks of: "spec.imageStreamImportMode" of
	// the image config, or "payload", whose own source is in
	// payloadarch.Verdict.
	Field string
	// StatusChanges says that Mode is to be written to the status, since it
	// differs from what is there. An empty Mode is never written.
	StatusChanges bool
	// RollsOut says that writing Mode makes openshift-apiserver roll out. Its
	// operator renders the status into the server's configuration and rolls out
	// when the rendered configuration changes, if only in the letter: an empty
	// configuration and Legacy mean the same to the server, and yet going from
	// one to the other restarts it. The one case that cannot be told from here
	// is a Current that is no mode: the operator refuses it and renders an older
	// value, so that RollsOut is then the most that can happen.
	RollsOut bool
	// Problems holds the spec's unknown value, if it has one.
	Problems field.ErrorList
	// Findings come in the order: unknown current mode, homogeneous nodes.
	Findings []Finding
}

// Decide returns the cluster's import mode. The first rule that matches wins:
//
//  1. The spec names a mode: that mode, whatever the payload. SpecOverride
//  2. The spec holds another value: the current mode. A problem at
//     spec.imageStreamImportMode says so. InvalidSpec
//  3. The payload is multi: PreserveOriginal. MultiPayload
//  4. The payload is single: Legacy. SinglePayload
//  5. The payload is unknown: the current mode. PayloadUnknown
//  6. The payload is unknown and there is no current mode: empty, which is not
//     written. PayloadUnknown
//
// A current value that is neither mode counts as empty, with a finding. Decide
// does not allocate unless it has a problem or a finding to report.
func Decide(in Input) Decision {
	current := in.Current
	var d Decision
	if current != "" && !known(current) {
		d.Findings = append(d.Findings, Finding{FindingUnknownCurrent, statusField,
			"the status holds " + strconv.Quote(string(current)) + ", which counts as empty; Legacy or PreserveOriginal would be right"})
		current = ""
	}
	switch {
	case known(in.Spec):
		d.Mode, d.Reason, d.Field = in.Spec, ReasonSpecOverride, specField
	case in.Spec != "":
		d.Mode, d.Reason, d.Field = current, ReasonInvalidSpec, specField
		d.Problems = field.ErrorList{
			field.NotSupported(field.NewPath("spec", modeKey), in.Spec, allowed("")),
		}
	case in.Payload == payloadarch.Multi:
		d.Mode, d.Reason, d.Field = configv1.ImportModePreserveOriginal, ReasonMultiPayload, payloadField
		if in.Nodes.Len() == 1 {
			d.Findings = append(d.Findings, Finding{FindingHomogeneousNodes, specField,
				"the payload is multi and every node is " + in.Nodes.String() +
					"; set Legacy here to import single images instead of whole manifest lists"})
		}
	case in.Payload == payloadarch.Single:
		d.Mode, d.Reason, d.Field = configv1.ImportModeLegacy, ReasonSinglePayload, payloadField
	default:
		d.Mode, d.Reason, d.Field = current, ReasonPayloadUnknown, payloadField
	}
	d.StatusChanges = d.Mode != "" && d.Mode != current
	d.RollsOut = d.StatusChanges
	return d
}
