package importmode_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/importmode"
)

type object = map[string]any

func observed(mode string) object {
	return object{"imagePolicyConfig": object{"imageStreamImportMode": mode}}
}

func imageConfig(status configv1.ImportModeType) *configv1.Image {
	return &configv1.Image{Status: configv1.ImageStatus{ImageStreamImportMode: status}}
}

func TestObserve(t *testing.T) {
	notFound := apierrors.NewNotFound(schema.GroupResource{Group: "config.openshift.io", Resource: "images"}, "cluster")
	down := errors.New("not synced")
	type errorKind string
	const (
		none        errorKind = ""
		unknownMode errorKind = "UnknownModeError"
		listing     errorKind = "ListError"
		configType  errorKind = "ConfigTypeError"
	)
	for _, tt := range []struct {
		name     string
		image    *configv1.Image
		listErr  error
		existing object
		want     object
		changed  bool
		reason   importmode.ObservationReason
		err      errorKind
		field    string // that the error names
	}{{
		name: "13: image config missing", image: nil,
		want: object{}, reason: importmode.ReasonImageConfigMissing,
	}, {
		name: "13: image config missing by the lister's not found", image: nil, listErr: notFound,
		want: object{}, reason: importmode.ReasonImageConfigMissing,
	}, {
		name: "13,18: image config gone, the field goes", listErr: notFound, existing: observed("Legacy"),
		want: object{}, changed: true, reason: importmode.ReasonImageConfigMissing,
	}, {
		name: "13: status empty", image: imageConfig(""),
		want: object{}, reason: importmode.ReasonStatusEmpty,
	}, {
		name: "13,18: status emptied, the field goes", image: imageConfig(""), existing: observed("PreserveOriginal"),
		want: object{}, changed: true, reason: importmode.ReasonStatusEmpty,
	}, {
		name: "13: a field that is there but empty is no mode either", image: imageConfig(""), existing: observed(""),
		want: object{}, reason: importmode.ReasonStatusEmpty,
	}, {
		name: "14,18: first Legacy", image: imageConfig(configLegacy),
		want: observed("Legacy"), changed: true, reason: importmode.ReasonObserved,
	}, {
		name: "14,18: the same again, no event", image: imageConfig(configPreserve), existing: observed("PreserveOriginal"),
		want: observed("PreserveOriginal"), reason: importmode.ReasonObserved,
	}, {
		name: "14,18: Legacy to PreserveOriginal", image: imageConfig(configPreserve), existing: observed("Legacy"),
		want: observed("PreserveOriginal"), changed: true, reason: importmode.ReasonObserved,
	}, {
		name: "14: an unknown value from before is replaced", image: imageConfig(configLegacy), existing: observed("Whole"),
		want: observed("Legacy"), changed: true, reason: importmode.ReasonObserved,
	}, {
		name: "14: only its own path is returned", image: imageConfig(configLegacy),
		existing: object{
			"imagePolicyConfig": object{"imageStreamImportMode": "Legacy", "internalRegistryHostname": "registry.svc"},
			"routingConfig":     object{"subdomain": "apps.example.com"},
		},
		want: observed("Legacy"), reason: importmode.ReasonObserved,
	}, {
		name: "17: null counts as missing", image: imageConfig(""), existing: object{"imagePolicyConfig": object{"imageStreamImportMode": nil}},
		want: object{}, reason: importmode.ReasonStatusEmpty,
	}, {
		name: "17: null policy counts as missing", image: imageConfig(""), existing: object{"imagePolicyConfig": nil},
		want: object{}, reason: importmode.ReasonStatusEmpty,
	}, {
		name: "15,18: lister error keeps the previous mode, no event", listErr: down, existing: observed("PreserveOriginal"),
		want: observed("PreserveOriginal"), reason: importmode.ReasonPreviousKept, err: listing,
	}, {
		name: "15: lister error keeps a missing field missing", listErr: down,
		want: object{}, reason: importmode.ReasonPreviousKept, err: listing,
	}, {
		name: "15: lister error wins over an object beside it", image: imageConfig(configLegacy), listErr: down, existing: observed("PreserveOriginal"),
		want: observed("PreserveOriginal"), reason: importmode.ReasonPreviousKept, err: listing,
	}, {
		name: "16,18: unknown value keeps the previous mode, no event", image: imageConfig("Whole"), existing: observed("PreserveOriginal"),
		want: observed("PreserveOriginal"), reason: importmode.ReasonPreviousKept, err: unknownMode, field: "status.imageStreamImportMode",
	}, {
		name: "16: unknown value on nothing", image: imageConfig("Whole"),
		want: object{}, reason: importmode.ReasonPreviousKept, err: unknownMode, field: "status.imageStreamImportMode",
	}, {
		name: "17: policy is a string", image: imageConfig(configLegacy), existing: object{"imagePolicyConfig": "Legacy"},
		err: configType, field: "imagePolicyConfig",
	}, {
		name: "17: policy is an array", image: imageConfig(configLegacy), existing: object{"imagePolicyConfig": []any{}},
		err: configType, field: "imagePolicyConfig",
	}, {
		name: "17: mode is a number", image: imageConfig(configLegacy), existing: object{"imagePolicyConfig": object{"imageStreamImportMode": int64(1)}},
		err: configType, field: "imagePolicyConfig.imageStreamImportMode",
	}, {
		name: "17: mode is an object", image: imageConfig(configLegacy), existing: object{"imagePolicyConfig": object{"imageStreamImportMode": object{}}},
		err: configType, field: "imagePolicyConfig.imageStreamImportMode",
	}, {
		name: "17: wrong type wins over a lister error", listErr: down, existing: object{"imagePolicyConfig": true},
		err: configType, field: "imagePolicyConfig",
	}} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := importmode.Observe(tt.image, tt.listErr, tt.existing)
			if diff := cmp.Diff(tt.want, got.Config); diff != "" {
				t.Errorf("config (-want +got):\n%s", diff)
			}
			if got.Changed != tt.changed || got.Reason != tt.reason {
				t.Errorf("Changed, Reason = %t, %q; want %t, %q", got.Changed, got.Reason, tt.changed, tt.reason)
			}
			if (got.Event != nil) != tt.changed {
				t.Errorf("event %v, changed %t", got.Event, tt.changed)
			}
			if got.Event != nil && (got.Event.Reason != "ImageStreamImportModeChanged" || got.Event.Message == "") {
				t.Errorf("event %+v", got.Event)
			}
			kind, at := none, ""
			var unknown *importmode.UnknownModeError
			var list *importmode.ListError
			var wrong *importmode.ConfigTypeError
			switch {
			case errors.As(err, &unknown):
				kind, at = unknownMode, unknown.Field
			case errors.As(err, &list):
				kind = listing
				if !errors.Is(err, tt.listErr) {
					t.Errorf("%v does not wrap %v", err, tt.listErr)
				}
			case errors.As(err, &wrong):
				kind, at = configType, wrong.Field
				if wrong.Found == "" || wrong.Want == "" {
					t.Errorf("%+v does not say what was found and what is right", wrong)
				}
			case err != nil:
				t.Errorf("untyped error %v", err)
			}
			if kind != tt.err || at != tt.field {
				t.Errorf("error %v: %q at %q, want %q at %q", err, kind, at, tt.err, tt.field)
			}
		})
	}
}
