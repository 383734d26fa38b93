package importmode_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/importmode/importmodetest"
)

type object = map[string]any

func observed(mode string) object {
	return object{"imagePolicyConfig": object{"imageStreamImportMode": mode}}
}

func imageConfig(status configv1.ImportModeType) *configv1.Image {
	return &configv1.Image{Status: configv1.ImageStatus{ImageStreamImportMode: status}}
}

// What stands beside the observed configuration: the reason, the event, and the
// types of the errors.
func TestObservation(t *testing.T) {
	for _, tt := range importmodetest.ObserveCases() {
		t.Run(tt.Rule+": "+tt.Name, func(t *testing.T) {
			got, err := importmode.Observe(tt.Image, tt.ListErr, tt.Existing)
			if got.Changed != tt.WantEvent || (got.Event != nil) != tt.WantEvent {
				t.Errorf("Changed = %t, Event = %v; want %t", got.Changed, got.Event, tt.WantEvent)
			}
			if got.Event != nil && (got.Event.Reason != "ImageStreamImportModeChanged" || got.Event.Message == "") {
				t.Errorf("event %+v", got.Event)
			}
			var unknown *importmode.UnknownModeError
			var list *importmode.ListError
			var wrong *importmode.ConfigTypeError
			var reason importmode.ObservationReason
			switch {
			case errors.As(err, &unknown):
				reason = importmode.ReasonPreviousKept
				if tt.Image == nil || unknown.Value != string(tt.Image.Status.ImageStreamImportMode) || unknown.Field != "status.imageStreamImportMode" {
					t.Errorf("%+v", unknown)
				}
			case errors.As(err, &list):
				reason = importmode.ReasonPreviousKept
				if !errors.Is(err, tt.ListErr) {
					t.Errorf("%v does not wrap %v", err, tt.ListErr)
				}
			case errors.As(err, &wrong):
				if wrong.Found == "" || wrong.Want == "" || !strings.HasPrefix(wrong.Field, "imagePolicyConfig") {
					t.Errorf("%+v does not say what was found where, and what is right", wrong)
				}
				if got.Config != nil {
					t.Errorf("%v beside the error", got.Config)
				}
			case err != nil:
				t.Errorf("untyped error %v", err)
			case tt.Image == nil:
				reason = importmode.ReasonImageConfigMissing
			case tt.Image.Status.ImageStreamImportMode == "":
				reason = importmode.ReasonStatusEmpty
			default:
				reason = importmode.ReasonObserved
			}
			if got.Reason != reason || (got.Config == nil) != (wrong != nil) {
				t.Errorf("reason %q, config %v; want %q", got.Reason, got.Config, reason)
			}
			if got, want := tt.Rule == "wrong-type-writes-nothing" && tt.WantError, wrong != nil; got != want {
				t.Errorf("%v is of another type", err)
			}
		})
	}
}

// An image config that is missing may come as no object and no error, too.
func TestObserveNoObject(t *testing.T) {
	got, err := importmode.Observe(nil, nil, observed("Legacy"))
	if err != nil || len(got.Config) != 0 || !got.Changed || got.Reason != importmode.ReasonImageConfigMissing {
		t.Errorf("%+v, %v", got, err)
	}
	// An object beside an error is of no account.
	got, err = importmode.Observe(imageConfig(configLegacy), errors.New("not synced"), observed("PreserveOriginal"))
	if diff := cmp.Diff(observed("PreserveOriginal"), got.Config); diff != "" || err == nil {
		t.Errorf("%v, %s", err, diff)
	}
	// NotFound beside an object, too: the object is of an older look.
	notFound := apierrors.NewNotFound(schema.GroupResource{Group: "config.openshift.io", Resource: "images"}, "cluster")
	got, err = importmode.Observe(imageConfig(configLegacy), notFound, observed("PreserveOriginal"))
	if err != nil || len(got.Config) != 0 || !got.Changed || got.Reason != importmode.ReasonImageConfigMissing {
		t.Errorf("13: not found, beside an object: %+v, %v", got, err)
	}
}

// An error about a type says in the words of JSON what was found.
func TestWhatWasFound(t *testing.T) {
	for _, tt := range []struct {
		policy any
		want   string
	}{
		{"Legacy", `string "Legacy"`},
		{[]any{"Legacy"}, "array"},
		{true, "boolean true"},
		{int64(7), "number 7"},
		{0.5, "number 0.5"},
		{uint8(7), "uint8"},
		{object{"imageStreamImportMode": object{}}, "object"},
		{object{"imageStreamImportMode": []any{}}, "array"},
	} {
		_, err := importmode.Observe(nil, nil, object{"imagePolicyConfig": tt.policy})
		var wrong *importmode.ConfigTypeError
		if !errors.As(err, &wrong) || wrong.Found != tt.want {
			t.Errorf("17: %v: %+v, want %s", tt.policy, wrong, tt.want)
		}
	}
}
