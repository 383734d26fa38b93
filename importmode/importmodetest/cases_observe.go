package importmodetest

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
)

// An ObserveCase is a row of the observed configuration.
type ObserveCase struct {
	Rule, Name string
	Image      *configv1.Image
	ListErr    error
	Existing   map[string]any
	Want       map[string]any
	WantEvent  bool
	WantError  bool
}

// ObservedConfig returns an observed configuration that holds the mode.
func ObservedConfig(mode string) map[string]any {
	return map[string]any{"imagePolicyConfig": map[string]any{"imageStreamImportMode": mode}}
}

func imageConfig(status configv1.ImportModeType) *configv1.Image {
	return &configv1.Image{Status: configv1.ImageStatus{ImageStreamImportMode: status}}
}

var (
	errNotFound = apierrors.NewNotFound(schema.GroupResource{Group: "config.openshift.io", Resource: "images"}, "cluster")
	errLister   = errors.New("not synced")
)

// ObserveCases returns the rows of the observed configuration.
func ObserveCases() []ObserveCase {
	policy := func(v any) map[string]any { return map[string]any{"imagePolicyConfig": v} }
	mode := func(v any) map[string]any { return policy(map[string]any{"imageStreamImportMode": v}) }
	legacy, preserve := ObservedConfig("Legacy"), ObservedConfig("PreserveOriginal")
	return []ObserveCase{
		{Rule: "unset-status-leaves-field-out", Name: "no image config", ListErr: errNotFound},
		{Rule: "unset-status-leaves-field-out", Name: "the image config is gone", ListErr: errNotFound, Existing: legacy, WantEvent: true},
		{Rule: "unset-status-leaves-field-out", Name: "status empty", Image: imageConfig("")},
		{Rule: "unset-status-leaves-field-out", Name: "status emptied", Image: imageConfig(""), Existing: preserve, WantEvent: true},
		{Rule: "unset-status-leaves-field-out", Name: "a field that is there but empty goes", Image: imageConfig(""), Existing: ObservedConfig("")},
		{Rule: "status-observed", Name: "first Legacy", Image: imageConfig(configLegacy), Want: legacy, WantEvent: true},
		{Rule: "status-observed", Name: "the same again", Image: imageConfig(configPreserve), Existing: preserve, Want: preserve},
		{Rule: "status-observed", Name: "Legacy to PreserveOriginal", Image: imageConfig(configPreserve), Existing: legacy, Want: preserve, WantEvent: true},
		{Rule: "status-observed", Name: "an unknown value from before is replaced", Image: imageConfig(configLegacy), Existing: ObservedConfig("Whole"), Want: legacy, WantEvent: true},
		{Rule: "status-observed", Name: "no other field", Image: imageConfig(configLegacy), Want: legacy,
			Existing: map[string]any{
				"imagePolicyConfig": map[string]any{"imageStreamImportMode": "Legacy", "internalRegistryHostname": "registry.svc"},
				"routingConfig":     map[string]any{"subdomain": "apps.example.com"},
			}},
		{Rule: "lister-error-keeps-previous", Name: "PreserveOriginal", ListErr: errLister, Existing: preserve, Want: preserve, WantError: true},
		{Rule: "lister-error-keeps-previous", Name: "nothing", ListErr: errLister, WantError: true},
		{Rule: "unknown-status-keeps-previous", Name: "PreserveOriginal", Image: imageConfig("Whole"), Existing: preserve, Want: preserve, WantError: true},
		{Rule: "unknown-status-keeps-previous", Name: "nothing", Image: imageConfig("Whole"), WantError: true},
		{Rule: "wrong-type-writes-nothing", Name: "the policy is a string", Image: imageConfig(configLegacy), Existing: policy("Legacy"), WantError: true},
		{Rule: "wrong-type-writes-nothing", Name: "the policy is an array", Image: imageConfig(configLegacy), Existing: policy([]any{}), WantError: true},
		{Rule: "wrong-type-writes-nothing", Name: "the mode is a number", Image: imageConfig(configLegacy), Existing: mode(int64(1)), WantError: true},
		{Rule: "wrong-type-writes-nothing", Name: "the mode is an object", Image: imageConfig(configLegacy), Existing: mode(map[string]any{}), WantError: true},
		{Rule: "wrong-type-writes-nothing", Name: "before a lister error", ListErr: errLister, Existing: policy(true), WantError: true},
		{Rule: "wrong-type-writes-nothing", Name: "null counts as missing", Image: imageConfig(configLegacy), Existing: policy(nil), Want: legacy, WantEvent: true},
		{Rule: "wrong-type-writes-nothing", Name: "a mode of null counts as missing", Image: imageConfig(""), Existing: mode(nil)},
		{Rule: "event-on-change", Name: "first Legacy", Image: imageConfig(configLegacy), Want: legacy, WantEvent: true},
		{Rule: "event-on-change", Name: "the same again", Image: imageConfig(configPreserve), Existing: preserve, Want: preserve},
		{Rule: "event-on-change", Name: "no event where the previous mode is kept", ListErr: errLister, Existing: preserve, Want: preserve, WantError: true},
	}
}

type observeInput struct {
	Image    *configv1.Image
	ListErr  error
	Existing map[string]any
}

// observedView is what Observe gives. Only rows of event-on-change look at Event.
type observedView struct {
	Config       map[string]any
	Event, Error bool
}

func (in observeInput) call(i Impl, event bool) observedView {
	config, sent, err := i.Observe(in.Image, in.ListErr, in.Existing)
	if len(config) == 0 {
		config = nil // no configuration at all and an empty one are the same
	}
	return observedView{config, sent && event, err != nil}
}

func observeRows() (rows []row) {
	for _, c := range ObserveCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasObserve, Call: func(i Impl) outcome {
			in, event := observeInput{c.Image, c.ListErr, c.Existing}, c.Rule == "event-on-change"
			return outcome{Input: in, Want: observedView{c.Want, c.WantEvent && event, c.WantError}, Got: in.call(i, event)}
		}})
	}
	return rows
}

// A ModeCase is a row of what is read out of a text, by Configure or by Convert.
type ModeCase struct {
	Rule, Name string
	Value      string
	Want       imagev1.ImportModeType
	WantError  bool
}

// ConfigureCases returns the rows of the server's configuration.
func ConfigureCases() []ModeCase {
	return []ModeCase{
		{"configured-empty-is-legacy", "empty", "", imagev1.ImportModeLegacy, false},
		{"configured-mode", "Legacy", "Legacy", imagev1.ImportModeLegacy, false},
		{"configured-mode", "PreserveOriginal", "PreserveOriginal", imagev1.ImportModePreserveOriginal, false},
		{"configured-unknown-refused", "another word", "Whole", "", true},
		{"configured-unknown-refused", "another case", "preserveOriginal", "", true},
		{"configured-unknown-refused", "a blank", " ", "", true},
	}
}

// ConvertCases returns the rows of modes in texts.
func ConvertCases() []ModeCase {
	const rule = "convert-exact"
	return []ModeCase{
		{rule, "Legacy", "Legacy", imagev1.ImportModeLegacy, false},
		{rule, "PreserveOriginal", "PreserveOriginal", imagev1.ImportModePreserveOriginal, false},
		{rule, "empty stays empty", "", "", false},
		{rule, "another word", "Whole", "", true},
		{rule, "another case", "LEGACY", "", true},
		{rule, "blanks around", " Legacy", "", true},
		{rule, "a control character", "Legacy\x00", "", true},
	}
}

type read struct {
	Mode  imagev1.ImportModeType
	Error bool
}

func readOf(mode imagev1.ImportModeType, err error) read {
	if err != nil {
		mode = "" // what stands beside the error is of no account
	}
	return read{mode, err != nil}
}

func configureRows() (rows []row) {
	for _, c := range ConfigureCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasConfigure, Call: func(i Impl) outcome {
			in := openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: openshiftcontrolplanev1.ImportModeType(c.Value)}
			return outcome{Input: in, Want: read{c.Want, c.WantError}, Got: readOf(i.Configure(in))}
		}})
	}
	for _, c := range ConvertCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasConvert, Call: func(i Impl) outcome {
			return outcome{Input: c.Value, Want: read{c.Want, c.WantError}, Got: readOf(i.Convert(c.Value))}
		}})
	}
	return rows
}
