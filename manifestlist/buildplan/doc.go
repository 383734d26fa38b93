// Package buildplan decides how the OS image of a machine config pool whose nodes
// have several architectures is built: which images are built, which are reused,
// what to wait for, and what is published. It answers the epic MCO-1344 on the
// types of machineconfiguration.openshift.io/v1.
//
// [Plan] looks at everything there is and says what is missing. It is
// level-triggered and keeps nothing: a controller carries out any part of a
// plan, dies at any point, and plans again. [Observe] turns a plan into the
// status of its MachineOSBuild, [Publish] the images of a build into what is
// pushed under its tag.
//
// # Architectures: Facts.Architectures
//
//	1  the pool has nodes of an architecture → an image for it
//	2  several images → an index of them; one image → that image, whatever the payload
//	3  several architectures, payload not Multi → finding PayloadNotMulti
//	4  no architecture → NextIdle, finding NoArchitectures
//	5  an architecture that is no DNS label of at most 32 characters, or is named
//	   publish, as the publishing job is → problem
//
// Source: the epic. A Job today has no node selector and takes the architecture
// of the node it lands on.
//
// # Containerfiles: spec.containerFile
//
//	 6  the architecture's own entry, else the NoArch entry; "" is NoArch
//	 7  an entry for an architecture that the pool lacks → finding ContainerfileUnused
//	 8  entries, none of which applies → built without, finding ContainerfileMissing
//	 9  an entry for an unknown architecture → problem
//	10  two entries for one architecture → problem; the content that sorts first counts
//	11  CRLF is LF, and newlines at the end do not count; what is compared is what is built
//	12  the architecture reaches the build as the build argument TARGETARCH
//
// Source: the CRD of MachineOSConfig, which has entries per architecture. Only
// NoArch entries are read today, and an entry for amd64 alone is ignored.
//
// # Base images and kernels: Facts.Base, spec.kernelType
//
//	13  the OS image is required; so is the extensions image where extensions or a
//	    kernel other than the default are asked for → problem if it is missing
//	14  a base image that does not end in a digest → problem
//	15  "" is default; 64k-pages is for arm64, and elsewhere a problem
//	16  any other kernel type → problem
//
// Source: the kernel types of the machine config operator. There the architecture
// of the controller decides what 64k-pages means; here it is that of the image.
//
// # Keys: Image.Key
//
//	17  a key covers architecture, containerfile, digests of the OS and extensions
//	    images, kernel type, extensions as a set, kernel arguments in order
//	18  a key covers nothing else: no order of entries, no other architecture, no secret,
//	    no push spec, no other content of the rendered config
//
// Source: what the machine config operator itself rebuilds for. Equal keys mean equal
// images by rule 17, not equal rendered configs: an image that is reused carries the
// rendered config of the build that made it.
//
// # Names: Build.Name, Image.Job, Image.PushSpec
//
//	19  a build is named after MachineOSConfig, pool, rendered config, push spec, keys by
//	    architecture, attempt
//	20  what has no order may be permuted → the same names
//	21  names, tags and label values fit: as much of the pool's name as there is room for,
//	    and a hash
//	22  no two jobs push to one tag; an only image is pushed under the final tag at once
//	23  a name cannot be edited, so the records of attempt, pool, push spec and keys must be
//	    those it was made of. Else nothing of the build is reused; finding RecordUnreadable
//
// Source: the spec of a MachineOSBuild is immutable, and so are the conditions of
// one that has ended, hence an object for each attempt. Today the name hashes the
// whole MachineOSConfig: a reordered list or a renamed secret rebuilds everything,
// and a pool name of 100 characters makes an invalid tag.
//
// # What becomes of the build: Build.Next
//
// The first of rules 24, 4 and 26 to 35 that fits. Builds of equal inputs are
// attempts.
//
//	24  a rebuild is asked for → NextAccept of an attempt above all others, even before rule 4
//	25  AcceptRebuild removes the request and stores the attempt, in one update
//	26  problems → NextBlocked: nothing is started, nothing is interrupted
//	27  no attempt exists → NextCreate, NewInputs
//	28  the latest attempt is being deleted → NextCreate of another, BuildDeleted
//	29  it has not ended, and its records were lost or edited → NextBlocked, a problem for
//	    each record
//	30  it has not ended → NextContinue
//	31  it succeeded, and all its images are there → NextDone
//	32  it succeeded and the registry lost an image or the result, or it was interrupted for
//	    an image or a job that was gone; and more attempts than Facts.Attempts says went
//	    one of these ways → NextGiveUp, ImagesLost or AttemptsUsed
//	33  it succeeded, and the registry lost an image or the result → NextCreate of another,
//	    ImagesLost, finding ImageGone
//	34  it failed, and as many attempts did as Facts.Attempts says → NextGiveUp
//	35  it failed as one of fewer, or was interrupted → NextCreate of another, Retry
//	36  attempts below that of the MachineOSConfig do not count, and how one that is being
//	    deleted ended does not; an unreadable attempt on the MachineOSConfig means 0, finding
//	    RecordUnreadable. Which attempt a build is, its name says
//	37  a name that exists is never created: instead, problem
//
// Source: the rebuild annotation of the machine config operator, where a failed
// build stays failed until something changes. A registry that denies reading by
// saying "not found" would be built for without end, hence rule 32.
//
// # Where an image comes from: Image.State
//
// The first of rules 38 to 44, 48, 49 and 51 that fits.
//
//	38  Next is none of NextCreate, NextContinue and NextDone → StateHold, Inactive
//	39  nothing is published, and the registry does not tell whether it has the image that the
//	    build records, or that its job made → StateHold, ImageUnreadable, finding
//	40  the build records the image → StateReuse; if the registry lost it and nothing is
//	    published → StateStop, ImageGone
//	41  NextDone → StateHold, Inactive
//	42  the build has a job for it: it runs → StateWait; it succeeded → StateReuse; it
//	    failed, was deleted, gave no digest, or its image is lost → StateStop
//	43  the build's status lists a job for it that is not there → StateStop, JobDeleted
//	44  another build of the MachineOSConfig has an image of the same key, recorded or made
//	    by its job → StateReuse, SameKey
//	45  of several: one that needs no copy, then the highest attempt, then the youngest
//	    build, then the first by name
//	46  an image to reuse is in another repository → StateCopy
//	47  an image that the registry lost is not reused; finding ImageGone
//	48  another build's job for the same key runs → StateWait; of several, the latest attempt's
//	49  the registry does not tell whether it has such an image of another build →
//	    StateHold, ImageUnreadable, finding
//	50  builds of attempts that do not count, or being deleted → neither reused nor waited for
//	51  otherwise → StateRun; the reason says why nothing could be reused
//	52  a job belongs to the build whose UID it names as its controller's, not to another of
//	    that name; while one that is not the build's has the name of a job to run →
//	    StateWait, NameTaken, finding NameTaken
//	53  an image stopped → none is started: StateHold, SiblingEnded; those that run may finish
//	54  a recorded image that is no pull spec, or not what the build's own job made, is
//	    ignored; finding RecordUnreadable
//	55  what the plan counts on is in Verify, unless it is known to be gone or unreadable
//
// Source of rule 52: the garbage collector of Kubernetes deletes what a build owned
// some time after the build, and a later build may have its name.
//
// # Leftovers: Build.Superseded, Build.Obsolete
//
//	56  other builds that have not ended → superseded, unless Next is NextAccept, NextIdle
//	    or NextBlocked
//	57  their running jobs that the plan does not wait for → obsolete, in the same cases
//
// # The publishing job: Build.Publish
//
//	58  an only image that is made where the result belongs → StateHold, InPlace: it is the
//	    result
//	59  every image is recorded and not unreadable → StateRun; until then StateHold
//	60  the job exists, or the status lists it → as rules 42 and 43; what it pushed is the
//	    result
//	61  the result is unreadable → StateHold, ImageUnreadable; it is none until it can be read
//	62  it has succeeded → copied images are recorded where they went; losing their sources
//	    no longer matters
//	63  a push spec whose form by digest the status would refuse → problem, before any job
//	64  a build repository that is not a host and a path of lower-case letters and digits,
//	    joined by dots, hyphens and underscores, without scheme, tag and digest → problem
//
// Source: the CRDs, which take more as a push spec than as a pull spec by digest.
//
// # Jobs: Build.JobMeta, ReadJob
//
//	65  a job runs on Linux nodes of its architecture, one that publishes on any Linux node
//	66  labels and annotations name build, config, architecture and push spec; ReadJob reads
//	    the latter two again, and the build from the controller reference
//	67  complete, or a pod succeeded → PhaseSucceeded, and what it pushed if it said so
//	68  failed, or more pods failed than backoffLimit, by default 6 → PhaseFailed
//	69  being deleted, and neither of these → PhaseDeleted
//	70  any other job → PhaseRunning
//	71  a job that no MachineOSBuild controls is a stranger's: only its name and phase are
//	    read; no job → the zero Job
//	72  a job of unknown phase is waited for as one that runs
//
// Source: the Job API. One attempt of a pod that failed is not the end of a job.
//
// # The state of a build: Observe, Interrupt
//
// The first of rules 73 to 78 that fits.
//
//	73  the build has ended → as it is; Failed counts before Succeeded
//	74  a job failed, or gave no digest → Building as long as others run, then Failed; of
//	    several, the first by architecture is the reason
//	75  a job was deleted, or an image is gone → Interrupted
//	76  there is a result → Succeeded, with its pull spec
//	77  a job exists, or the build is Building → Building
//	78  otherwise → Prepared
//	79  Interrupt → Interrupted, unless the build has ended
//	80  images that are there, whatever becomes of the build, are recorded in annotations
//
// # The status of a build
//
//	81  one of the five conditions is true; a transition time moves only with a status
//	82  at most 8 conditions: those of others stay while there is room; finding ConditionsFull
//	83  buildStart and buildEnd are set once, buildEnd at least a second after buildStart
//	84  at most 10 related objects, our jobs and those of others; finding RelatedObjectsFull
//	85  the builder is the publishing job, or the only job where rule 58 applies
//
// Source: the validation rules of the CRD. ConfigMaps and Secrets are no related
// objects: the group of their resources is empty, which the CRD refuses whatever
// its description says. They are found by their labels.
//
// # Publishing: Publish, Records, PullSpec
//
//	86  a record is a readable key, its image if that is a pull spec, and where it is from
//	87  records that the build's name was not made of → RecordError
//	88  a required architecture whose image is not recorded or not given → IncompleteError
//	89  a child that is no recorded image, or not of its architecture → ImageError
//	90  several images → an index, the same bytes for any order; one → its manifest
//	91  a pull spec has a dotted host, at most one path level, and at most 447 characters
//
// # What stands where
//
//	MachineConfigPool  annotation architectures: the set that Facts.Architectures is read from
//	ConfigMap          machine-config-pool-architectures, key: the pool, value: the same
//	MachineOSConfig    annotation rebuild: a request; build-attempt: the first that counts
//	MachineOSBuild     annotations build-attempt, target-machine-config-pool, push-spec,
//	                   build-key.<arch>, image.<arch>, image-from.<arch>
//	Job                labels and annotations machine-os-build, architecture, …;
//	                   annotation push-spec; the controller reference, which the caller adds
//
// All annotations and labels have the prefix machineconfiguration.openshift.io/.
//
// # The order of writes
//
//	92  accept a rebuild before anything else; create the build before its jobs; write
//	    annotations before the status; interrupt superseded builds before deleting obsolete
//	    jobs. Any write may be the last, and any may be repeated
//
// # What it will not do
//
// It talks to no registry and no API server, writes no pod, handles no secret and
// prunes neither builds nor images. It does not emulate: a pool without nodes of an
// architecture gets no image for it. It never falls back to another architecture,
// kernel or image.
package buildplan
