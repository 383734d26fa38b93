// Package controller imports the tags of image streams, as the image import
// controller of openshift-controller-manager does: it is what makes "oc apply",
// "oc tag" and "oc annotate" lead to images. It models pkg/image/controller there,
// imagestream_controller.go at 071b34b and scheduled_image_controller.go at 2aa7d3c.
//
//	1  a tag is imported if it is from a DockerImage and no reference (tagImportable)
//	2  it is, when its generation is ahead of that of its newest event and of its
//	   condition ImportSuccess; so a failure is tried once for each change of the tag
//	   (tagNeedsImport, latestObservedTagGeneration)
//	3  a stream without the annotation openshift.io/image.dockerRepositoryCheck has its
//	   spec.dockerImageRepository and all its tags imported, and else the tags that have
//	   no generation (needsImport)
//	4  a scheduled tag is imported at its time, whatever its generation and condition
//	   (resetScheduledTags)
//	5  a scheduled tag that names a digest is, until that has succeeded
//	6  the mode of the request is that of the tag: an empty one is sent empty, so that the
//	   API server decides, and keeps it empty (handleImageStream). So is a value that is
//	   no mode, which the server would refuse
//	7  the request names the resourceVersion and the UID that it was made for
//	   (handleImageStream)
//
// Errors of the API server are tried again after the delays of the work queue. A request
// that it refuses as invalid is not, before the stream changes or the schedule says so:
// an event at the stream tells. As it does upstream, this holds up the other tags of the
// request. What registries refuse is no error here: it is in the conditions of the tags.
//
// Upstream differs in four points. It lets one scheduled tag of a digest keep a stream
// off the schedule, along with its other tags (needsScheduling). For rule 5 it takes a
// failure for an end. Any import of a stream puts its schedule off (Importing), so that a
// stream that changes all the time is never looked at again. And it sends what is invalid
// again and again.
package controller
