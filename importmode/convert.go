package importmode

import (
	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
)

// The two modes are the same text in the three API groups.
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
// Convert takes any string type, so it also reads a mode out of plain text, in
// its exact spelling. The error is an [*UnknownModeError] without a field (rule
// 43).
func Convert[To Mode, From ~string](m From) (To, error) {
	if m != "" && !known(m) {
		return "", &UnknownModeError{Value: string(m), Allowed: allowed("")}
	}
	return To(m), nil
}

// known reports whether m is one of the two modes; the empty value is not.
func known[T ~string](m T) bool { return m == legacy || m == preserveOriginal }

// allowed returns the values for an error text: the two modes and what else the
// place takes.
func allowed(also ...string) []string {
	return append(also, legacy, preserveOriginal)
}
