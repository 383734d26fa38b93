package importmode

import (
	"cmp"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/internal/quote"
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
	// Payload is the verdict on the release payload, as payloadarch returns it. Its
	// kind decides, and of its reasons Installing. Any value but the three kinds counts
	// as Unknown. Its problems and findings stay the caller's to report.
	Payload payloadarch.Verdict
	// Nodes is the set of the nodes' architectures. It decides nothing. Without
	// it, the finding about homogeneous nodes is left out.
	Nodes payloadarch.Set
	// NodesIncomplete says that Nodes may lack an architecture, as nodearch.Nodes says
	// of its sets. It suppresses the finding about homogeneous nodes.
	NodesIncomplete bool
}

// Decision is the import mode that the status of the image config ought to have.
type Decision struct {
	// Mode is Legacy, PreserveOriginal, or empty where nothing is to be written.
	Mode   configv1.ImportModeType
	Reason Reason
	// Field is the input that Reason speaks of: "spec.imageStreamImportMode" of
	// the image config, or "payload", whose own source is in Input.Payload.Field.
	Field string
	// StatusChanges says that Mode is to be written to the status, since it
	// differs from what is there. An empty Mode is never written.
	//
	// It also says that openshift-apiserver rolls out: its operator renders the
	// status into the server's configuration and rolls out when the rendered text
	// changes. An empty configuration and Legacy mean the same to the server, and
	// yet going from one to the other restarts it. There is one exception that
	// cannot be seen from here. A Current that is no mode is refused by the
	// operator, which keeps what it rendered before; if that is Mode already,
	// nothing rolls out.
	StatusChanges bool
	// Problems holds the spec's unknown value, if it has one.
	Problems field.ErrorList
	// Findings come in the order: unknown current mode, homogeneous or heterogeneous
	// nodes.
	Findings []Finding
}

// note adds a finding.
func (d *Decision) note(code FindingCode, path, detail string) {
	d.Findings = append(d.Findings, Finding{code, path, detail})
}

// Decide returns the cluster's import mode by rules 1 to 7; of these the first
// that matches wins. Rules 39, 45 and 67 say what else is reported.
//
// Decide does not allocate unless it has a problem or a finding to report.
func Decide(in Input) Decision {
	current := in.Current
	var d Decision
	if current != "" && !known(current) {
		d.note(FindingUnknownCurrent, statusField, imageConfig+" holds "+quote.Quote(string(current))+
			", which is no import mode and counts as empty; only Legacy and PreserveOriginal are kept")
		current = ""
	}
	switch kind := in.Payload.Kind; {
	case known(in.Spec):
		d.Mode, d.Reason, d.Field = in.Spec, ReasonSpecOverride, specField
	case in.Spec != "":
		d.Mode, d.Reason, d.Field = current, ReasonInvalidSpec, specField
		d.Problems = field.ErrorList{invalidSpec(in.Spec, current)}
	case kind == payloadarch.Multi:
		d.Mode, d.Reason, d.Field = configv1.ImportModePreserveOriginal, ReasonMultiPayload, payloadField
		if in.Nodes.Len() == 1 && !in.NodesIncomplete {
			d.note(FindingHomogeneousNodes, specField, "the payload is multi and every node is "+quote.Cut(in.Nodes.String())+
				"; set the field to Legacy in "+imageConfig+" to import single images instead of whole manifest lists")
		}
	case kind == payloadarch.Single && in.Payload.Reason == payloadarch.ReasonInstalling:
		d.Mode, d.Reason, d.Field = cmp.Or(current, configv1.ImportModeLegacy), ReasonInstalling, payloadField
	case kind == payloadarch.Single:
		d.Mode, d.Reason, d.Field = configv1.ImportModeLegacy, ReasonSinglePayload, payloadField
		if in.Nodes.Len() > 1 {
			d.note(FindingHeterogeneousNodes, payloadField, "the payload is for one architecture and nodes are "+quote.Cut(in.Nodes.String())+
				"; migrate to the multi payload, with oc adm upgrade --to-multi-arch, to have images for all of them")
		}
	default:
		d.Mode, d.Reason, d.Field = current, ReasonPayloadUnknown, payloadField
	}
	d.StatusChanges = d.Mode != current // which an empty Mode always is
	return d
}

// invalidSpec is the problem of rule 2. It says what happens meanwhile.
func invalidSpec(spec, current configv1.ImportModeType) *field.Error {
	bad := configv1.ImportModeType(quote.Cut(string(spec)))
	problem := field.NotSupported(field.NewPath("spec", modeKey), bad, allowed(""))
	if current == "" {
		problem.Detail += "; " + imageConfig + " has no current mode, and none is written"
	} else {
		problem.Detail += "; the current mode of " + imageConfig + ", " + string(current) + ", is kept"
	}
	return problem
}
