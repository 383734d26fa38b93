package buildplantest

import "github.com/polyarch/polyarch/conformance"

// Rules are those of package buildplan that others can have too. What it calls its
// own states, reasons, findings and annotations is not among them.
func Rules() []conformance.Rule {
	const upstream, ours = conformance.StrengthUpstream, conformance.StrengthOurs
	return []conformance.Rule{
		{
			ID: "an-image-for-each-architecture", Since: "v1", Name: "architectures: an image for each", Strength: upstream, Number: "1",
			Sentence: "the pool has nodes of an architecture → an image for it",
		},
		{
			ID: "an-only-image-is-the-result", Since: "v1", Name: "architectures: an only image is the result", Strength: ours, Number: "2",
			Sentence: "several images → an index of them; one image → that image, whatever the payload",
		},
		{
			ID: "architecture-can-name-a-job", Since: "v1", Name: "architectures: each can name a job", Strength: ours, Number: "5",
			Sentence: "an architecture that is no DNS label of at most 32 characters, or is named publish, as the publishing job is → problem",
		},
		{
			ID: "own-containerfile-first", Since: "v1", Name: "containerfiles: the architecture's own first", Strength: upstream, Number: "6",
			Sentence: "the architecture's own entry, else the NoArch entry; \"\" is NoArch",
		},
		{
			ID: "containerfile-of-a-known-architecture", Since: "v1", Name: "containerfiles: of a known architecture", Strength: ours, Number: "9",
			Sentence: "an entry for an unknown architecture → problem",
		},
		{
			ID: "one-containerfile-for-each-architecture", Since: "v1", Name: "containerfiles: one for each architecture", Strength: upstream, Number: "10",
			Sentence: "two entries for one architecture → problem; the content that sorts first counts",
		},
		{
			ID: "line-ends-do-not-count", Since: "v1", Name: "containerfiles: line ends do not count", Strength: ours, Number: "11",
			Sentence: "CRLF is LF, and newlines at the end do not count; what is compared is what is built",
		},
		{
			ID: "architecture-is-a-build-argument", Since: "v1", Name: "containerfiles: the architecture is a build argument", Strength: ours, Number: "12",
			Sentence: "the architecture reaches the build as the build argument TARGETARCH",
		},
		{
			ID: "base-images-are-there", Since: "v1", Name: "base images: those that are needed are there", Strength: upstream, Number: "13",
			Sentence: "the OS image is required; so is the extensions image where extensions or a kernel other than the default are asked for → problem if it is missing",
		},
		{
			ID: "base-images-by-digest", Since: "v1", Name: "base images: by digest", Strength: upstream, Number: "14",
			Sentence: "a base image that does not end in a digest → problem",
		},
		{
			ID: "large-pages-on-arm64", Since: "v1", Name: "kernels: 64k-pages on arm64", Strength: upstream, Number: "15",
			Sentence: "\"\" is default; 64k-pages is for arm64, and elsewhere a problem",
		},
		{
			ID: "kernel-type-is-known", Since: "v1", Name: "kernels: the type is known", Strength: upstream, Number: "16",
			Sentence: "any other kernel type → problem",
		},
		{
			ID: "key-covers-what-is-built", Since: "v1", Name: "keys: what is built", Strength: upstream, Number: "17",
			Sentence: "a key covers architecture, containerfile, digests of the OS and extensions images, kernel type, extensions as a set, kernel arguments in order",
		},
		{
			ID: "key-covers-nothing-else", Since: "v1", Name: "keys: nothing else", Strength: ours, Number: "18",
			Sentence: "a key covers nothing else: no order of entries, no other architecture, no secret, no push spec, no other content of the rendered config",
		},
		{
			ID: "build-is-named-after-its-inputs", Since: "v1", Name: "names: after the inputs", Strength: ours, Number: "19",
			Sentence: "a build is named after MachineOSConfig, pool, rendered config, push spec, keys by architecture, attempt",
		},
		{
			ID: "order-does-not-count", Since: "v1", Name: "names: order does not count", Strength: ours, Number: "20",
			Sentence: "what has no order may be permuted → the same names",
		},
		{
			ID: "names-fit", Since: "v1", Name: "names: they fit", Strength: upstream, Number: "21",
			Sentence: "names, tags and label values fit: as much of the pool's name as there is room for, and a hash",
		},
		{
			ID: "a-tag-for-each-job", Since: "v1", Name: "names: a tag for each job", Strength: ours, Number: "22",
			Sentence: "no two jobs push to one tag; an only image is pushed under the final tag at once",
		},
		{
			ID: "running-build-goes-on", Since: "v1", Name: "next: a running build goes on", Strength: upstream, Number: "30",
			Sentence: "it has not ended → NextContinue",
		},
		{
			ID: "lost-images-are-not-built-for-ever", Since: "v1", Name: "next: lost images are not built for ever", Strength: ours, Number: "32",
			Sentence: "it succeeded and the registry lost an image or the result, or it was interrupted for an image or a job that was gone; and more attempts than Facts.Attempts says went one of these ways → NextGiveUp, ImagesLost or AttemptsUsed",
		},
		{
			ID: "failed-build-stays-failed", Since: "v1", Name: "next: a failed build stays failed", Strength: upstream, Number: "34",
			Sentence: "it failed, and as many attempts did as Facts.Attempts says → NextGiveUp",
		},
		{
			ID: "failed-build-is-tried-again", Since: "v1", Name: "next: a failed build is tried again", Strength: ours, Number: "35",
			Sentence: "it failed as one of fewer, or was interrupted → NextCreate of another, Retry",
		},
		{
			ID: "name-is-created-once", Since: "v1", Name: "next: a name is created once", Strength: upstream, Number: "37",
			Sentence: "a name that exists is never created: instead, problem",
		},
		{
			ID: "job-belongs-to-its-build", Since: "v1", Name: "images: a job belongs to its build", Strength: upstream, Number: "52",
			Sentence: "a job belongs to the build whose UID it names as its controller's, not to another of that name; while one that is not the build's has the name of a job to run → StateWait, NameTaken, finding NameTaken",
		},
		{
			ID: "push-spec-has-a-form-by-digest", Since: "v1", Name: "publishing: the push spec has a form by digest", Strength: upstream, Number: "63",
			Sentence: "a push spec whose form by digest the status would refuse → problem, before any job",
		},
		{
			ID: "build-repository-is-one", Since: "v1", Name: "publishing: the build repository is one", Strength: upstream, Number: "64",
			Sentence: "a build repository that is not a host and a path of lower-case letters and digits, joined by dots, hyphens and underscores, without scheme, tag and digest → problem",
		},
		{
			ID: "jobs-run-on-their-architecture", Since: "v1", Name: "jobs: on nodes of their architecture", Strength: upstream, Number: "65",
			Sentence: "a job runs on Linux nodes of its architecture, one that publishes on any Linux node",
		},
		{
			ID: "job-succeeded", Since: "v1", Name: "jobs: succeeded", Strength: upstream, Number: "67",
			Sentence: "complete, or a pod succeeded → PhaseSucceeded, and what it pushed if it said so",
		},
		{
			ID: "job-failed", Since: "v1", Name: "jobs: failed", Strength: upstream, Number: "68",
			Sentence: "failed, or more pods failed than backoffLimit, by default 6 → PhaseFailed",
		},
		{
			ID: "job-deleted", Since: "v1", Name: "jobs: deleted", Strength: upstream, Number: "69",
			Sentence: "being deleted, and neither of these → PhaseDeleted",
		},
		{
			ID: "any-other-job-runs", Since: "v1", Name: "jobs: any other runs", Strength: upstream, Number: "70",
			Sentence: "any other job → PhaseRunning",
		},
		{
			ID: "records-are-those-of-the-name", Since: "v1", Name: "publishing: records are those of the name", Strength: ours, Number: "87",
			Sentence: "records that the build's name was not made of → RecordError",
		},
		{
			ID: "nothing-less-is-published", Since: "v1", Name: "publishing: nothing less", Strength: upstream, Number: "88",
			Sentence: "a required architecture whose image is not recorded or not given → IncompleteError",
		},
		{
			ID: "images-are-of-their-architecture", Since: "v1", Name: "publishing: images are of their architecture", Strength: upstream, Number: "89",
			Sentence: "a child that is no recorded image, or not of its architecture → ImageError",
		},
		{
			ID: "several-images-are-an-index", Since: "v1", Name: "publishing: several images are an index", Strength: upstream, Number: "90",
			Sentence: "several images → an index, the same bytes for any order; one → its manifest",
		},
		{
			ID: "pull-spec-is-what-the-status-takes", Since: "v1", Name: "publishing: a pull spec is what the status takes", Strength: upstream, Number: "91",
			Sentence: "a pull spec has a dotted host, at most one path level, and at most 447 characters",
		},
	}
}
