// Package polyarch is the map of a set of pure decision packages for OpenShift
// and OKD clusters whose nodes are of several architectures. It holds no code.
//
//	ClusterVersion, FeatureGate, release metadata        → payloadarch → importmode
//	nodes, MachineConfigPools                            → payloadarch/nodearch
//	DataImportCronTemplates + cluster architectures      → dictexpand
//	per-architecture images                              → manifestlist, manifestlist/buildplan
//	image-references + image labels                      → osimagestream
//
// # The packages
//
//   - [github.com/polyarch/polyarch/payloadarch]: which kind of payload a
//     cluster has.
//   - [github.com/polyarch/polyarch/payloadarch/nodearch]: which architectures the
//     nodes of a cluster and of each machine config pool have.
//   - [github.com/polyarch/polyarch/importmode]: from the payload kind and the
//     configuration to the import mode of every image stream tag.
//   - [github.com/polyarch/polyarch/dictexpand]: from DataImportCronTemplates to
//     one DataImportCron per architecture.
//   - [github.com/polyarch/polyarch/manifestlist]: from per-architecture digests
//     to an OCI image index, and choosing out of one.
//   - [github.com/polyarch/polyarch/manifestlist/buildplan]: which
//     per-architecture OS image builds to run, reuse, wait for and publish.
//   - github.com/polyarch/polyarch/osimagestream, a module of its own: from a
//     release payload to an OSImageStream.
//
// # What they have in common
//
// Same arguments, same answer: no clock, environment, I/O, logger, context,
// goroutine, runtime.GOARCH or package variable that changes. Arguments are
// never changed and never kept. Three kinds of trouble are kept apart:
//
//   - a problem (field.ErrorList) is bad cluster data that somebody must mend;
//     the answer beside it is complete;
//   - a finding (a code, a path, a detail) is what was skipped, conflicts or is
//     odd;
//   - a Go error means that the input could not be read at all, or that the
//     caller made a mistake; it comes with the zero result.
//
// # What they will not do
//
// They do not talk to a cluster or a registry, write no object, keep no state
// and retry nothing. The module in examples/ shows how an operator or an
// apiserver embeds them.
package polyarch
