package buildplan_test

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// The README shows the middle part of this Example, word for word.

func Example_machineConfigOperator() {
	facts := exampleFacts()

	build, err := buildplan.Plan(facts)
	if err != nil {
		panic(err) // the config or the rendered config is missing
	}
	for _, image := range append(build.Images, build.Publish) {
		if image.State == buildplan.StateRun { // others are reused, copied, or waited for
			createJob(build.JobMeta(image), image.NodeSelector(), image.BuildArgs(), image.Containerfile)
		}
	}

	// Output:
	// …-amd64 map[kubernetes.io/arch:amd64 kubernetes.io/os:linux] map[TARGETARCH:amd64] RUN dnf install -y tree
	// …-arm64 map[kubernetes.io/arch:arm64 kubernetes.io/os:linux] map[TARGETARCH:arm64] RUN dnf install -y tree edac-utils
}

// createJob stands for a client.
func createJob(meta metav1.ObjectMeta, nodes, args map[string]string, containerfile string) {
	fmt.Println("…"+meta.Name[strings.LastIndex(meta.Name, "-"):], nodes, args, containerfile[strings.LastIndex(containerfile, "\n")+1:])
}
