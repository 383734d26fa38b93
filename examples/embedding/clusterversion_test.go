package embedding_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// EnsureImagestreamv1 stands for the function of that name in
// cluster-version-operator, lib/resourcemerge.
func EnsureImagestreamv1(modified *bool, existing *imagev1.ImageStream, required imagev1.ImageStream) {
	for _, required := range required.Spec.Tags {
		existingCurr := tagNamed(existing.Spec.Tags, required.Name)
		var stored imagev1.ImportModeType
		if existingCurr != nil {
			stored = existingCurr.ImportPolicy.ImportMode
		}
		required.ImportPolicy.ImportMode = importmode.DefaultManagedTag(
			required.ImportPolicy.ImportMode, stored, existingCurr != nil).Store
		if existingCurr == nil {
			*modified = true
			existing.Spec.Tags = append(existing.Spec.Tags, *required.DeepCopy())
			continue
		}
		if !equality.Semantic.DeepEqual(existingCurr.ImportPolicy, required.ImportPolicy) {
			*modified = true
			existingCurr.ImportPolicy = required.ImportPolicy
		}
	}
}

func tagNamed(tags []imagev1.TagReference, name string) *imagev1.TagReference {
	for i := range tags {
		if tags[i].Name == name {
			return &tags[i]
		}
	}
	return nil
}

// A sync of an image stream out of the payload whose manifest names no mode. A
// second sync has nothing left to do, and a tag that is appended needs no second.
func Example_clusterVersionOperator() {
	manifest := imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
		{Name: "latest"}, {Name: "v2"}, {Name: "pinned", ImportPolicy: imagev1.TagImportPolicy{ImportMode: imagev1.ImportModeLegacy}},
	}}}
	existing := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{
		{Name: "latest", ImportPolicy: imagev1.TagImportPolicy{ImportMode: imagev1.ImportModeLegacy}},
	}}}
	for range 2 {
		var modified bool
		EnsureImagestreamv1(&modified, existing, manifest)
		fmt.Println("write:", modified)
	}
	for _, tag := range existing.Spec.Tags {
		fmt.Println(tag.Name, tag.ImportPolicy.ImportMode)
	}
	// Output:
	// write: true
	// write: false
	// latest PreserveOriginal
	// v2 PreserveOriginal
	// pinned Legacy
}

// ParseMetadata stands for the function of that name in cluster-version-operator,
// pkg/cincinnati: metadata is what the release and the update service say alike.
func ParseMetadata(metadata map[string]any) (configv1.Release, error) {
	var release configv1.Release
	value, present := metadata["release.openshift.io/architecture"]
	verdict := payloadarch.FromReleaseArchitecture(value, present)
	release.Architecture = payloadarch.ReportedArchitecture(verdict.Kind)
	return release, verdict.Problems.ToAggregate()
}

// The architecture in the metadata of a release, which only one spelling makes
// Multi.
func Example_clusterVersionOperatorMetadata() {
	for _, metadata := range []map[string]any{
		{"release.openshift.io/architecture": "multi"}, {}, {"release.openshift.io/architecture": "Multi"},
	} {
		release, err := ParseMetadata(metadata)
		fmt.Printf("%q error: %t\n", release.Architecture, err != nil)
	}
	// Output:
	// "Multi" error: false
	// "" error: false
	// "" error: true
}
