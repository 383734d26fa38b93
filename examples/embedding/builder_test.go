package embedding_test

import (
	"encoding/json"
	"fmt"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist"
)

// A builder that has made an image for each architecture and publishes one index.
func Example_builder() {
	amd64Manifest, amd64Config := built("amd64")
	arm64Manifest, arm64Config := built("arm64")
	result, err := manifestlist.Assemble([]manifestlist.Child{
		{Name: "amd64", Manifest: amd64Manifest, Config: amd64Config},
		{Name: "arm64", Manifest: arm64Manifest, Config: arm64Config},
	}, manifestlist.Options{
		Required: []ocispec.Platform{{OS: "linux", Architecture: "amd64"}, {OS: "linux", Architecture: "arm64"}},
	})
	if err != nil {
		fmt.Println(err) // everything that is wrong; nothing is published then
		return
	}
	push(result.Descriptor, result.Bytes)
	// Output:
	// application/vnd.oci.image.index.v1+json true true
}

// push stands for the client of a registry.
func push(d ocispec.Descriptor, content []byte) {
	fmt.Println(d.MediaType, d.Digest == digest.FromBytes(content), d.Size == int64(len(content)))
}

// built is an image of nothing.
func built(architecture string) (manifest, config []byte) {
	config = mustMarshal(ocispec.Image{
		Platform: ocispec.Platform{OS: "linux", Architecture: architecture}, RootFS: ocispec.RootFS{Type: "layers"},
	})
	return mustMarshal(ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest,
		Config: ocispec.Descriptor{MediaType: ocispec.MediaTypeImageConfig, Digest: digest.FromBytes(config), Size: int64(len(config))},
		Layers: []ocispec.Descriptor{},
	}), config
}

func mustMarshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// pullSpec is that of an image that is told from others by its name.
func pullSpec(repository, name string) string {
	return "quay.example.com/" + repository + "/os@" + digest.FromString(name).String()
}
