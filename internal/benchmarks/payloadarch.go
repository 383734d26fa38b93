package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

func payloadarchClaims() []claim {
	return []claim{
		{name: "release_metadata", limit: 1.3, setup: releaseMetadata(60)},
		{name: "release_metadata_short", setup: releaseMetadata(0)},
		// The architectures of 10,000 nodes that all claim another one, against those of
		// 1000.
		{name: "from_nodes_growth", limit: 12, setup: func() (ours, floor func() error, err error) {
			nodes := nodesOfManyNames(10_000)
			ours, floor = growth(len(nodes), func(from, to int) func() error {
				return func() error { return fromNodes(nodes[from:to]) }
			})
			return ours, floor, nil
		}},
	}
}

// releaseMetadata reads a document of the shape that release payloads have, with
// the given number of previous versions: 60 is what a z-stream of some age has.
// The floor decodes the same two fields and nothing else.
func releaseMetadata(previous int) func() (ours, floor func() error, err error) {
	return func() (ours, floor func() error, err error) {
		data := releaseMetadataDocument(previous)
		ours = func() error {
			v, err := payloadarch.FromReleaseMetadata(data)
			if err == nil && v.Kind != payloadarch.Multi {
				err = fmt.Errorf("kind is %v", v.Kind)
			}
			return err
		}
		floor = func() error {
			var doc struct {
				Kind     string `json:"kind"`
				Metadata struct {
					Architecture string `json:"release.openshift.io/architecture"`
				} `json:"metadata"`
			}
			if err := json.Unmarshal(data, &doc); err != nil {
				return err
			}
			if doc.Metadata.Architecture != "multi" {
				return fmt.Errorf("architecture is %q", doc.Metadata.Architecture)
			}
			return nil
		}
		return ours, floor, nil
	}
}

func releaseMetadataDocument(previous int) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"kind\": \"cincinnati-metadata-v0\",\n  \"version\": \"4.19.14\",\n  \"previous\": [")
	for i := range previous {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    \"4.%d.%d\"", 18+i%2, i/2)
	}
	b.WriteString("\n  ],\n  \"metadata\": {\n    \"description\": \"\",\n    \"release.openshift.io/architecture\": \"multi\"," +
		"\n    \"url\": \"https://access.redhat.com/errata/RHSA-2025:16113\"\n  }\n}\n")
	return []byte(b.String())
}

// nodesOfManyNames are n nodes in the order of a list from the API, of n
// architectures in no order.
func nodesOfManyNames(n int) []corev1.Node {
	nodes := make([]corev1.Node, n)
	for i, k := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		nodes[i].Name = fmt.Sprintf("node-%05d", i)
		nodes[i].Labels = map[string]string{
			corev1.LabelArchStable: fmt.Sprintf("arch%d", k), corev1.LabelOSStable: "linux", "node-role.kubernetes.io/worker": "",
		}
		nodes[i].Status.NodeInfo.Architecture = nodes[i].Labels[corev1.LabelArchStable]
	}
	return nodes
}

func fromNodes(nodes []corev1.Node) error {
	got := nodearch.FromNodes(nodes)
	if got.All.Len() != len(nodes) || len(got.Findings) != len(nodes) || got.Incomplete {
		return fmt.Errorf("%d architectures, %d findings, incomplete %t", got.All.Len(), len(got.Findings), got.Incomplete)
	}
	return nil
}
