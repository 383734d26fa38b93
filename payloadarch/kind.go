package payloadarch

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// Kind says for how many architectures a release payload was built. The zero
// value is Unknown: no source has told yet.
type Kind uint8

const (
	// Unknown means that the facts do not settle the kind yet. It is not Single:
	// whoever acts on it keeps what it has.
	Unknown Kind = iota
	// Single is a payload for one architecture.
	Single
	// Multi is a payload for several architectures. It says nothing about the
	// nodes: a multi payload also runs on nodes that are all alike.
	Multi
)

// String returns "Unknown", "Single" or "Multi", and "Kind(n)" for any other
// value.
func (k Kind) String() string {
	switch k {
	case Unknown:
		return "Unknown"
	case Single:
		return "Single"
	case Multi:
		return "Multi"
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// ReportedArchitecture returns what the cluster version operator writes to
// status.desired.architecture of the ClusterVersion for a payload of kind k, by
// rules 34 and 35 of the package: Single and Unknown are both empty. That two
// kinds share the empty value is why FromClusterVersion looks at more than this
// field.
func ReportedArchitecture(k Kind) configv1.ClusterVersionArchitecture {
	if k == Multi {
		return configv1.ClusterVersionArchitectureMulti
	}
	return ""
}

// A Verdict is a kind with what it rests on. The zero value is Unknown and gives no
// reason.
type Verdict struct {
	Kind   Kind
	Reason Reason
	// Field is the path of the fact that decided, such as
	// "clusterversions[version].status.desired.architecture". It is relative where
	// no object was given: in a document, an index, or the status of a
	// HostedCluster.
	Field string
	// Problems is what somebody must mend. The kind beside it is complete: it is
	// Unknown where the problem hides it.
	Problems field.ErrorList
	// Findings are what is odd and blocks nothing, in the order in which it was
	// met.
	Findings []Finding
}

// unsupported is the problem of a value out of a closed set. It says what follows
// from it: nobody should have to look up what an Unknown does.
func unsupported(path *field.Path, value string, supported ...string) *field.Error {
	quoted := make([]string, len(supported))
	for i, s := range supported {
		quoted[i] = strconv.Quote(s)
	}
	return &field.Error{
		Type: field.ErrorTypeNotSupported, Field: path.String(), BadValue: quote.Cut(value),
		Detail: "supported values: " + strings.Join(quoted, ", ") + "; " + countsAsUnknown,
	}
}

const countsAsUnknown = "the kind of the payload is Unknown, and what was decided from it before stays"
