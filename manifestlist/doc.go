// Package manifestlist assembles per-architecture images into an OCI image index
// or Docker manifest list, reads and updates one, and chooses out of one.
//
// In the place of docker manifest create, or of
// mutate.AppendManifests(empty.Index, …) with RawManifest and Digest:
//
//	amd64 := manifestlist.Child{Manifest: amd64Manifest, Config: amd64Config}
//	arm64 := manifestlist.Child{Manifest: arm64Manifest, Config: arm64Config}
//	result, err := manifestlist.Assemble([]manifestlist.Child{amd64, arm64}, manifestlist.Options{
//		Required: []ocispec.Platform{{OS: "linux", Architecture: "amd64"}, {OS: "linux", Architecture: "arm64"}},
//	})
//
// Then push result.Bytes as result.Descriptor says. A child may be a descriptor
// alone, when that is all there is.
//
// The index is the same whatever the order of the children, it says of each child
// what its bytes say, it holds one image for each platform and every platform
// that was asked for; or there is no index and the error says everything that is
// wrong. Where one image needs no index, [Describe] checks it and describes it.
//
// # Assemble
//
//	A1   Digest and size are computed from the manifest's bytes, and must be those
//	     of the descriptor if it has them; so must the media type. The config must
//	     be the one that the manifest names.
//	A2   The platform comes from the config, field by field; the descriptor fills
//	     in what the config leaves out. They must not contradict each other. The
//	     artifactType is the manifest's own declaration or absent; a config media
//	     type does not pass for one.
//	A3   Media types are type/subtype, digests are well-formed sha256, sha384 or
//	     sha512, sizes at least 1, embedded data has the digest and size said.
//	A4   An image has a platform, spelled as GOOS and GOARCH are, with a variant
//	     such as v8: aliases (x86_64, aarch64, armhf, arm64/8) are refused, since
//	     most readers compare strings. Names that Go does not know are findings.
//	     What is no image (an artifact) needs none.
//	A5   An index among the children is refused, or flattened one level deep.
//	A6   One child for each platform: os, architecture, variant, os.version and the
//	     set of os.features. arm64 is arm64/v8, arm is arm/v7, amd64 is amd64/v1;
//	     written as the child says. More are refused; or the last given stands; or
//	     the same descriptor given again counts once. What has no platform is told
//	     apart by its digest.
//	A7   Attestations (BuildKit's annotation, or platform unknown/unknown) are
//	     dropped, which is a finding; or kept, if they refer to an image of this
//	     index. An attestation of a child that was replaced goes with it.
//	A8   A required platform that policy Strict would not find is an error.
//	A9   A Docker manifest list holds Docker images with a platform and nothing
//	     that it has no field for: no annotations, subject, artifactType, data or
//	     urls. An OCI index may hold any media type.
//	A10  Order: os, architecture, baseline variant, other variants, os.version,
//	     os.features, digest; then what has no platform; attestations last.
//	     Readers that take the first entry, or a missing platform for
//	     linux/amd64, so meet an image first.
//	A11  Neither a manifest nor the index is larger than 4 MiB, unless the limit
//	     is set.
//	A12  The bytes are those that encoding/json writes for an [ocispec.Index] with
//	     mediaType always set and [] for no manifests; members that image-spec
//	     does not name, of a parsed descriptor, follow the others.
//
// # Describe
//
//	D1   The descriptor is the one that Assemble would write for the child alone,
//	     by A1 to A4, A8, A9 and A11. Only the options Format, Required and
//	     SizeLimit count.
//	D2   An index is refused, whatever option Nested says.
//	D3   An attestation is described like any other manifest.
//
// # Update
//
//	U1   A new child takes the place of the entry for its platform (A6), or joins
//	     the others; among themselves the new ones are held to A1 to A9.
//	U2   Other entries keep their bytes, but for white space between tokens, and
//	     are not held to any rule: they were published before.
//	U3   Attestations of an entry that was replaced go with it, which is a finding.
//	U4   Format, annotations, artifactType, subject and unknown members stay as
//	     they are unless an option says otherwise; order, mediaType and white
//	     space become canonical.
//
// # Parse
//
//	P1   At most 4 MiB of UTF-8, one JSON document, nested at most 64 deep.
//	P2   An object with schemaVersion 2, manifests, and a mediaType of an index,
//	     of a Docker list, or none. Null manifests are none. Anything else is let
//	     through: nil platforms, any media type, bad digests; Assemble judges.
//	P3   No members beside manifests that make it an image to another reader
//	     (config, layers, fsLayers, history), no member of image-spec twice or in
//	     another letter case, no annotation twice.
//	P4   Members that image-spec does not name are kept.
//
// # Select
//
//	S1   Strict: os and architecture equal, variant equal or equivalent (A6; none
//	     wanted is the baseline), os.version and os.features only if wanted. An
//	     entry without a platform never matches. Of several, the first in
//	     canonical order (A10); none is an error.
//	S2   OpenShiftLegacy: a missing os or architecture is the host's, each by
//	     itself; the first entry of that os and architecture; else the first of
//	     linux/amd64; else the first entry. Variant, os.version and aliases do not
//	     count, an entry without a platform is "/". An empty index or a chosen
//	     nested index is an error. This is how openshift-apiserver imports an
//	     image stream tag with importMode Legacy.
//	S3   Containerd: platforms.Only and the order of images.Manifest in containerd
//	     2.4, which runtimes and BuildKit share: aliases normalized, lower
//	     variants and 386 or arm in the place of amd64 or arm64 if nothing better
//	     is there, an entry without a platform last.
//	S4   ContainersImage: ChooseInstance of go.podman.io/image 5.42 (CRI-O, podman,
//	     skopeo, buildah): architecture as written, lower arm variants too, zstd
//	     before other compressions, an entry without a platform last.
//
// Neither S3 nor S4 reads the config of an entry without a platform, as those
// clients go on to do.
//
// # What it will not do
//
// It fetches and pushes nothing; examples/indexpush does. It does not look into
// layers, sign, or keep attestations in step with rebuilt images.
package manifestlist
