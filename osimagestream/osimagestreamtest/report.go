package osimagestreamtest

import "k8s.io/apimachinery/pkg/util/validation/field"

// A Problem is a field error of package osimagestream. Value is nil where a value is
// required. Of an implementation, rules ask whether there is an error.
type Problem struct {
	Type  field.ErrorType
	Field string
	Value any
}

// A Finding is something odd that package osimagestream reports, and where. No rule
// asks for it; the cases hold it for the tests of that package.
type Finding struct{ Code, Path string }

// Codes are findings without their paths.
func Codes(codes ...string) (findings []Finding) {
	for _, c := range codes {
		findings = append(findings, Finding{Code: c})
	}
	return findings
}
