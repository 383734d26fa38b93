package buildplantest

import (
	"slices"

	"github.com/polyarch/polyarch/conformance"
)

// Rules are those of package buildplan that others can have too. What it calls its
// own states, reasons, findings and annotations is not among them.
func Rules() []conformance.Rule {
	return slices.Concat(inputRules(), buildRules())
}

const upstream, ours = conformance.StrengthUpstream, conformance.StrengthOurs

// inputRules are about what is built and how it is named.
func inputRules() []conformance.Rule {
	return []conformance.Rule{
		{ID: "an-image-for-each-architecture", Since: "v1", Number: "1", Strength: upstream, Name: "architectures: an image for each",
			Sentence: "the pool has nodes of an architecture → an image for it"},
		{ID: "an-only-image-is-the-result", Since: "v1", Number: "2", Strength: ours, Name: "architectures: an only image is the result",
			Sentence: "several images → an index of them; one image → that image, whatever the payload"},
		{ID: "several-architectures-need-a-multi-payload", Since: "v1", Number: "3", Strength: ours, Name: "architectures: several need a multi payload",
			Sentence: "several architectures, payload not Multi → finding PayloadNotMulti"},
		{ID: "no-nodes-no-build", Since: "v1", Number: "4", Strength: ours, Name: "architectures: without nodes nothing is built",
			Sentence: "no architecture → NextIdle, finding NoArchitectures"},
		{ID: "architecture-can-name-a-job", Since: "v1", Number: "5", Strength: ours, Name: "architectures: each can name a job",
			Sentence: "an architecture that is no DNS label of at most 32 characters, or is named publish, as the publishing job is → problem"},
		{ID: "own-containerfile-first", Since: "v1", Number: "6", Strength: upstream, Name: "containerfiles: the architecture's own first",
			Sentence: "the architecture's own entry, else the NoArch entry; \"\" is NoArch"},
		{ID: "unused-containerfile-is-told", Since: "v1", Number: "7", Strength: ours, Name: "containerfiles: one that is not used is told of",
			Sentence: "an entry for an architecture that the pool lacks → finding ContainerfileUnused"},
		{ID: "missing-containerfile-is-told", Since: "v1", Number: "8", Strength: ours, Name: "containerfiles: one that is missing is told of",
			Sentence: "entries, none of which applies → built without, finding ContainerfileMissing"},
		{ID: "containerfile-of-a-known-architecture", Since: "v1", Number: "9", Strength: ours, Name: "containerfiles: of a known architecture",
			Sentence: "an entry for an unknown architecture → problem"},
		{ID: "one-containerfile-for-each-architecture", Since: "v1", Number: "10", Strength: upstream, Name: "containerfiles: one for each architecture",
			Sentence: "two entries for one architecture → problem; the content that sorts first counts"},
		{ID: "line-ends-do-not-count", Since: "v1", Number: "11", Strength: ours, Name: "containerfiles: line ends do not count",
			Sentence: "CRLF is LF, and newlines at the end do not count; what is compared is what is built"},
		{ID: "architecture-is-a-build-argument", Since: "v1", Number: "12", Strength: ours, Name: "containerfiles: the architecture is a build argument",
			Sentence: "the architecture reaches the build as the build argument TARGETARCH"},
		{ID: "base-images-are-there", Since: "v1", Number: "13", Strength: upstream, Name: "base images: those that are needed are there",
			Sentence: "the OS image is required; so is the extensions image where extensions or a kernel other than the default are asked for → problem if it is missing"},
		{ID: "base-images-by-digest", Since: "v1", Number: "14", Strength: upstream, Name: "base images: by digest",
			Sentence: "a base image that does not end in a digest → problem"},
		{ID: "large-pages-on-arm64", Since: "v1", Number: "15", Strength: upstream, Name: "kernels: 64k-pages on arm64",
			Sentence: "\"\" is default; 64k-pages is for arm64, and elsewhere a problem"},
		{ID: "kernel-type-is-known", Since: "v1", Number: "16", Strength: upstream, Name: "kernels: the type is known",
			Sentence: "any other kernel type → problem"},
		{ID: "key-covers-what-is-built", Since: "v1", Number: "17", Strength: upstream, Name: "keys: what is built",
			Sentence: "a key covers architecture, containerfile, digests of the OS and extensions images, kernel type, extensions as a set, kernel arguments in order"},
		{ID: "key-covers-nothing-else", Since: "v1", Number: "18", Strength: ours, Name: "keys: nothing else",
			Sentence: "a key covers nothing else: no order of entries, no other architecture, no secret, no push spec, no other content of the rendered config"},
		{ID: "build-is-named-after-its-inputs", Since: "v1", Number: "19", Strength: ours, Name: "names: after the inputs",
			Sentence: "a build is named after MachineOSConfig, pool, rendered config, push spec, keys by architecture, attempt"},
		{ID: "order-does-not-count", Since: "v1", Number: "20", Strength: ours, Name: "names: order does not count",
			Sentence: "what has no order may be permuted → the same names"},
		{ID: "names-fit", Since: "v1", Number: "21", Strength: upstream, Name: "names: they fit",
			Sentence: "names, tags and label values fit: as much of the pool's name as there is room for, and a hash"},
		{ID: "a-tag-for-each-job", Since: "v1", Number: "22", Strength: ours, Name: "names: a tag for each job",
			Sentence: "no two jobs push to one tag; an only image is pushed under the final tag at once"},
		{ID: "edited-records-are-not-believed", Since: "v1", Number: "23", Strength: ours, Name: "names: edited records are not believed",
			Sentence: "a name cannot be edited, so the records of attempt, pool, push spec and keys must be those it was made of. Else nothing of the build is reused; finding RecordUnreadable"},
	}
}
