// Package nodearch tells which architectures the nodes of a cluster have, and
// those of each of its machine config pools.
//
// Architectures are GOARCH strings. Other spellings of the payload's
// architectures (x86_64, aarch64, AMD64) are taken for them, with the finding
// ArchitectureAlias; unknown names are kept as they are, with the finding
// UnknownArchitecture.
//
// # The architecture of a node
//
//	1  the label kubernetes.io/arch, else status.nodeInfo.architecture
//	2  both are set and differ → the label, finding ArchitectureConflict
//	3  neither is set → none yet, finding ArchitectureMissing; the sets are incomplete
//	4  there are no nodes → finding NoNodes; every set is incomplete
//
// Source: the kubelet, which sets the label and nodeInfo from its GOARCH. Rule 4
// keeps the list of an informer that is not synced from looking like a cluster
// that lost its nodes.
//
// # The sets of a cluster: FromNodes
//
//	 5  all           every node, of whatever operating system
//	 6  control plane Linux nodes with the role control-plane, master or arbiter
//	 7  workload      Linux nodes without a NoSchedule or NoExecute taint of these roles
//	 8  other         nodes of other operating systems, apart by system
//	 9  neither label nor nodeInfo names the operating system → linux, finding
//	    OperatingSystemMissing
//	10  heterogeneous = more than one architecture in rule 5, whatever the payload
//	11  neither the order of nodes nor their repetition matters
//
// Rule 7 looks at taints and not at roles, so that the nodes of a compact cluster
// are workload nodes.
//
// # The pool of a node: FromPools
//
// A selector that is empty matches nothing. Of the pools whose selector matches,
// the first rule that fits says which one has the node. Pools other than master
// and worker are called custom.
//
//	12  the node does not run Linux → none
//	13  two or more custom pools → none, problem at the node, even if master matches;
//	    the pools that match are incomplete
//	14  master → master; finding MasterWins if a custom pool matches too
//	15  one custom pool → that pool, whether worker matches or not
//	16  worker → worker
//	17  no pool → none, finding NodeWithoutPool
//	18  a selector that cannot be read → problem at the pool; every pool is incomplete
//	19  a pool is incomplete by rule 3 only if a node of its own is
//
// Source: the node controller of the machine config operator. It places no node
// at all while one selector cannot be read; rule 18 answers for the other pools,
// and calls all of them incomplete, since their nodes may belong to the pool that
// cannot be read.
//
// # What this package will not do
//
// It does not say what an image can run on, reads no nodes itself, and knows
// nothing of the payload. It gives no names to the annotations and ConfigMap keys
// that hold a set.
package nodearch
