package importmode

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	configv1 "github.com/openshift/api/config/v1"
)

// Where the mode is found in the observed configuration, which has the shape of
// an OpenShiftAPIServerConfig.
const (
	policyKey = "imagePolicyConfig"
	modeKey   = "imageStreamImportMode"
)

const imageConfig = "image.config.openshift.io/cluster"

// EventReason is the reason of the Event of an Observation.
const EventReason = "ImageStreamImportModeChanged"

// Event is what the caller is to record, of type Normal.
type Event struct {
	Reason  string
	Message string
}

// Observation is the part of the observed configuration of openshift-apiserver
// that this package owns.
type Observation struct {
	// Config holds imagePolicyConfig.imageStreamImportMode and nothing else. It
	// is empty where there is no mode to observe: the field is left out, never
	// written as "". It is nil only in the zero Observation.
	Config map[string]any
	// Changed says that the mode differs from the one in the existing
	// configuration; an empty and a missing field are the same mode.
	Changed bool
	// Event is set if Changed is.
	Event  *Event
	Reason Reason
}

// Observe returns the observed configuration for the status of the image config
// (image.config.openshift.io/cluster). Image and listErr are the two results of
// the lister; existing is the configuration observed before, of which only the
// field's own path is read. The rules, of which the first that matches wins:
//
//  1. existing has another type at the field's path: a [*ConfigTypeError] and
//     the zero Observation. Nothing is to be written then.
//  2. listErr is set, and does not say "not found": a [*ListError], and the
//     previous mode is kept.
//  3. image is nil or listErr says "not found": the field is left out.
//  4. The status is empty: the field is left out.
//  5. The status names a mode: that mode.
//  6. The status holds another value: an [*UnknownModeError], and the previous
//     mode is kept.
//
// Rules 2 and 6 return an Observation beside the error, so that a lister that is
// down for a moment rolls nothing out.
func Observe(image *configv1.Image, listErr error, existing map[string]any) (Observation, error) {
	previous, err := observedMode(existing)
	if err != nil {
		return Observation{}, err
	}
	if listErr != nil && !apierrors.IsNotFound(listErr) {
		return observation(previous, previous, ReasonPreviousKept), &ListError{Err: listErr}
	}
	if listErr != nil || image == nil {
		return observation(previous, "", ReasonImageConfigMissing), nil
	}
	mode := image.Status.ImageStreamImportMode
	switch {
	case mode == "":
		return observation(previous, "", ReasonStatusEmpty), nil
	case known(mode):
		return observation(previous, string(mode), ReasonObserved), nil
	}
	return observation(previous, previous, ReasonPreviousKept), &UnknownModeError{
		Object:  imageConfig,
		Field:   statusField,
		Value:   string(mode),
		Allowed: allowed(""),
	}
}

func observation(previous, mode string, reason Reason) Observation {
	o := Observation{Config: map[string]any{}, Reason: reason}
	if mode != "" {
		o.Config[policyKey] = map[string]any{modeKey: mode}
	}
	if mode != previous {
		o.Changed = true
		o.Event = &Event{
			Reason:  EventReason,
			Message: fmt.Sprintf("%s.%s changed from %q to %q", policyKey, modeKey, previous, mode),
		}
	}
	return o
}

// observedMode reads the mode out of a configuration. A missing field and null
// are the empty mode; the value is not checked, since what is there may be older
// than the check.
func observedMode(config map[string]any) (string, error) {
	policy := config[policyKey]
	if policy == nil {
		return "", nil
	}
	fields, ok := policy.(map[string]any)
	if !ok {
		return "", &ConfigTypeError{Field: policyKey, Found: describe(policy), Want: "object"}
	}
	value := fields[modeKey]
	if value == nil {
		return "", nil
	}
	mode, ok := value.(string)
	if !ok {
		return "", &ConfigTypeError{Field: policyKey + "." + modeKey, Found: describe(value), Want: "string"}
	}
	return mode, nil
}

// describe names a JSON value without keeping hold of it. The text of an object
// or an array is left out: it can be large.
func describe(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return fmt.Sprintf("string %q", v)
	case bool:
		return fmt.Sprintf("boolean %t", v)
	case int64, float64:
		return fmt.Sprintf("number %v", v)
	}
	return fmt.Sprintf("%T", value)
}

// A ConfigTypeError says that an existing configuration has another type at a
// field's path than the API gives it.
type ConfigTypeError struct {
	Field string
	// Found is the JSON type that was met, with its value if that is a scalar.
	Found string
	// Want is the JSON type that would be right.
	Want string
}

func (e *ConfigTypeError) Error() string {
	return fmt.Sprintf("existing observed config: %s is of type %s, must be %s", e.Field, e.Found, e.Want)
}

// A ListError says that the image config could not be had.
type ListError struct {
	Err error
}

func (e *ListError) Error() string { return imageConfig + ": " + e.Err.Error() }

// Unwrap returns the error of the lister.
func (e *ListError) Unwrap() error { return e.Err }
