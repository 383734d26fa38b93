package importmode_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// An administrator asks what a migration to the multi payload does to the streams, and
// what it would cost to have them hold whole manifest lists.
func ExampleEffect() {
	tag := func(name string, mode imagev1.ImportModeType) imagev1.TagReference {
		return imagev1.TagReference{
			Name:            name,
			From:            &corev1.ObjectReference{Kind: "DockerImage", Name: "quay.example.com/team/app:" + name},
			ImportPolicy:    imagev1.TagImportPolicy{ImportMode: mode},
			ReferencePolicy: imagev1.TagReferencePolicy{Type: imagev1.LocalTagReferencePolicy},
		}
	}
	app := &imagev1.ImageStream{
		ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "app"},
		Spec:       imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{tag("v1", ""), tag("v2", imagev1.ImportModePreserveOriginal), tag("v3", imagev1.ImportModeLegacy)}},
		Status: imagev1.ImageStreamStatus{Tags: []imagev1.NamedTagEventList{
			{Tag: "v1", Items: []imagev1.TagEvent{{Image: "sha256:aaaa"}}},
		}},
	}
	// What the caller found in the registry for v1. It did not ask for the others.
	manifests := []importmode.Manifest{{
		Digest: "sha256:1111",
		Children: []importmode.Child{
			{Digest: "sha256:aaaa", Size: 80 << 20},
			{Digest: "sha256:bbbb", Size: 90 << 20},
		},
	}}

	effect := importmode.Effect{
		From:  imagev1.ImportModeLegacy,
		To:    imagev1.ImportModePreserveOriginal,
		Nodes: payloadarch.SetOf("amd64", "arm64"),
	}
	for _, t := range effect.Add(nil, app, manifests) {
		fmt.Println(t.Name, t.Reason, t.Mode, "changed:", t.Changed, "fix:", t.Fix, "reverse:", t.Reverse)
		if t.Fix != importmode.PatchNone && t.Content != importmode.ContentUnknown {
			fmt.Println(" ", string(t.JSONPatch(t.Fix)))
			fmt.Println("  adds", t.Objects, "images,", t.Bytes>>20, "MiB; layers gone:", t.LayersGone)
		}
	}
	growth := effect.Totals.ByFixes
	fmt.Println(effect.Totals.Changed, "change,", growth.Tags, "stay Legacy,", growth.Unknown, "of them unknown")
	// Output:
	// v1 ModeEmpty Legacy changed: false fix: PreserveOriginal reverse: Legacy
	//   [{"op":"test","path":"/spec/tags/0/name","value":"v1"},{"op":"add","path":"/spec/tags/0/importPolicy/importMode","value":"PreserveOriginal"}]
	//   adds 2 images, 90 MiB; layers gone: true
	// v2 ModeGiven PreserveOriginal changed: false fix: None reverse: Legacy
	// v3 ModeGiven Legacy changed: false fix: PreserveOriginal reverse: Legacy
	// 0 change, 2 stay Legacy, 1 of them unknown
}
