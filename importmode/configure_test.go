package importmode_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/importmode"
)

func TestConfigure(t *testing.T) {
	for _, tt := range []struct {
		name  string
		value openshiftcontrolplanev1.ImportModeType
		want  imagev1.ImportModeType
	}{
		{"19: empty is Legacy", "", imagev1.ImportModeLegacy},
		{"20: Legacy", openshiftcontrolplanev1.ImportModeLegacy, imagev1.ImportModeLegacy},
		{"20: PreserveOriginal", openshiftcontrolplanev1.ImportModePreserveOriginal, imagev1.ImportModePreserveOriginal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: tt.value})
			if err != nil || got != tt.want {
				t.Errorf("Configure(%q) = %q, %v; want %q", tt.value, got, err, tt.want)
			}
		})
	}
	for _, tt := range []struct {
		name  string
		value openshiftcontrolplanev1.ImportModeType
	}{
		{"21: another word", "Whole"},
		{"21: another case", "preserveOriginal"},
		{"21: a blank", " "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: tt.value})
			var unknown *importmode.UnknownModeError
			if !errors.As(err, &unknown) || got != "" {
				t.Fatalf("Configure(%q) = %q, %v; want an UnknownModeError and nothing", tt.value, got, err)
			}
			want := importmode.UnknownModeError{
				Object:  "OpenShiftAPIServerConfig",
				Field:   "imagePolicyConfig.imageStreamImportMode",
				Value:   string(tt.value),
				Allowed: []string{"", "Legacy", "PreserveOriginal"}, Consequence: "the server does not start",
			}
			if diff := cmp.Diff(want, *unknown); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}
