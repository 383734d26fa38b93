package osimagestream

import (
	"cmp"
	"slices"
)

// FindingCode names a kind of Finding.
type FindingCode string

const (
	// FindingNotDockerImage: a tag looks like an OS image, but points to no
	// image by pull spec.
	FindingNotDockerImage FindingCode = "NotDockerImage"
	// FindingNotInspected: the labels of an image are not known.
	FindingNotInspected FindingCode = "NotInspected"
	// FindingNoStream: an image has no stream label.
	FindingNoStream FindingCode = "NoStreamLabel"
	// FindingUnknownRole: an image has a stream, but is neither an OS image nor an
	// extensions image.
	FindingUnknownRole FindingCode = "UnknownRole"
	// FindingTwoRoles: an image claims both roles. It was taken for an OS image.
	FindingTwoRoles FindingCode = "TwoRoles"
	// FindingIncompletePair: a stream lacks its OS or its extensions image.
	FindingIncompletePair FindingCode = "IncompletePair"
	// FindingDuplicateImage: two images claim one role of one stream.
	FindingDuplicateImage FindingCode = "DuplicateImage"
	// FindingOverridden: a later source has other images for a stream.
	FindingOverridden FindingCode = "Overridden"
	// FindingSourceUnusable: a source says too little to be used.
	FindingSourceUnusable FindingCode = "SourceUnusable"
	// FindingNameAssumed: the stream's name is the caller's word, not a label's.
	FindingNameAssumed FindingCode = "NameAssumed"
	// FindingNotOffered: the payload has a further stream, which OKD leaves out.
	FindingNotOffered FindingCode = "NotOffered"
	// FindingRetiredKept: a stream has left the payload, but stays the default
	// with the images it had, until a user chooses another.
	FindingRetiredKept FindingCode = "RetiredKept"
	// FindingUnannotated: no release was given, so the object lacks the
	// annotations without which MCO ignores it.
	FindingUnannotated FindingCode = "Unannotated"
	// FindingSingletonMissing: there is no OSImageStream.
	FindingSingletonMissing FindingCode = "SingletonMissing"
	// FindingNotReconciled: the OSImageStream has no status yet.
	FindingNotReconciled FindingCode = "NotReconciled"
	// FindingOtherRelease: the OSImageStream is not up to date with this release.
	FindingOtherRelease FindingCode = "OtherRelease"
	// FindingWorkerMissing: a custom pool inherits, but no worker pool was given.
	FindingWorkerMissing FindingCode = "WorkerMissing"
	// FindingURLOverride: osImageURL overrides the default stream's OS image.
	FindingURLOverride FindingCode = "OSImageURLOverride"
	// FindingURLConflict: osImageURL overrides a stream that was asked for.
	FindingURLConflict FindingCode = "OSImageURLConflict"
	// FindingFlavor: the cluster's feature set belongs to the other flavor.
	FindingFlavor FindingCode = "FlavorMismatch"
)

// Finding is something that was skipped, conflicts or is odd, and that nobody has
// to mend for the answer to be right.
type Finding struct {
	Code FindingCode
	// Path leads to what the finding is about: an object or file, and a field.
	Path string
	// Detail is for people. Its wording is no part of the API.
	Detail string
}

// sortFindings orders by path, code, detail.
func sortFindings(fs []Finding) {
	slices.SortFunc(fs, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
}
