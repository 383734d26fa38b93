// Package server is the reference apiserver: etcd, a generic Kubernetes API
// server, the CustomResourceDefinitions of OpenShift, and image streams whose
// import modes package importmode decides.
//
// It shows where in an apiserver the decisions belong: in the strategy of the
// resource, which sees the stored object, and never in decoding, which does
// not. Names, content, image stream tags and tables are held to the source of
// openshift-apiserver; docs/decisions.md lists where they differ on purpose.
//
// It imports images from registries, by package importer, and stores what they are:
// imagestreamimports, images, imagestreamimages.
//
// What it says when it does not start, or stops, and what to do then, is in
// docs/troubleshooting.md.
//
// What it is not: it keeps no image's layers, runs two admission plugins (which
// streams a machine config pool may name, and what CDI's webhook refuses of a
// DataImportCron) and no controller beyond those of CustomResourceDefinitions, and
// knows one user.
package server
