package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/polyarch/polyarch/payloadarch"
)

func payloadarchClaims() []claim {
	return []claim{
		{name: "release_metadata", limit: 1.3, setup: releaseMetadata(60)},
		{name: "release_metadata_short", setup: releaseMetadata(0)},
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
