package buildplan

import (
	"slices"

	"github.com/polyarch/polyarch/internal/quote"
)

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
	// FindingRecordUnreadable: an annotation of ours does not hold what we wrote
	// there, or is gone, and what depends on it is ignored.
	FindingRecordUnreadable FindingCode = "RecordUnreadable"
	// FindingImageGone: a recorded image is not in the registry any more.
	FindingImageGone FindingCode = "ImageGone"
	// FindingImageUnreadable: the registry does not tell whether it has an image.
	FindingImageUnreadable FindingCode = "ImageUnreadable"
	// FindingNameTaken: a job of another build, or of no build, has the name of one
	// that is to be run.
	FindingNameTaken FindingCode = "NameTaken"
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

// notes are findings in the order in which they were made.
type notes []Finding

func (n *notes) note(code FindingCode, path, detail string) {
	*n = append(*n, Finding{code, path, detail})
}

// unique returns the findings of several lists, each once, nil if there is none.
func unique(lists ...[]Finding) []Finding {
	var all []Finding
	for _, list := range lists {
		all = append(all, list...)
	}
	if len(all) < 2 {
		return all
	}
	seen := make(map[Finding]struct{}, len(all))
	return slices.DeleteFunc(all, func(f Finding) bool {
		_, again := seen[f]
		seen[f] = struct{}{}
		return again
	})
}

const notOurs = ", which was not written here"

// inBuild is the path of an annotation of a build.
func inBuild(build, annotation string) string {
	return "machineosbuilds[" + build + "].metadata.annotations[" + annotation + "]"
}

func gone(path, pullSpec string) Finding {
	return Finding{FindingImageGone, path, "is " + quote.Cut(pullSpec) + ", which the registry does not have"}
}

func untold(path, pullSpec string) Finding {
	return Finding{FindingImageUnreadable, path, "is " + quote.Cut(pullSpec) + ", which the registry cannot be asked for: what depends on it holds"}
}

func unreadable(build, annotation, value string) Finding {
	return Finding{FindingRecordUnreadable, inBuild(build, annotation), "is " + quote.Cut(value) + notOurs}
}
