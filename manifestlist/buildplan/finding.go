package buildplan

// FindingCode names a kind of Finding.
type FindingCode string

const (
	// FindingPayloadNotMulti: the pool has several architectures, and the
	// payload is not known to have images for more than one.
	FindingPayloadNotMulti FindingCode = "PayloadNotMulti"
	// FindingNoArchitectures: the pool has no nodes whose architecture is known,
	// so there is nothing to build.
	FindingNoArchitectures FindingCode = "NoArchitectures"
	// FindingContainerfileUnused: a containerfile is for an architecture that the
	// pool does not have.
	FindingContainerfileUnused FindingCode = "ContainerfileUnused"
	// FindingContainerfileMissing: other architectures have a containerfile, this
	// one has neither its own nor a NoArch one, and is built without.
	FindingContainerfileMissing FindingCode = "ContainerfileMissing"
	// FindingPushSpec: the push spec cannot be written in the form by digest
	// that the MachineOSBuild's status takes. No job is run, since its result
	// could never be published.
	FindingPushSpec FindingCode = "PushSpecNotDigestable"
	// FindingRecordUnreadable: an annotation of ours does not hold what we write
	// there, and was ignored.
	FindingRecordUnreadable FindingCode = "RecordUnreadable"
	// FindingImageGone: a recorded image is not in the registry any more.
	FindingImageGone FindingCode = "ImageGone"
	// FindingRelatedObjects: the status cannot list all related objects.
	FindingRelatedObjects FindingCode = "RelatedObjectsFull"
	// FindingConditions: the status cannot keep all foreign conditions.
	FindingConditions FindingCode = "ConditionsFull"
)

// A Finding is something skipped, conflicting or odd.
type Finding struct {
	Code FindingCode
	// Path is where it was met: the kind and name of the object and the field
	// path in it, such as "machineosconfigs[worker].spec.containerFile[1]".
	Path string
	// Detail is for people and names the value met and what would be right.
	Detail string
}
