// Package nodearchtest holds somebody else's decisions on the architectures of nodes and
// machine config pools to the rules of package nodearch:
//
//	func TestNodes(t *testing.T) {
//		nodearchtest.Conform(t, func(testing.TB) nodearchtest.Impl {
//			return nodearchtest.Impl{Nodes: architecturesOf}
//		}, nodearchtest.Options{RuleSet: "v1"})
//	}
//
// [Impl] is a struct of functions in the terms of the operators that have the decision:
// whoever looks at one node (Architecture), at the nodes of a cluster (Nodes: SSP, HCO,
// CDI), or at those of the machine config pools (Pools: the machine config operator).
// Who has one of them fills in that one.
//
// # What an implementation is shown
//
// Rows: the tables of the functions that end in Cases. Properties: inputs out of the
// generators, whose answer is that of an oracle ([OracleArchitecture], [OracleNodes],
// [OraclePool]), written without package nodearch. A property draws only what its rule
// speaks of, so that a defect fails the rules that are broken and no others. Results
// are compared as sets; an implementation gets copies. Told are texts for an
// administrator: only whether there is one, and how long it is, matters.
//
// # What the generators draw
//
//	Architectures  one of the payload's architectures 3 in 4, else another token
//	PlainNodes     1 to 8 nodes that tell everything in its right spelling; each of
//	               control plane closed and open, worker, other system 1 in 4
//	AnyNodes       0 to 6 nodes that may lack anything but their names: half have labels;
//	               architectures of 14 kinds, also none, aliases and malformed ones
//	AnyPools       0 to 6 pools, 1 in 10 with a selector that cannot be read
//	PlacementOf    a node and pools of which one rule decides where it is
package nodearchtest
