// Package manifestlist assembles per-architecture images into an OCI image index
// or Docker manifest list, reads and updates one, and selects out of one.
//
// In the place of docker manifest create, or of
// mutate.AppendManifests(empty.Index, …) with RawManifest and Digest:
//
//	amd64 := manifestlist.Child{Manifest: amd64Manifest, Config: amd64Config}
//	arm64 := manifestlist.Child{Manifest: arm64Manifest, Config: arm64Config}
//	result, err := manifestlist.Assemble([]manifestlist.Child{amd64, arm64}, manifestlist.Options{
//		Required: []ocispec.Platform{
//			{OS: "linux", Architecture: "amd64"},
//			{OS: "linux", Architecture: "arm64"},
//		},
//	})
//
// Then push result.Bytes as result.Descriptor says. A child may be a descriptor
// alone, when that is all there is.
//
// The index is the same whatever the order of the children. It says of each child
// what the child's bytes say, holds one image for each platform, and offers every
// platform that was asked for. Otherwise there is no index, and the error says
// everything that is wrong. Where one image needs no index, [Describe] checks the
// image and describes it.
//
// # One child: Assemble, Describe, Update
//
//	A1   Digest and size are computed from the manifest's bytes, and must be those
//	     of the descriptor if it has them. The media type is the one that the
//	     manifest declares, and must be that of the descriptor; if it declares none,
//	     the descriptor's; else the one that its members tell. The config must be
//	     the one that the manifest names.
//	A2   The platform comes from the config of an image, field by field; the
//	     descriptor fills in what the config leaves out. They must not contradict
//	     each other. The artifactType is the manifest's own declaration or absent;
//	     the media type of a config does not pass for one.
//	A3   Media types are type/subtype, digests are well-formed sha256, sha384 or
//	     sha512, sizes are at least 1, embedded data has the digest and size said,
//	     text is UTF-8. The artifactType, subject and annotations of the index are
//	     held to the same.
//	A4   An image has a platform, spelled as GOOS and GOARCH are, with a variant
//	     such as v8: aliases (x86_64, aarch64, armhf, arm64/8) are refused, since
//	     most readers compare strings. A name that Go does not know is a finding.
//	     An artifact needs no platform.
//	A5   An index among the children is refused. By option, its entries take its
//	     place, one level deep, which is a finding.
//
// Source: descriptor.md, image-index.md and manifest.md of image-spec. Its JSON
// schema takes negative sizes, short digests and empty platforms, and registries
// take nearly anything, so acceptance elsewhere proves little.
//
// # The bytes of a child: Assemble, Describe, Update
//
//	B1   A manifest, and the config of an image, are one JSON object each, held to
//	     P1 with the limit of A12.
//	B2   No member of image-spec is there twice or in another letter case (P3), no
//	     annotation twice: of the manifest, of its config, layers and subject; of
//	     the config and its rootfs.
//	B3   An image manifest, OCI or Docker, has schemaVersion 2, layers, and a config
//	     by A3. An index or Docker list has schemaVersion 2 and manifests. Manifests
//	     under any other media type are refused, as are manifests beside config or
//	     layers, history in an image or an index, and fsLayers anywhere.
//	B4   A config comes with the manifest that names it. By itself it proves nothing
//	     about the image, so it is refused.
//
// Source: image-spec's manifest.md and image-index.md, and the readers of P3. An
// image that passes for an artifact would get an entry without a platform, which
// containerd and CRI-O take for any platform if there is nothing better (S3, S4).
//
// # Several children: Assemble, Update
//
//	A6   One child for each platform: os, architecture, variant, os.version and the
//	     set of os.features. arm64 is arm64/v8, arm is arm/v7, amd64 is amd64/v1;
//	     each is written as the child says. More children are refused; or, by
//	     option, the last one given stands; or the same descriptor given again
//	     counts once. What has no platform is told apart by its digest.
//	A7   Attestations are dropped, which is a finding. By option they are kept, and
//	     then each must refer to an image of the index. An attestation of an image
//	     that was replaced goes with it.
//	A8   A required platform that policy Strict (S1) would not find is an error.
//	A9   An attestation is what has the annotation vnd.docker.reference.type with
//	     the value attestation-manifest, or the platform unknown/unknown. Either
//	     will do: tools that rewrite an index lose the annotation more easily.
//
// Source: image-spec's table of platform variants, and containerd's normalization,
// for A6; BuildKit's
// docs/attestations/attestation-storage.md for A7 and A9. [IsAttestation] is A9
// for callers. A duplicate or a missing platform ends the assembly because an
// index is published once and pulled for years.
//
// # The document: Assemble, Update
//
//	A10   A Docker manifest list holds Docker images with a platform and nothing
//	     that it has no field for: no annotations, subject, artifactType, data or
//	     urls. An OCI index may hold any media type.
//	A11  Order: os, architecture, baseline variant, other variants, os.version,
//	     os.features, digest; then what has no platform; attestations last.
//	A12  A manifest, a config and the index are at most 4 MiB each, unless option
//	     SizeLimit says otherwise; ParseLimit reads what is larger.
//	A13  The bytes are those that encoding/json writes for an [ocispec.Index] with
//	     mediaType always set and [] for no manifests. Members that image-spec does
//	     not name, of a parsed descriptor, follow the others.
//	A14  The format is OCI. Infer makes it Docker if every child is a Docker image
//	     and nothing was asked for that only an OCI index can hold.
//	A15  An index of nothing is made, with a finding: it is valid, but OpenShift
//	     refuses to import it.
//
// Source: the specification of Docker's image manifest v2, schema 2 for A10; the
// limit of 4 MiB is that of the distribution registry and of containers/image. With the
// order of A11, readers that take the first entry, or a missing platform for
// linux/amd64, meet an image first, and parallel builds that finish in any order
// give one digest.
//
// # What callers are told: Assemble, Describe, Update
//
//	A16  An option with a value that is not defined is an error, as is Remove where
//	     there is no index to remove from.
//	A17  Errors come all at once: those of the children in the order given, then
//	     those of the entries of an index that is updated, then those of the index.
//	     A child that has errors counts as there for A6 and A8. Beside an error
//	     there is no result.
//	A18  Errors and findings call a child by the name that its caller gave it,
//	     children[arm64.tar], or by its position, children[2]. An entry of an index
//	     is manifests[2].
//
// # One image without an index: Describe
//
//	D1   The descriptor is the one that Assemble would write for the child alone,
//	     by A1 to A4, B1 to B4, A8, A10 and A12. Only the options Format, Required and
//	     SizeLimit count.
//	D2   An index is refused, whatever option Nested says.
//	D3   An attestation is described like any other manifest.
//
// # A new index out of an old one: Update
//
//	U1   A new child takes the place of the entry for its platform (A6), which is a
//	     finding, or joins the others. Among themselves the new ones are held to A1
//	     to A10 and B1 to B4.
//	U2   Other entries keep their bytes, but for white space between tokens, and
//	     are not held to any rule: they were published before. U7 has the exception.
//	U3   Attestations of an entry that was replaced or removed go with it, which is
//	     a finding.
//	U4   Format, annotations, artifactType, subject and unknown members stay as
//	     they are unless an option says otherwise. Order, mediaType and white space
//	     become canonical.
//	U5   Remove takes away every entry that policy Strict could select for the
//	     platform, which is a finding, before the new children join. A platform
//	     that is not there is an error.
//	U6   ClearAnnotations takes away the annotations of the index, before those of
//	     the options are set. Annotations that are empty take nothing away.
//	U7   What was edited since Parse counts as it is now, in Update as in Append and
//	     Children. Update holds edited or added entries to A3, A4 and A10, the
//	     annotations, artifactType and subject of the index to A3, and its
//	     mediaType to P2.
//
// # Reading: Parse, ParseLimit
//
//	P1   At most 4 MiB, or the limit of ParseLimit, of UTF-8, one JSON document,
//	     nested at most 64 deep. An escape of half a surrogate pair is no UTF-8.
//	P2   An object with schemaVersion 2, a list of manifests, and a mediaType of an
//	     index, of a Docker list, or none. Without entries the mediaType must be
//	     there. Anything else is let through: nil platforms, any media type, bad
//	     digests; Assemble judges.
//	P3   No members beside manifests that make it an image to another reader
//	     (config, layers, fsLayers, history), no member of image-spec twice or in
//	     another letter case, no annotation twice. Letter case is what encoding/json
//	     folds: Config, LAYERS, and layer\u017f too. Escapes count as what they
//	     stand for.
//	P4   Members that image-spec does not name are kept, of the index, its entries
//	     and their platforms.
//	P5   They are in Source, and belong to the entry at their position, or to the
//	     subject, as long as it has the same digest.
//
// Source: image-spec's image-index.md for P2 and P4; its advice on ambiguous
// documents (CVE-2021-41190) for P3, and what containerd 2.4 and containers/image 5.42
// take for an image or refuse as ambiguous: they fold letter case as encoding/json
// does, and without entries and mediaType containers/image sees an image. U+FFFD in
// the place of what is no UTF-8 would be another document with another digest.
//
// # Choosing one entry: Select
//
//	S1   Strict: os and architecture equal, variant equal or equivalent (A6; none
//	     wanted is the baseline), os.version and os.features only if wanted. An
//	     entry without a platform never matches. Of several, the first in canonical
//	     order (A11).
//	S2   OpenShiftLegacy: the first entry of that os and architecture; else the
//	     first of linux/amd64; else the first entry. Variant, os.version and
//	     aliases do not count, an entry without a platform is "/". A chosen nested
//	     index is an error.
//	S3   Containerd: platforms.Only and the order of images.Manifest. Aliases are
//	     normalized, lower variants and 386 or arm stand in for amd64 or arm64 if
//	     nothing better is there, an entry without a platform comes last.
//	S4   ContainersImage: architecture as written, lower arm variants too, zstd
//	     before other compressions, an entry without a platform last.
//	S5   Of the host, os and architecture stand in for those that the wanted
//	     platform leaves out, each by itself. Strict does not look at the host;
//	     Containerd takes only the os, and takes it for an entry without one too.
//	S6   The reason says how the entry differs from what is wanted: not at all; in
//	     how the variant or the platform is written; by a variant or an architecture
//	     that the wanted platform runs as well; by naming no platform; or it is a
//	     fallback of S2.
//	S7   The policy is Strict unless one is named. One that is not defined is an
//	     error. If the policy finds nothing, the error says what there is.
//
// Source: the importer of openshift-apiserver, where an image stream tag has
// importMode Legacy, for S2; containerd 2.4, which runtimes and BuildKit share, for
// S3; ChooseInstance of go.podman.io/image 5.42 (CRI-O, podman, skopeo, buildah)
// for S4. S3 and S4 do not read the config of an entry without a platform, as those
// clients go on to do.
//
// # What it will not do
//
// It fetches and pushes nothing; examples/indexpush does. It does not look into
// layers, sign, or keep attestations in step with rebuilt images.
package manifestlist
