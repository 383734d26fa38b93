// Package osimagestream decides which operating system images a cluster offers
// to its machine config pools, and what the OSImageStream singleton says of them.
//
// OKD ships one stream, OCP several. Both use the same API: an OKD cluster has an
// OSImageStream that offers exactly one stream, so everything that relies on the
// object works there unchanged. The flavor is an argument, no build tag; see
// Flavor for how a build that knows its flavor pins it.
//
// The way of the data: ParseImageReferences reads the payload's list of images,
// Sources.Images says which of them to inspect, Discover pairs them into streams,
// Manage says whether the object is to be kept at all, Advance says what to write
// and in which order, ForPool resolves a pool to its images, ValidatePool judges
// an edit of a pool.
//
// # Discover
//
//  1. A tag of kind DockerImage is a candidate if its annotation
//     io.openshift.build.source-location contains github.com/openshift/os, or if
//     its name is (rhel|stream|centos|scos)…-coreos….
//  2. The label io.openshift.os.streamclass names the stream of an image.
//     containers.bootc true or 1 makes it the OS image, io.openshift.os.extensions
//     true the extensions image; values compare without case. The place that an
//     image has in a ConfigMap or on the command line does not make its role.
//  3. An image of no stream or no role, one that was not inspected, and a pair that
//     lacks a half are findings, and no stream comes of them.
//  4. Two images for one role of one stream: the smallest tag name wins, a finding
//     names both.
//  5. Sources are the command line, the ConfigMap machine-config-osimageurl and the
//     payload. A stream is taken whole from the last source that completes it; the
//     halves of two sources are never mixed. A source that fails leaves the others.
//  6. The pull spec of an image and the name of a stream must be what the CRD takes;
//     otherwise a problem, and the image does not count.
//  7. Without any labels, and with a stream name given by the caller: one stream of
//     that name, of the tags stream-coreos and stream-coreos-extensions or of the
//     pairs of the other sources.
//
// # Single and Default
//
//  8. OKD has one stream. Of several: the one that spec (else status) names, else
//     the built-in default, else the highest version. The others are findings.
//  9. The default is what spec names, else what status names, else the sole stream,
//     else the built-in one: centos-10 on OKD, rhel-9 on OCP installed as 4.x,
//     rhel-10 on OCP installed as anything else.
//  10. A named stream that is not offered: OKD takes its sole stream instead. OCP
//     has no default then, and a problem names the choices, for users choose
//     their RHEL.
//  11. The install version is the oldest completed entry of the history, else the
//     desired version.
//
// # Advance
//
//  12. No object: create it, then write its status.
//  13. Status before spec, because the CRD lets spec name only what status offers;
//     annotations last, because MCO takes them for the sign that all is done.
//  14. An empty spec (stored before the field existed) is filled first, with a
//     stream that the *stored* status offers.
//  15. OCP without a default: status.defaultStream and the images behind it stay
//     as they were, the other streams are brought up to date so that spec can name
//     them, and the annotations are not moved.
//  16. Nothing to change: no step.
//
// # Pools
//
//  17. A pool's own stream, else (custom pools) the worker pool's, else
//     status.defaultStream.
//  18. A stream that is not offered gives no image and a problem, never another
//     stream's images.
//  19. A missing singleton, one without status, or one that is annotated by another
//     version than the caller's gives no image and a finding. An osImageURL beside
//     a stream that was asked for is a finding too.
//  20. An edit that leaves the stream's name as it was, or names none, is valid
//     whatever the singleton says. A name that is new must be offered.
//
// # Manage
//
//  21. Not on MicroShift, not on HyperShift. Elsewhere if the gate OSStreams is
//     enabled for the running version; no entry for that version means not yet.
//
// The rules on CRD values follow the CRD of
// machineconfiguration.openshift.io/v1 OSImageStream; rules 1, 2, 5, 9, 11 and 17
// follow the machine config operator, the others mend what hurts there.
//
// # What it does not do
//
// It pulls nothing, inspects no image, writes no object. It renders no machine
// config and knows nothing of nodes. It does not delete the object, because the
// cluster forbids that.
package osimagestream
