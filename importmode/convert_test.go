package importmode_test

import (
	"errors"
	"strings"
	"testing"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/importmode/importmodetest"
)

// via converts text through all three types and back to plain text.
func via(text string) (string, error) {
	c, err := importmode.Convert[configv1.ImportModeType](text)
	if err != nil {
		return string(c), err
	}
	o, err := importmode.Convert[openshiftcontrolplanev1.ImportModeType](c)
	if err != nil {
		return string(o), err
	}
	i, err := importmode.Convert[imagev1.ImportModeType](o)
	if err != nil {
		return string(i), err
	}
	c, err = importmode.Convert[configv1.ImportModeType](i)
	return string(c), err
}

func TestConvert(t *testing.T) {
	for _, tt := range importmodetest.ConvertCases() {
		t.Run(tt.Name, func(t *testing.T) {
			got, err := via(tt.Value)
			if !tt.WantError {
				if got != tt.Value || err != nil {
					t.Errorf("Convert(%q) = %q, %v", tt.Value, got, err)
				}
				return
			}
			var unknown *importmode.UnknownModeError
			if !errors.As(err, &unknown) || unknown.Value != tt.Value || got != "" {
				t.Errorf("Convert(%q) = %q, %v; want an UnknownModeError with the value and nothing", tt.Value, got, err)
			}
		})
	}
}

// The three modules' constants are the same text, which Convert builds on.
func TestConstantsAgree(t *testing.T) {
	type modes struct{ legacy, preserve string }
	config := modes{string(configv1.ImportModeLegacy), string(configv1.ImportModePreserveOriginal)}
	controlPlane := modes{string(openshiftcontrolplanev1.ImportModeLegacy), string(openshiftcontrolplanev1.ImportModePreserveOriginal)}
	image := modes{string(imagev1.ImportModeLegacy), string(imagev1.ImportModePreserveOriginal)}
	if config != controlPlane || config != image {
		t.Errorf("config/v1 has %v, openshiftcontrolplane/v1 %v, image/v1 %v", config, controlPlane, image)
	}
}

// Whoever reads the error in a log finds in it what is wrong where, and what
// would be right.
func TestUnknownModeErrorNamesItsFields(t *testing.T) {
	err := &importmode.UnknownModeError{Object: "theObject", Field: "the.field", Value: "theValue", Allowed: []string{"", "oneMode", "otherMode"}}
	for _, part := range []string{"theObject", "the.field", `"theValue"`, `""`, `"oneMode"`, `"otherMode"`} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not hold %s", err, part)
		}
	}
}
