// Package patchfile writes the patches of a report as files for kubectl apply, one for
// each object.
package patchfile
