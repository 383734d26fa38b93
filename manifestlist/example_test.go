package manifestlist_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist"
)

// built stands for what a build of one architecture reports.
func built(architecture, content string) manifestlist.Child {
	return manifestlist.Child{Descriptor: ocispec.Descriptor{
		MediaType: ocispec.MediaTypeImageManifest,
		Digest:    digest.FromString(content),
		Size:      int64(len(content)),
		Platform:  &ocispec.Platform{OS: "linux", Architecture: architecture},
	}}
}

func linux(architecture string) ocispec.Platform {
	return ocispec.Platform{OS: "linux", Architecture: architecture}
}

func ExampleAssemble() {
	result, err := manifestlist.Assemble([]manifestlist.Child{built("s390x", "one"), built("amd64", "two")}, manifestlist.Options{
		Required: []ocispec.Platform{linux("amd64"), linux("s390x")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Descriptor.MediaType, result.Descriptor.Size)
	fmt.Println(result.Descriptor.Digest)
	// Output:
	// application/vnd.oci.image.index.v1+json 487
	// sha256:0f4712fc7995c17abae90b9cb8763cee345782479be0e9299f4a0267c34981f8
}

// A manifest and its config are all that is needed: digest, size, media type and
// platform are read from them.
func ExampleAssemble_bytes() {
	config := []byte(`{"architecture":"arm64","os":"linux","variant":"v8","rootfs":{"type":"layers","diff_ids":[]}}`)
	manifest := fmt.Appendf(nil, `{"schemaVersion":2,"mediaType":%q,"config":{"mediaType":%q,"digest":%q,"size":%d},"layers":[]}`,
		ocispec.MediaTypeImageManifest, ocispec.MediaTypeImageConfig, digest.FromBytes(config), len(config))
	result, err := manifestlist.Assemble([]manifestlist.Child{{Manifest: manifest, Config: config}}, manifestlist.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", result.Bytes)
	// Output:
	// {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:6c68fe0d58751c89b8ee58f673669eb88aed83a68644162153aacfaaac28016a","size":247,"platform":{"architecture":"arm64","os":"linux","variant":"v8"}}]}
}

// An architecture that did not build is an error, not an index without it.
func ExampleAssemble_missing() {
	arm := built("aarch64", "three")
	arm.Name = "arm64.tar" // what errors are to call it
	_, err := manifestlist.Assemble([]manifestlist.Child{built("amd64", "two"), arm}, manifestlist.Options{
		Required: []ocispec.Platform{linux("amd64"), linux("arm64")},
	})
	var all manifestlist.IndexErrors
	if errors.As(err, &all) {
		for _, e := range all {
			if e.Child != nil {
				fmt.Print("child ", e.Child.Position, ": ")
			}
			fmt.Println(e)
		}
	}
	// Output:
	// child 1: children[arm64.tar].platform.architecture: InvalidPlatform "aarch64": want arm64
	// options.required[1]: MissingPlatform "linux/arm64": want a child for it; there is linux/aarch64, linux/amd64
}

// One image needs no index, but the same checks.
func ExampleDescribe() {
	image, _, err := manifestlist.Describe(built("arm64", "two"), manifestlist.Options{Required: []ocispec.Platform{linux("arm64")}})
	fmt.Println(image.MediaType, image.Platform.Architecture, err)
	_, _, err = manifestlist.Describe(built("arm64", "two"), manifestlist.Options{Required: []ocispec.Platform{linux("amd64")}})
	fmt.Println(err)
	// Output:
	// application/vnd.oci.image.manifest.v1+json arm64 <nil>
	// options.required[0]: MissingPlatform "linux/amd64": want a child for it; there is linux/arm64
}

func ExampleUpdate() {
	first, err := manifestlist.Assemble([]manifestlist.Child{built("amd64", "one"), built("arm64", "two")}, manifestlist.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	index, err := manifestlist.Parse(first.Bytes)
	if err != nil {
		fmt.Println(err)
		return
	}
	second, err := manifestlist.Update(index, []manifestlist.Child{built("arm64", "three")}, manifestlist.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range second.Findings {
		fmt.Println(f)
	}
	fmt.Println(second.Descriptor.Digest != first.Descriptor.Digest)
	// Output:
	// manifests[1]: replaced by children[0]
	// true
}

// An architecture that is no longer built leaves the index, and its attestations
// with it.
func ExampleUpdate_remove() {
	first, err := manifestlist.Assemble([]manifestlist.Child{built("amd64", "one"), built("s390x", "two")}, manifestlist.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	index, err := manifestlist.Parse(first.Bytes)
	if err != nil {
		fmt.Println(err)
		return
	}
	second, err := manifestlist.Update(index, nil, manifestlist.Options{Remove: []ocispec.Platform{linux("s390x")}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range second.Findings {
		fmt.Println(f)
	}
	_, err = manifestlist.Update(index, nil, manifestlist.Options{Remove: []ocispec.Platform{linux("arm64")}})
	fmt.Println(err)
	// Output:
	// manifests[1]: options.remove[0] removes linux/s390x
	// options.remove[0]: MissingPlatform "linux/arm64": want an entry for it; there is linux/amd64, linux/s390x
}

func ExampleIsAttestation() {
	image := built("amd64", "one").Descriptor
	attestation := built("amd64", "what was built, and how").Descriptor
	attestation.Platform = &ocispec.Platform{OS: "unknown", Architecture: "unknown"}
	fmt.Println(manifestlist.IsAttestation(image), manifestlist.IsAttestation(attestation))
	// Output:
	// false true
}

func ExampleParse() {
	index, err := manifestlist.Parse([]byte(`{
		"schemaVersion": 2,
		"manifests": [{"mediaType": "application/vnd.oci.image.manifest.v1+json", "size": 7, "digest": "sha256:0", "com.example.signed": true}]
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(index.Manifests), index.Manifests[0].Platform)
	fmt.Printf("%s\n", index.Append(nil))
	// Output:
	// 1 <nil>
	// {"schemaVersion":2,"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:0","size":7,"com.example.signed":true}]}
}

// Registries and clients take 4 MiB; an index that was allowed to be larger is read
// with the same limit.
func ExampleParseLimit() {
	large, err := manifestlist.Assemble([]manifestlist.Child{built("amd64", "one")}, manifestlist.Options{
		Annotations: map[string]string{"com.example.report": strings.Repeat("x", manifestlist.MaxSize)},
		SizeLimit:   8 << 20,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = manifestlist.Parse(large.Bytes)
	fmt.Println(err)
	index, err := manifestlist.ParseLimit(large.Bytes, 8<<20)
	fmt.Println(len(index.Manifests), err)
	// Output:
	// TooLarge "4194631": want at most 4194304 bytes
	// 1 <nil>
}

func ExampleIndex_Children() {
	index, err := manifestlist.Parse([]byte(`{"schemaVersion":2,"mediaType":"application/vnd.docker.distribution.manifest.list.v2+json","manifests":[]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := manifestlist.Assemble(append(index.Children(), built("amd64", "one")), manifestlist.Options{})
	fmt.Println(result.Descriptor.MediaType, err)
	// Output:
	// application/vnd.oci.image.index.v1+json <nil>
}

func ExampleIndex_Append() {
	index, err := manifestlist.Parse([]byte(`{"x": [1, 2], "manifests": [ ], "mediaType": "application/vnd.oci.image.index.v1+json", "schemaVersion": 2}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", index.Append(nil))
	// Output:
	// {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[],"x":[1,2]}
}

func ExampleSelect() {
	index := ocispec.Index{Manifests: []ocispec.Descriptor{built("amd64", "one").Descriptor, built("arm64", "two").Descriptor}}
	wanted := linux("s390x")
	for _, policy := range []manifestlist.Policy{manifestlist.OpenShiftLegacy, manifestlist.Strict} {
		choice, err := manifestlist.Select(index, wanted, manifestlist.SelectOptions{Policy: policy})
		var none *manifestlist.NoMatchError
		switch {
		case errors.As(err, &none):
			fmt.Println(policy, "chooses nothing out of", len(none.Have))
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println(policy, "chooses", index.Manifests[choice.Position].Platform.Architecture, choice.Reason)
		}
	}
	// Output:
	// OpenShiftLegacy chooses amd64 FallbackLinuxAMD64
	// Strict chooses nothing out of 2
}
