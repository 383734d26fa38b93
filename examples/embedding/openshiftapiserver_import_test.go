package embedding_test

import (
	"fmt"

	"github.com/distribution/distribution/v3/manifest/manifestlist"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	polyarchmanifestlist "github.com/polyarch/polyarch/manifestlist"
)

// ImageStreamImporter stands for the importer of that name.
type ImageStreamImporter struct {
	// modeOf decides each tag of the stream that is imported into: the importer
	// lists the tags of a repository itself, so it has to ask one by one.
	modeOf func(tag string, given ImportModeType) importmode.TagDecision
	// host is the platform of the process, for lists without a preference.
	host ocispec.Platform
}

// NewImageStreamImporter is given the stream that is stored, nil if there is none.
func NewImageStreamImporter(stream *ImageStream, cluster imagev1.ImportModeType, opts importmode.Options) *ImageStreamImporter {
	return &ImageStreamImporter{
		modeOf: func(tag string, given ImportModeType) importmode.TagDecision {
			var stored TagReference
			isStored := false
			if stream != nil {
				stored, isStored = stream.Spec.Tags[tag]
			}
			return importmode.DefaultTag(imagev1.ImportModeType(given), imagev1.ImportModeType(stored.ImportPolicy.ImportMode), isStored, cluster, opts)
		},
		host: ocispec.Platform{OS: "linux", Architecture: "amd64"},
	}
}

// manifestFromManifestList stands for the function of that name: what mode Legacy
// takes out of a manifest list.
func (imp *ImageStreamImporter) manifestFromManifestList(list *manifestlist.DeserializedManifestList, preferArch, preferOS string) (digest.Digest, error) {
	var index ocispec.Index
	for _, m := range list.Manifests {
		index.Manifests = append(index.Manifests, ocispec.Descriptor{
			MediaType: m.MediaType, Digest: m.Digest, Size: m.Size,
			Platform: &ocispec.Platform{OS: m.Platform.OS, Architecture: m.Platform.Architecture, Variant: m.Platform.Variant},
		})
	}
	choice, err := polyarchmanifestlist.Select(index, ocispec.Platform{OS: preferOS, Architecture: preferArch}, polyarchmanifestlist.SelectOptions{
		Policy: polyarchmanifestlist.OpenShiftLegacy,
		Host:   imp.host,
	})
	return choice.Digest, err
}

// An import of a repository whose tags the registry lists: a tag that the stream
// has keeps its mode, a new one gets the cluster's. Legacy out of the client that
// always sends it can be taken as omitted.
func Example_openshiftAPIServerImport() {
	stored := imageStream(map[string]ImportModeType{"v1": "Legacy", "old": ""})
	for _, opts := range []importmode.Options{{}, {IgnoreLegacy: true}} {
		importer := NewImageStreamImporter(stored, imagev1.ImportModePreserveOriginal, opts)
		for _, tag := range []string{"old", "v1", "v2"} {
			decision := importer.modeOf(tag, "Legacy")
			fmt.Printf("%s: import by %s, store %q: %s\n", tag, decision.Import, decision.Store, decision.Reason)
		}
	}

	list := &manifestlist.DeserializedManifestList{}
	for i, architecture := range []string{"s390x", "arm64"} {
		list.Manifests = append(list.Manifests, manifestlist.ManifestDescriptor{
			Platform: manifestlist.PlatformSpec{OS: "linux", Architecture: architecture},
		})
		list.Manifests[i].Digest = digest.FromString(architecture)
	}
	importer := NewImageStreamImporter(nil, imagev1.ImportModePreserveOriginal, importmode.Options{})
	chosen, err := importer.manifestFromManifestList(list, "arm64", "")
	fmt.Println(chosen == digest.FromString("arm64"), err)
	// Output:
	// old: import by Legacy, store "Legacy": Given
	// v1: import by Legacy, store "Legacy": Given
	// v2: import by Legacy, store "Legacy": Given
	// old: import by Legacy, store "": StoredEmpty
	// v1: import by Legacy, store "Legacy": Stored
	// v2: import by PreserveOriginal, store "PreserveOriginal": ClusterMode
	// true <nil>
}
