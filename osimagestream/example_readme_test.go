package osimagestream_test

import (
	"fmt"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream"
)

// The README shows the middle part of this Example, word for word.

func Example_machineConfigOperator() {
	payload, err := osimagestream.ParseImageReferences(imageReferences())
	if err != nil {
		fmt.Println(err)
	}
	sources := osimagestream.Sources{Payload: payload, AssumeStream: "centos-11"}
	release := osimagestream.Release{Version: "2", Image: digest("f")}
	stored := singletonOf(stream("centos-10", "1"))

	singleton := osimagestream.Plan(osimagestream.Cluster{
		Flavor:  osimagestream.OKD,
		Streams: osimagestream.Discover(sources).Streams,
		Stored:  stored,
		Release: release,
	})
	for _, step := range singleton.Steps {
		stored = send(step.Verb, step.On(stored)) // the CRD takes each step in this order
	}

	fmt.Println(stored.Spec.DefaultStream, stored.Status.DefaultStream)
	// Output:
	// UpdateStatus
	// Update
	// centos-11 centos-11
}

// send stands for a client: it returns what the API server answers.
func send(verb osimagestream.Verb, o *mcfgv1.OSImageStream) *mcfgv1.OSImageStream {
	fmt.Println(verb)
	return o
}
