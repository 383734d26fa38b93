// Package nodearch tells which architectures the nodes of a cluster have, and
// those of each of its machine config pools.
//
// Architectures are GOARCH strings.
//
// # The architecture of a node
//
//	1  the label kubernetes.io/arch, else status.nodeInfo.architecture
//	2  both are set and differ → the label; finding ArchitectureConflict
//	3  neither is set → none yet; finding ArchitectureMissing
//	4  another spelling (x86_64, aarch64, AMD64) → the architecture it means; finding
//	   ArchitectureAlias
//	5  a name that no payload is built for → kept as it is; finding UnknownArchitecture
//	6  a value that is not one token of a-z, 0-9 and _, nor one of rule 4 → counts as not
//	   set; finding ArchitectureMalformed
//
// Source: the kubelet, which sets the label and nodeInfo from its GOARCH. Rule 6: to
// read "amd64,arm64" as two architectures would make one node heterogeneous.
//
// # The sets of a cluster: FromNodes
//
//	7   all            every node, of whatever operating system
//	8   control plane  Linux nodes with the role control-plane, master or arbiter
//	9   workload       Linux nodes without a NoSchedule or NoExecute taint of these roles
//	10  other          nodes of other operating systems, by the name of the system
//	11  the operating system is the label kubernetes.io/os, else
//	    status.nodeInfo.operatingSystem, else linux with the finding OperatingSystemMissing
//	12  heterogeneous = more than one architecture in rule 7, whatever the payload
//	13  neither the order of the nodes nor their repetition matters
//
// Source: the roles and taints that the installer and the machine config operator
// give to control plane nodes. Rule 9 looks at taints and not at roles, so that the
// nodes of a compact cluster are workload nodes.
//
// # The pool of a node: FromPools
//
// Of the pools whose selector matches, the first rule that fits says which one has
// the node. Pools other than master and worker are called custom.
//
//	14  the node does not run Linux → none
//	15  two or more custom pools → none, problem at the node, even if master matches
//	16  master → master; finding MasterWins if a custom pool matches too
//	17  one custom pool → that pool, whether worker matches or not
//	18  worker → worker
//	19  no pool → none; finding NodeWithoutPool
//
//	20  an empty selector matches nothing
//	21  a selector that cannot be read matches nothing; problem at the pool
//
// Source: the node controller of the machine config operator. It places no node at
// all while one selector cannot be read; here the other pools are still answered.
//
// # Is a set complete: Incomplete, Reason and Field
//
// The first rule that fits wins.
//
//	 #  facts                                                  complete  reason
//	22  there are no nodes; finding NoNodes                    no        NoNodes
//	23  the selector of any pool cannot be read                no        SelectorUnreadable
//	24  the pool matches a node that rule 15 keeps out         no        PoolConflict
//	25  a node of the cluster or the pool has no architecture  no        ArchitectureMissing
//	26  otherwise, also for a pool without nodes               yes       Complete
//
// Rules 23 and 24 are for pools only. Source: this package. Rule 22 keeps a list
// that an informer has not synced yet from looking like a cluster that lost its
// nodes. Rule 23 holds for every pool, since its nodes may belong to the pool that
// cannot be read.
//
// # Texts
//
//	27  problems and findings repeat at most 128 characters of a value of the input, and
//	    say so where that is not all
//
// # What this package will not do
//
// It does not say what an image can run on, reads no nodes itself, and knows
// nothing of the payload. It gives no names to the annotations and ConfigMap keys
// that hold a set.
package nodearch
