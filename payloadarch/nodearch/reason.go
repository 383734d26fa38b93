package nodearch

// Reason is the machine-readable ground on which a set of architectures counts as
// complete or not.
type Reason string

const (
	// ReasonNoNodes: there are no nodes at all.
	ReasonNoNodes Reason = "NoNodes"
	// ReasonSelectorUnreadable: the node selector of a pool cannot be read, and
	// nodes of any other pool may belong to it.
	ReasonSelectorUnreadable Reason = "SelectorUnreadable"
	// ReasonPoolConflict: a node matches the pool and is in no pool, since two
	// custom pools claim it.
	ReasonPoolConflict Reason = "PoolConflict"
	// ReasonArchitectureMissing: a node has no architecture yet.
	ReasonArchitectureMissing Reason = "ArchitectureMissing"
	// ReasonComplete: every node has told its architecture.
	ReasonComplete Reason = "Complete"
)

// gaps gathers why a set is incomplete. Of several places that say the same, the
// first in their order counts, so that the order of the nodes does not matter.
type gaps struct{ conflict, missing string }

func first(path, other string) string {
	if path == "" || other < path {
		return other
	}
	return path
}

// reason returns the first reason that holds, and the place that shows it.
func (g gaps) reason(nodes int, unreadable string) (Reason, string) {
	switch {
	case nodes == 0:
		return ReasonNoNodes, nodesPath
	case unreadable != "":
		return ReasonSelectorUnreadable, unreadable
	case g.conflict != "":
		return ReasonPoolConflict, g.conflict
	case g.missing != "":
		return ReasonArchitectureMissing, g.missing
	}
	return ReasonComplete, ""
}
