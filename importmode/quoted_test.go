package importmode_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// A value of half a megabyte is not repeated in an event, a condition or a log.
func TestValuesInTextsAreCut(t *testing.T) {
	const most = 1000 // 128 characters of one value, and the words around them
	huge := strings.Repeat("x", 500_000)
	bad := imagev1.ImportModeType(huge)
	path := field.NewPath("spec", "tags").Key("v1")
	for _, tt := range []struct {
		name  string
		texts []string
	}{
		{"2,46: the spec", decisionTexts(importmode.Decide(importmode.Input{Spec: configv1.ImportModeType(huge)}))},
		{"39,46: the current mode", decisionTexts(importmode.Decide(importmode.Input{Current: configv1.ImportModeType(huge)}))},
		{"45,46: the architecture of the nodes", decisionTexts(importmode.Decide(importmode.Input{Payload: multi, Nodes: payloadarch.SetOf(huge)}))},
		{"67,46: the architectures of the nodes", decisionTexts(importmode.Decide(importmode.Input{Payload: single, Nodes: payloadarch.SetOf("a", huge)}))},
		{"8,46: the condition", []string{importmode.Evaluate(configv1.ImportModeType(huge)).Message}},
		{"16,46: the observed status", []string{observeError(imageConfig(configv1.ImportModeType(huge)), nil)}},
		{"17,46: another type", []string{observeError(nil, map[string]any{"imagePolicyConfig": huge})}},
		{"18,46: the event", []string{observeEvent(observed(huge))}},
		{"21,46: the configuration", []string{configureError(openshiftcontrolplanev1.ImportModeType(huge))}},
		{"40,46: a mode in a request", []string{importmode.ValidateMode(bad, "", path)[0].Error()}},
		{"41,46: a stored mode", findingTexts(importmode.DefaultTag("", bad, true, preserve, importmode.Options{}))},
		{"43,46: a text", []string{convertError(huge)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if len(tt.texts) != 1 || len(tt.texts[0]) > most || !strings.Contains(tt.texts[0], "(128 of ") {
				t.Errorf("%d texts: %.300q", len(tt.texts), tt.texts)
			}
		})
	}
}

func findingTexts(d importmode.TagDecision) (texts []string) {
	for _, f := range d.Findings(nil) {
		texts = append(texts, f.String())
	}
	return texts
}

func observeError(image *configv1.Image, existing map[string]any) string {
	_, err := importmode.Observe(image, nil, existing)
	return err.Error()
}

func observeEvent(existing map[string]any) string {
	o, _ := importmode.Observe(nil, nil, existing)
	return o.Event.Message
}

func configureError(m openshiftcontrolplanev1.ImportModeType) string {
	_, err := importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: m})
	return err.Error()
}

func convertError(text string) string {
	_, err := importmode.Convert[imagev1.ImportModeType](text)
	return err.Error()
}
