package osimagestream

import (
	"cmp"
	"slices"
)

// FindingCode names a kind of Finding.
type FindingCode string

const (
	// FindingNotDockerImage: a tag looks like an OS image, but does not point to
	// an image by pull spec.
	FindingNotDockerImage FindingCode = "NotDockerImage"
	// FindingNotInspected: the labels of an image are not known.
	FindingNotInspected FindingCode = "NotInspected"
	// FindingPayloadUnread: the payload was not read.
	FindingPayloadUnread FindingCode = "PayloadUnread"
	// FindingIncomplete: not all was seen, so no stream counts and nothing is
	// written.
	FindingIncomplete FindingCode = "Incomplete"
	// FindingNoStream: an image has no stream label.
	FindingNoStream FindingCode = "NoStreamLabel"
	// FindingUnknownRole: an image has a stream, but is neither an OS image nor an
	// extensions image.
	FindingUnknownRole FindingCode = "UnknownRole"
	// FindingTwoRoles: an image claims both roles and is taken for an OS image.
	FindingTwoRoles FindingCode = "TwoRoles"
	// FindingIncompletePair: a stream lacks its OS or its extensions image.
	FindingIncompletePair FindingCode = "IncompletePair"
	// FindingDuplicateImage: two images claim one role of one stream.
	FindingDuplicateImage FindingCode = "DuplicateImage"
	// FindingOverridden: a later source has other images for a stream.
	FindingOverridden FindingCode = "Overridden"
	// FindingSourceUnusable: a source lacks one of its two images.
	FindingSourceUnusable FindingCode = "SourceUnusable"
	// FindingNameAssumed: the stream's name is from the caller, not from a label.
	FindingNameAssumed FindingCode = "NameAssumed"
	// FindingNotOffered: the payload has a further stream, and OKD leaves it out.
	FindingNotOffered FindingCode = "NotOffered"
	// FindingRetiredKept: a stream has left the payload, but stays the default,
	// with the images it had, until a user chooses another.
	FindingRetiredKept FindingCode = "RetiredKept"
	// FindingUnannotated: the release is not given, or not whole, so the object
	// lacks an annotation without which MCO ignores it.
	FindingUnannotated FindingCode = "Unannotated"
	// FindingSingletonMissing: there is no OSImageStream.
	FindingSingletonMissing FindingCode = "SingletonMissing"
	// FindingNotReconciled: the OSImageStream has no status yet.
	FindingNotReconciled FindingCode = "NotReconciled"
	// FindingOtherRelease: the OSImageStream holds the streams of another release.
	FindingOtherRelease FindingCode = "OtherRelease"
	// FindingWorkerMissing: a custom pool inherits, but no worker pool was given.
	FindingWorkerMissing FindingCode = "WorkerMissing"
	// FindingURLOverride: osImageURL overrides the default stream's OS image.
	FindingURLOverride FindingCode = "OSImageURLOverride"
	// FindingURLShadowed: several machine configs set osImageURL, and this is not
	// the one that wins.
	FindingURLShadowed FindingCode = "OSImageURLShadowed"
	// FindingFlavor: the cluster's feature set is that of the other flavor.
	FindingFlavor FindingCode = "FlavorMismatch"
)

// Finding is something that was skipped, conflicts or is odd. It blocks nothing:
// the answer is right without anybody's help. The zero value says nothing.
type Finding struct {
	Code FindingCode
	// Path leads to what the finding is about: an object, file or argument, and a
	// field in it.
	Path string
	// Detail is for people. Its wording is no part of the API.
	Detail string
}

// String returns "path: detail", or the detail alone if there is no path.
func (f Finding) String() string {
	if f.Path == "" {
		return f.Detail
	}
	return f.Path + ": " + f.Detail
}

// sortFindings orders by path, code, detail.
func sortFindings(fs []Finding) {
	slices.SortFunc(fs, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
}
