package nodearch

import (
	"cmp"
	"slices"
	"strings"
)

// FindingCode names a kind of Finding.
type FindingCode string

const (
	// FindingAlias: a node spells its architecture in another way than GOARCH. It
	// was taken for the one it means.
	FindingAlias FindingCode = "ArchitectureAlias"
	// FindingUnknownArchitecture: no payload is built for the architecture of a
	// node. Sets keep it under the name it has.
	FindingUnknownArchitecture FindingCode = "UnknownArchitecture"
	// FindingArchitectureMissing: a node has no architecture yet, so the sets
	// that it belongs to are incomplete.
	FindingArchitectureMissing FindingCode = "ArchitectureMissing"
	// FindingArchitectureMalformed: what a node gives for its architecture cannot be
	// the name of one. It counts as not set.
	FindingArchitectureMalformed FindingCode = "ArchitectureMalformed"
	// FindingArchitectureConflict: the label and the kubelet name different
	// architectures. The label was taken.
	FindingArchitectureConflict FindingCode = "ArchitectureConflict"
	// FindingOSMissing: a node has no operating system yet and was taken for
	// Linux.
	FindingOSMissing FindingCode = "OperatingSystemMissing"
	// FindingNoNodes: there are no nodes at all, so every set is incomplete.
	FindingNoNodes FindingCode = "NoNodes"
	// FindingNodeWithoutPool: no pool takes a Linux node.
	FindingNodeWithoutPool FindingCode = "NodeWithoutPool"
	// FindingMasterWins: a node matches a custom pool and is in master
	// nevertheless.
	FindingMasterWins FindingCode = "MasterWins"
)

// A Finding is something conflicting or odd that does not make the answer wrong.
type Finding struct {
	Code FindingCode
	// Path is where it was met, such as
	// "nodes[worker-0].metadata.labels[kubernetes.io/arch]".
	Path string
	// Detail is for people. It names the value met and what would be right.
	Detail string
}

// String returns "path: detail", or the detail alone where there is no path.
func (f Finding) String() string {
	if f.Path == "" {
		return f.Detail
	}
	return f.Path + ": " + f.Detail
}

// sortFindings puts findings that were gathered from a list of objects into
// their order: by path, then code, then detail.
func sortFindings(f []Finding) {
	slices.SortFunc(f, func(a, b Finding) int {
		// Paths nearly always differ, and cmp.Or would compare the rest all the same.
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.Code, b.Code), strings.Compare(a.Detail, b.Detail))
	})
}
