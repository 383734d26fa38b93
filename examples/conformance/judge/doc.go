// Package judge is the Test Plan of the enhancement
// dynamic-imagestream-importmode-setting (openshift/enhancements,
// enhancements/multi-arch), played on a cluster.
//
// # Items
//
// The first four hold one hop each to the hop before it, so that the hop that is
// broken is the one that fails. The last two hold what comes out at the end to
// the payload, so that they fail with any hop.
//
//	item                 of the plan                                      is held to
//	observed-config      1. observed config                               image config's status
//	apiserver            2. openshift-apiserver                           observed config
//	payload-type         3. payload type on installs and upgrades         the payload
//	image-config-status  4. status of the image config                    its spec, ClusterVersion
//	new-image-streams    4. (the second) new image streams on multi       the payload
//	single-multi-single  5. single to multi to single                     the payload
//
// # Stages
//
// A step belongs to a stage, and a stage is run or is not:
//
//	now       the cluster as it is; image streams in a namespace of the run's own
//	override  spec.imageStreamImportMode is set to the other mode, and set back;
//	          with Options.Disruptive only
//	moves     the payload goes to multi and back; with Options.Disruptive on the
//	          reference apiserver only. Elsewhere the steps observe.
//
// # Judging
//
// A step that needs what cannot be read or done, or what is not known, could not be
// judged, which is not to fail. Which payload is installed nobody in a cluster says
// but the ClusterVersion, which is to be judged: unless the caller says it, or the
// run moved the payload itself, payload-type observes.
//
// While servers are rolled out they may be away, or answer by turns by the old and
// the new mode. A wait ends when what is wanted was there, for image streams several
// times in a row; it fails when the time is over and something else was answered;
// and it could not be judged when there was no answer.
//
// # What a run writes
//
// Everything that a run makes has the label [LabelRun] with the id of the run, and
// nothing else is removed. What it changes of others' objects, and what was there
// before, it first records in a ConfigMap, from which it sets that back at its end,
// and from which [Cleanup] does after a crash. A value that somebody else has set
// since is left alone. Image streams have tags with reference: true, so that nothing
// is imported.
package judge
