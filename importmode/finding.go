package importmode

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	imagev1 "github.com/openshift/api/image/v1"
)

// FindingCode names a kind of Finding.
type FindingCode string

const (
	// FindingUnknownCurrent: the current status holds a value that is no mode,
	// and was taken as empty.
	FindingUnknownCurrent FindingCode = "UnknownCurrentMode"
	// FindingHomogeneousNodes: a multi payload runs on nodes of a single
	// architecture, where an administrator may prefer Legacy.
	FindingHomogeneousNodes FindingCode = "HomogeneousNodes"
	// FindingLegacyIgnored: Legacy was sent by a client that always sends it, and
	// was taken as not given.
	FindingLegacyIgnored FindingCode = "LegacyIgnored"
	// FindingUnknownStored: a stored value that is no mode was kept.
	FindingUnknownStored FindingCode = "UnknownStoredMode"
	// FindingLegacyOverPreserveOriginal: the manifest of a managed stream sets
	// Legacy on a tag that preserves the original now.
	FindingLegacyOverPreserveOriginal FindingCode = "LegacyOverPreserveOriginal"
)

// A Finding is something odd that does not make the answer wrong.
type Finding struct {
	Code FindingCode
	// Path is where it was met: a field path within the object given.
	Path string
	// Detail is for people and names the value met and what would be right.
	Detail string
}

// Findings returns what is odd about tag decisions, in their order, and nil if
// nothing is. Path is where the list is that was decided, or the tag where there
// is no list: "spec.tags" of an image stream, "spec.images" of an import,
// "status.repository.images" of a repository's import, "tag" of an image stream
// tag. Decisions carry only marks, so that deciding need not allocate; the texts
// are made here.
func Findings(decisions []TagDecision, path *field.Path) []Finding {
	var found []Finding
	for i := range decisions {
		d := &decisions[i]
		if d.marks == 0 {
			continue
		}
		tag := path
		if d.Index >= 0 {
			tag = path.Index(d.Index)
		}
		at := tag.String()
		if d.marks&legacyIgnored != 0 {
			found = append(found, Finding{FindingLegacyIgnored, at,
				"Legacy was sent by a client that sends it unasked and counts as not given; the mode is " +
					strconv.Quote(string(d.Mode)) + " (" + string(d.Reason()) + ")"})
		}
		if d.marks&unknownStored != 0 {
			found = append(found, Finding{FindingUnknownStored, at,
				"the tag is stored with the mode " + strconv.Quote(string(d.Mode)) +
					", which is kept; set it to Legacy or PreserveOriginal"})
		}
		if d.marks&legacyOverPreserveOriginal != 0 {
			found = append(found, Finding{FindingLegacyOverPreserveOriginal, at,
				"the tag is " + string(imagev1.ImportModePreserveOriginal) +
					" now and the manifest sets it to Legacy; drop the mode from the manifest to keep it"})
		}
	}
	return found
}
