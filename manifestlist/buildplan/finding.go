package buildplan

import "slices"

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
	// FindingRecordUnreadable: an annotation of ours does not hold what we write
	// there, and was ignored.
	FindingRecordUnreadable FindingCode = "RecordUnreadable"
	// FindingImageGone: a recorded image is not in the registry any more.
	FindingImageGone FindingCode = "ImageGone"
	// FindingRelatedObjects: the status cannot list all related objects.
	FindingRelatedObjects FindingCode = "RelatedObjectsFull"
	// FindingConditions: the status cannot keep all conditions of others.
	FindingConditions FindingCode = "ConditionsFull"
)

// A Finding is something skipped, conflicting or odd. It never stops a build:
// what does is a problem.
type Finding struct {
	Code FindingCode
	// Path is where it was met: the resource and name of the object and the field
	// path in it, such as "machineosconfigs[worker].spec.containerFile[1]".
	Path string
	// Detail is for people. It names the value met and what would be right.
	Detail string
}

// String returns the path and the detail.
func (f Finding) String() string {
	if f.Path == "" {
		return f.Detail
	}
	return f.Path + ": " + f.Detail
}

// notes are findings, each of them once, in the order in which they were made.
type notes []Finding

func (n *notes) note(code FindingCode, path, detail string) {
	n.add(Finding{code, path, detail})
}

func (n *notes) add(findings ...Finding) {
	for _, f := range findings {
		if !slices.Contains(*n, f) {
			*n = append(*n, f)
		}
	}
}
