// Package ours puts package importmode into the form that its test package takes. It
// is for tests.
package ours

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/importmode/importmodetest"
	"github.com/polyarch/polyarch/payloadarch"
)

// Impl returns the functions of package importmode.
func Impl() importmodetest.Impl {
	return importmodetest.Impl{
		Decide: func(spec, current configv1.ImportModeType, payload importmodetest.Payload) (configv1.ImportModeType, error) {
			d := importmode.Decide(importmode.Input{Spec: spec, Current: current, Payload: verdict(payload)})
			return d.Mode, d.Problems.ToAggregate()
		},
		Suggest: func(spec configv1.ImportModeType, payload importmodetest.Payload, nodes []string, complete bool) bool {
			d := importmode.Decide(importmode.Input{Spec: spec, Payload: verdict(payload), Nodes: payloadarch.SetOf(nodes...), NodesIncomplete: !complete})
			return len(d.Findings) == 1 && d.Findings[0].Code == importmode.FindingHomogeneousNodes
		},
		Condition: func(existing []configv1.ClusterOperatorStatusCondition, spec configv1.ImportModeType, now metav1.Time) []configv1.ClusterOperatorStatusCondition {
			all, _ := importmode.ClusterOperatorConditions(existing, configv1.EvaluationConditionsDetected, importmode.Evaluate(spec), now)
			return all
		},
		Observe: func(image *configv1.Image, listErr error, existing map[string]any) (map[string]any, bool, error) {
			o, err := importmode.Observe(image, listErr, existing)
			return o.Config, o.Event != nil, err
		},
		Configure:             importmode.Configure,
		Convert:               importmode.Convert[imagev1.ImportModeType, string],
		DefaultTag:            defaultTag(importmode.Options{}),
		DefaultTagOfOldClient: defaultTag(importmode.Options{IgnoreLegacy: true}),
		ModeChanged:           importmode.ModeChanged,
		ReadStream: func(stored *imagev1.ImageStream, _ imagev1.ImportModeType) *imagev1.ImageStream {
			return stored // nothing is defaulted in decoding
		},
		CreateStream: func(request *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStream {
			return update(request, nil, cluster)
		},
		UpdateStream: update,
		PutTag: func(request *imagev1.ImageStreamTag, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStreamTag {
			d := importmode.DefaultImageStreamTag(request, stored, cluster, importmode.Options{})
			result := request.DeepCopy()
			if d.Reason != importmode.ReasonNoSpecTag {
				result.Tag.ImportPolicy.ImportMode = d.Store
			}
			return result
		},
		ImportImages: func(request *imagev1.ImageStreamImport, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) []importmodetest.Imported {
			return imported(importmode.DefaultImageStreamImport(nil, request, stored, cluster, importmode.Options{}))
		},
		ImportRepository: func(request *imagev1.ImageStreamImport, tags []string, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) []importmodetest.Imported {
			return imported(importmode.DefaultRepositoryImport(nil, request, tags, stored, cluster, importmode.Options{}))
		},
		ValidateStream: func(request, stored *imagev1.ImageStream) field.ErrorList {
			if stored == nil {
				return importmode.ValidateImageStream(request, nil)
			}
			return importmode.ValidateImageStreamUpdate(request, stored, nil)
		},
		ValidateTag: func(request, stored *imagev1.ImageStreamTag) field.ErrorList {
			if stored == nil {
				return importmode.ValidateImageStreamTag(request, nil)
			}
			return importmode.ValidateImageStreamTagUpdate(request, stored, nil)
		},
		ValidateImport: func(request *imagev1.ImageStreamImport) field.ErrorList {
			return importmode.ValidateImageStreamImport(request, nil)
		},
		Managed: managed,
	}
}

func verdict(p importmodetest.Payload) payloadarch.Verdict {
	switch p {
	case importmodetest.PayloadSingle:
		return payloadarch.Verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonSettled}
	case importmodetest.PayloadInstalling:
		return payloadarch.Verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonInstalling}
	case importmodetest.PayloadMulti:
		return payloadarch.Verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported}
	}
	return payloadarch.Verdict{}
}

func defaultTag(opts importmode.Options) func(given, stored imagev1.ImportModeType, isStored bool, cluster imagev1.ImportModeType) (store, importBy imagev1.ImportModeType) {
	return func(given, stored imagev1.ImportModeType, isStored bool, cluster imagev1.ImportModeType) (store, importBy imagev1.ImportModeType) {
		d := importmode.DefaultTag(given, stored, isStored, cluster, opts)
		return d.Store, d.Import
	}
}

func update(request, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStream {
	result := request.DeepCopy()
	write(result, importmode.DefaultImageStream(nil, request, stored, cluster, importmode.Options{}))
	return result
}

// managed writes the tags of the manifest, and leaves those of others alone.
func managed(manifest, existing *imagev1.ImageStream) *imagev1.ImageStream {
	result := manifest.DeepCopy()
	write(result, importmode.DefaultManagedImageStream(nil, manifest, existing))
	return result
}

func write(stream *imagev1.ImageStream, decisions []importmode.DecidedTag) {
	for i, d := range decisions {
		stream.Spec.Tags[i].ImportPolicy.ImportMode = d.Store
	}
}

func imported(decisions []importmode.DecidedTag) (all []importmodetest.Imported) {
	for _, d := range decisions {
		all = append(all, importmodetest.Imported{Tag: d.Name, Store: d.Store, Import: d.Import})
	}
	return all
}
