package importmode

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/internal/quote"
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
	Reason ObservationReason
}

// Observe returns the observed configuration for the status of the image config
// (image.config.openshift.io/cluster) by rules 13 to 18. Image and listErr are
// the two results of the lister, where a listErr that says "not found" is an
// image config that is missing. Existing is the configuration observed before, of
// which only the field's own path is read.
//
// If existing has another type at that path, the error is a [*ConfigTypeError]
// beside the zero Observation: nothing is to be written then. The two other
// errors, [*ListError] and [*UnknownModeError], stand beside an Observation that
// keeps the previous mode, so that a lister that is down for a moment rolls
// nothing out.
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
		Object: imageConfig, Field: statusField, Value: string(mode), Allowed: allowed(""), Consequence: observedKept,
	}
}

func observation(previous, mode string, reason ObservationReason) Observation {
	o := Observation{Config: map[string]any{}, Reason: reason}
	if mode != "" {
		o.Config[policyKey] = map[string]any{modeKey: mode}
	}
	if mode != previous {
		o.Changed = true
		o.Event = &Event{
			Reason: EventReason,
			Message: fmt.Sprintf("%s.%s changed from %s to %q, as the status of %s says; openshift-apiserver rolls out",
				policyKey, modeKey, quote.Quote(previous), mode, imageConfig),
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
		return "string " + quote.Quote(v)
	case bool:
		return fmt.Sprintf("boolean %t", v)
	case int64, float64:
		return fmt.Sprintf("number %v", v)
	}
	return fmt.Sprintf("%T", value)
}
