package importmode

import (
	"strconv"
	"strings"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
)

// The two values are the same text in the three API groups.
const (
	legacy           = "Legacy"
	preserveOriginal = "PreserveOriginal"
)

// Mode is any of the three API types that carry an import mode.
type Mode interface {
	configv1.ImportModeType | openshiftcontrolplanev1.ImportModeType | imagev1.ImportModeType
}

// Convert returns m as another of the three types:
//
//	mode, err := importmode.Convert[imagev1.ImportModeType](config.Status.ImageStreamImportMode)
//
// The empty value stays empty: what it stands for depends on where it is found.
// Any string type is taken, so that Convert also reads a mode out of plain text,
// in its exact spelling. The error is an [*UnknownModeError] without a field.
func Convert[To Mode, From ~string](m From) (To, error) {
	if m != "" && !known(m) {
		return "", &UnknownModeError{Value: string(m), Allowed: allowed("")}
	}
	return To(m), nil
}

// An UnknownModeError says that a value is no import mode.
type UnknownModeError struct {
	// Object is the kind or resource and name that was read, "" if not known.
	Object string
	// Field is the path within Object, "" if not known.
	Field string
	Value string
	// Allowed is every value that would have been right, in ascending order. The
	// empty one is among them where the field may be left out.
	Allowed []string
}

func (e *UnknownModeError) Error() string {
	var b strings.Builder
	for _, part := range [...]string{e.Object, e.Field} {
		if part != "" {
			b.WriteString(part)
			b.WriteString(": ")
		}
	}
	b.WriteString("unknown import mode ")
	b.WriteString(strconv.Quote(e.Value))
	b.WriteString(", allowed are ")
	for i, a := range e.Allowed {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(a))
	}
	return b.String()
}

// known reports whether m is one of the two modes; the empty value is not.
func known[T ~string](m T) bool { return m == legacy || m == preserveOriginal }

// allowed returns the values for an error text: the two modes and what else the
// place takes.
func allowed(also ...string) []string {
	return append(also, legacy, preserveOriginal)
}
