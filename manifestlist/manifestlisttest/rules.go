package manifestlisttest

import "github.com/polyarch/polyarch/conformance"

// Rules are those of package manifestlist that others can have too. What it calls its
// own errors, findings, reasons and options (A16 to A18, S6, S7) is not among them.
func Rules() []conformance.Rule {
	const upstream, ours = conformance.StrengthUpstream, conformance.StrengthOurs
	return []conformance.Rule{
		{
			ID: "bytes-decide", Since: "v1", Name: "assembling: bytes decide", Strength: upstream, Number: "A1",
			Sentence: "Digest and size are computed from the manifest's bytes, and must be those of the descriptor if it has them. The media type is the one that the manifest declares, and must be that of the descriptor; if it declares none, the descriptor's; else the one that its members tell. The config must be the one that the manifest names.",
		},
		{
			ID: "config-names-the-platform", Since: "v1", Name: "assembling: config names the platform", Strength: ours, Number: "A2",
			Sentence: "The platform comes from the config of an image, field by field; the descriptor fills in what the config leaves out. They must not contradict each other. The artifactType is the manifest's own declaration or absent; the media type of a config does not pass for one.",
		},
		{
			ID: "descriptors-well-formed", Since: "v1", Name: "assembling: descriptors well formed", Strength: upstream, Number: "A3",
			Sentence: "Media types are type/subtype, digests are well-formed sha256, sha384 or sha512, sizes are at least 1, embedded data has the digest and size said, text is UTF-8. The artifactType, subject and annotations of the index are held to the same.",
		},
		{
			ID: "platforms-spelled-as-go", Since: "v1", Name: "assembling: platforms spelled as go", Strength: ours, Number: "A4",
			Sentence: "An image has a platform, spelled as GOOS and GOARCH are, with a variant such as v8: aliases (x86_64, aarch64, armhf, arm64/8) are refused, since most readers compare strings. A name that Go does not know is a finding. An artifact needs no platform.",
		},
		{
			ID: "no-index-in-an-index", Since: "v1", Name: "assembling: no index in an index", Strength: ours, Number: "A5",
			Sentence: "An index among the children is refused. By option, its entries take its place, one level deep, which is a finding.",
		},
		{
			ID: "one-child-for-each-platform", Since: "v1", Name: "assembling: one child for each platform", Strength: ours, Number: "A6",
			Sentence: "One child for each platform: os, architecture, variant, os.version and the set of os.features. arm64 is arm64/v8, arm is arm/v7, amd64 is amd64/v1; each is written as the child says. More children are refused; or, by option, the last one given stands; or the same descriptor given again counts once. What has no platform is told apart by its digest.",
		},
		{
			ID: "attestations-refer-to-an-image", Since: "v1", Name: "assembling: attestations refer to an image", Strength: ours, Number: "A7",
			Sentence: "Attestations are dropped, which is a finding. By option they are kept, and then each must refer to an image of the index. An attestation of an image that was replaced goes with it.",
		},
		{
			ID: "required-platforms-are-there", Since: "v1", Name: "assembling: required platforms are there", Strength: ours, Number: "A8",
			Sentence: "A required platform that policy Strict (S1) would not find is an error.",
		},
		{
			ID: "attestations-known-either-way", Since: "v1", Name: "assembling: attestations known either way", Strength: upstream, Number: "A9",
			Sentence: "An attestation is what has the annotation vnd.docker.reference.type with the value attestation-manifest, or the platform unknown/unknown. Either will do: tools that rewrite an index lose the annotation more easily.",
		},
		{
			ID: "docker-list-holds-docker-images", Since: "v1", Name: "assembling: docker list holds docker images", Strength: upstream, Number: "A10",
			Sentence: "A Docker manifest list holds Docker images with a platform and nothing that it has no field for: no annotations, subject, artifactType, data or urls. An OCI index may hold any media type.",
		},
		{
			ID: "canonical-order", Since: "v1", Name: "assembling: canonical order", Strength: ours, Number: "A11",
			Sentence: "Order: os, architecture, baseline variant, other variants, os.version, os.features, digest; then what has no platform; attestations last.",
		},
		{
			ID: "size-limit", Since: "v1", Name: "assembling: size limit", Strength: upstream, Number: "A12",
			Sentence: "A manifest, a config and the index are at most 4 MiB each, unless option SizeLimit says otherwise; ParseLimit reads what is larger.",
		},
		{
			ID: "canonical-bytes", Since: "v1", Name: "assembling: canonical bytes", Strength: ours, Number: "A13",
			Sentence: "The bytes are those that encoding/json writes for an [ocispec.Index] with mediaType always set and [] for no manifests. Members that image-spec does not name, of a parsed descriptor, follow the others.",
		},
		{
			ID: "oci-unless-asked", Since: "v1", Name: "assembling: oci unless asked", Strength: ours, Number: "A14",
			Sentence: "The format is OCI. Infer makes it Docker if every child is a Docker image and nothing was asked for that only an OCI index can hold.",
		},
		{
			ID: "empty-index-is-made", Since: "v1", Name: "assembling: empty index is made", Strength: ours, Number: "A15",
			Sentence: "An index of nothing is made, with a finding: it is valid, but OpenShift refuses to import it.",
		},
		{
			ID: "child-is-one-json-object", Since: "v1", Name: "the bytes of a child: child is one json object", Strength: upstream, Number: "B1",
			Sentence: "A manifest, and the config of an image, are one JSON object each, held to P1 with the limit of A12.",
		},
		{
			ID: "child-is-read-one-way", Since: "v1", Name: "the bytes of a child: child is read one way", Strength: upstream, Number: "B2",
			Sentence: "No member of image-spec is there twice or in another letter case (P3), no annotation twice: of the manifest, of its config, layers and subject; of the config and its rootfs.",
		},
		{
			ID: "child-is-what-it-declares", Since: "v1", Name: "the bytes of a child: child is what it declares", Strength: upstream, Number: "B3",
			Sentence: "An image manifest, OCI or Docker, has schemaVersion 2, layers, and a config by A3. An index or Docker list has schemaVersion 2 and manifests. Manifests under any other media type are refused, as are manifests beside config or layers, history in an image or an index, and fsLayers anywhere.",
		},
		{
			ID: "config-needs-its-manifest", Since: "v1", Name: "the bytes of a child: config needs its manifest", Strength: ours, Number: "B4",
			Sentence: "A config comes with the manifest that names it. By itself it proves nothing about the image, so it is refused.",
		},
		{
			ID: "described-as-assembled", Since: "v1", Name: "one image without an index: described as assembled", Strength: ours, Number: "D1",
			Sentence: "The descriptor is the one that Assemble would write for the child alone, by A1 to A4, B1 to B4, A8, A10 and A12. Only the options Format, Required and SizeLimit count.",
		},
		{
			ID: "index-is-not-described", Since: "v1", Name: "one image without an index: index is not described", Strength: ours, Number: "D2",
			Sentence: "An index is refused, whatever option Nested says.",
		},
		{
			ID: "attestation-is-described", Since: "v1", Name: "one image without an index: attestation is described", Strength: ours, Number: "D3",
			Sentence: "An attestation is described like any other manifest.",
		},
		{
			ID: "new-child-replaces-its-platform", Since: "v1", Name: "updating: new child replaces its platform", Strength: ours, Number: "U1",
			Sentence: "A new child takes the place of the entry for its platform (A6), which is a finding, or joins the others. Among themselves the new ones are held to A1 to A10 and B1 to B4.",
		},
		{
			ID: "other-entries-keep-their-bytes", Since: "v1", Name: "updating: other entries keep their bytes", Strength: ours, Number: "U2",
			Sentence: "Other entries keep their bytes, but for white space between tokens, and are not held to any rule: they were published before. U7 has the exception.",
		},
		{
			ID: "attestations-leave-with-their-image", Since: "v1", Name: "updating: attestations leave with their image", Strength: ours, Number: "U3",
			Sentence: "Attestations of an entry that was replaced or removed go with it, which is a finding.",
		},
		{
			ID: "index-stays-as-it-is", Since: "v1", Name: "updating: index stays as it is", Strength: ours, Number: "U4",
			Sentence: "Format, annotations, artifactType, subject and unknown members stay as they are unless an option says otherwise. Order, mediaType and white space become canonical.",
		},
		{
			ID: "removed-platform-is-gone", Since: "v1", Name: "updating: removed platform is gone", Strength: ours, Number: "U5",
			Sentence: "Remove takes away every entry that policy Strict could select for the platform, which is a finding, before the new children join. A platform that is not there is an error.",
		},
		{
			ID: "annotations-cleared-on-demand", Since: "v1", Name: "updating: annotations cleared on demand", Strength: ours, Number: "U6",
			Sentence: "ClearAnnotations takes away the annotations of the index, before those of the options are set. Annotations that are empty take nothing away.",
		},
		{
			ID: "edits-count", Since: "v1", Name: "updating: edits count", Strength: ours, Number: "U7",
			Sentence: "What was edited since Parse counts as it is now, in Update as in Append and Children. Update holds edited or added entries to A3, A4 and A10, the annotations, artifactType and subject of the index to A3, and its mediaType to P2.",
		},
		{
			ID: "index-is-one-json-document", Since: "v1", Name: "reading: index is one json document", Strength: upstream, Number: "P1",
			Sentence: "At most 4 MiB, or the limit of ParseLimit, of UTF-8, one JSON document, nested at most 64 deep. An escape of half a surrogate pair is no UTF-8.",
		},
		{
			ID: "index-has-its-shape", Since: "v1", Name: "reading: index has its shape", Strength: upstream, Number: "P2",
			Sentence: "An object with schemaVersion 2, a list of manifests, and a mediaType of an index, of a Docker list, or none. Without entries the mediaType must be there. Anything else is let through: nil platforms, any media type, bad digests; Assemble judges.",
		},
		{
			ID: "index-is-read-one-way", Since: "v1", Name: "reading: index is read one way", Strength: upstream, Number: "P3",
			Sentence: "No members beside manifests that make it an image to another reader (config, layers, fsLayers, history), no member of image-spec twice or in another letter case, no annotation twice. Letter case is what encoding/json folds: Config, LAYERS, and layer\\u017f too. Escapes count as what they stand for.",
		},
		{
			ID: "unknown-members-stay", Since: "v1", Name: "reading: unknown members stay", Strength: upstream, Number: "P4",
			Sentence: "Members that image-spec does not name are kept, of the index, its entries and their platforms.",
		},
		{
			ID: "unknown-members-stay-with-their-entry", Since: "v1", Name: "reading: unknown members stay with their entry", Strength: ours, Number: "P5",
			Sentence: "They are in Source, and belong to the entry at their position, or to the subject, as long as it has the same digest.",
		},
		{
			ID: "strict-is-exact", Since: "v1", Name: "choosing: strict is exact", Strength: ours, Number: "S1",
			Sentence: "Strict: os and architecture equal, variant equal or equivalent (A6; none wanted is the baseline), os.version and os.features only if wanted. An entry without a platform never matches. Of several, the first in canonical order (A11).",
		},
		{
			ID: "openshift-legacy-falls-back", Since: "v1", Name: "choosing: openshift legacy falls back", Strength: upstream, Number: "S2",
			Sentence: "OpenShiftLegacy: the first entry of that os and architecture; else the first of linux/amd64; else the first entry. Variant, os.version and aliases do not count, an entry without a platform is \"/\". A chosen nested index is an error.",
		},
		{
			ID: "containerd-ranks", Since: "v1", Name: "choosing: containerd ranks", Strength: upstream, Number: "S3",
			Sentence: "Containerd: platforms.Only and the order of images.Manifest. Aliases are normalized, lower variants and 386 or arm stand in for amd64 or arm64 if nothing better is there, an entry without a platform comes last.",
		},
		{
			ID: "containers-image-ranks", Since: "v1", Name: "choosing: containers image ranks", Strength: upstream, Number: "S4",
			Sentence: "ContainersImage: architecture as written, lower arm variants too, zstd before other compressions, an entry without a platform last.",
		},
		{
			ID: "host-stands-in", Since: "v1", Name: "choosing: host stands in", Strength: upstream, Number: "S5",
			Sentence: "Of the host, os and architecture stand in for those that the wanted platform leaves out, each by itself. Strict does not look at the host; Containerd takes only the os, and takes it for an entry without one too.",
		},
	}
}
