// Package validation holds what clients send of image streams and their imports to
// what openshift-apiserver holds it to, and fills in what its decoding does, but for
// the import mode, which package importmode decides.
//
// It knows no server and no storage, so it is quick to build and to fuzz.
package validation
