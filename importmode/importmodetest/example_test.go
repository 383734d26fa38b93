package importmodetest_test

import (
	"fmt"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode/importmodetest"
)

// A server that fills in the cluster's mode in decoding, as part of each request, is
// played a history: a manifest, a flip of the cluster's mode, the manifest again.
func ExampleHistory_Play() {
	inDecoding := func(request *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStream {
		stored := request.DeepCopy()
		for i := range stored.Spec.Tags {
			if mode := &stored.Spec.Tags[i].ImportPolicy.ImportMode; *mode == "" {
				*mode = cluster
			}
		}
		return stored
	}
	server := func() importmodetest.Impl {
		return importmodetest.Impl{
			CreateStream: inDecoding,
			UpdateStream: func(request, _ *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStream {
				return inDecoding(request, cluster)
			},
		}
	}
	manifest := importmodetest.StreamOf(importmodetest.Tag("v1", ""))
	history := importmodetest.History{
		Cluster: imagev1.ImportModeLegacy,
		Steps: []importmodetest.Step{
			{Verb: importmodetest.VerbPut, Stream: manifest},
			{Verb: importmodetest.VerbFlip, Mode: imagev1.ImportModePreserveOriginal},
			{Verb: importmodetest.VerbRestart},
			{Verb: importmodetest.VerbAgain},
		},
	}
	for _, c := range history.Play(server) {
		fmt.Printf("step %d: tag %s was %s and is %s\n", c.Step, c.Tag, c.Was, c.Is)
	}
	fmt.Println("of the oracle:", history.Play(importmodetest.Oracle))
	// Output:
	// step 3: tag v1 was Legacy and is PreserveOriginal
	// of the oracle: []
}
