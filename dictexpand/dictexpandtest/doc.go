// Package dictexpandtest holds somebody else's code for DataImportCronTemplates to the
// rules of package dictexpand: code that expands templates into DataImportCrons and
// DataSources, tells users' own images, or reconciles a cluster.
//
//	func TestBootSources(t *testing.T) {
//		dictexpandtest.Conform(t, func(testing.TB) dictexpandtest.Impl {
//			return dictexpandtest.Impl{Architectures: parse, Expand: expand, Reconcile: reconcile}
//		}, conformance.Options{RuleSet: "v1"})
//	}
//
// # The functions of an Impl
//
// [Impl] is a struct of functions in the terms of the operators that have the decision:
// Architectures is for the HyperConverged operator, which reads the annotation for its
// status, and the rest for the SSP operator. Who has one of them fills in that one. The
// rules are [Rules]. Those about findings, texts, and the verbs, reasons and order of
// steps are package dictexpand's alone.
//
// Reconcile is one run of an operator. It is given a [Client], which is what an operator
// has of a cluster, and it is judged by what there is in the end: what crons, what
// DataSources, who updates them, and whether machines could boot from them all the time.
//
// # The model of CDI
//
// [CDI] is an API server with the Containerized Data Importer behind it, from 1.60 on or
// before, with the webhook ([Webhook]). A [World] is a cluster with an operator. A [Story]
// is a world that has settled, and something that happens to it.
//
// The cases can be run in another way: [AnnotationCases], [ExpandCases], [ObjectCases],
// [SpecCases], [ScheduleCases], [MetadataCases], [OwnImageCases], [DryRunCases], [Stories].
//
// # What the generators draw
//
//	Annotation    0 to 4 parts, each of 7 alike: the 4 architectures of a payload, an
//	              alias, a typo, a blank
//	Templates     1 to 4 templates that nothing is wrong with, 0 to 4 architectures each
//	AnyTemplate   7 names and 6 DataSources that collide with one another, one name too
//	              long and one empty; 1 in 5 in another namespace; 1 in 4 under a
//	              retentionPolicy of None; 1 in 6 without a source; 1 in 6 with a
//	              platform of its own
//	AnyTemplates  0 to 5 of them
//	AnyCluster    3 in 4 with multiple architectures; 0 to 4 architectures in any order,
//	              and as many with nodes for workload, supported, and held; 1 in 5 with
//	              nodes that are not known yet; 1 in 2 with DataSources of the operator's
//	              own; 1 in 2 with a user's own image
//	Histories     1 to 3 templates that nothing is wrong with, then 1 to 20 events, 19
//	              kinds alike (running the operator counts four times, coming to an end
//	              and a look of CDI twice), then such templates again; a write fails 1 in
//	              4; a new schedule is one that the API server refuses 1 in 3
//
// # The oracle
//
// [Oracle] reads the contract aloud and asks [Webhook] whether a cron would be refused.
// It does not use package dictexpand, and has no Reconcile.
package dictexpandtest
