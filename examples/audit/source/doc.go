// Package source hands out the objects that an audit reads, from a running cluster or
// from files that oc adm must-gather and oc adm inspect wrote. It decides nothing: it
// says what it read, what it could not read and what was not there.
//
// A running cluster is only asked: every request is a GET, and lists come in pieces of
// 500. In files, objects are known by what they say of themselves (apiVersion, kind,
// namespace, name), never by the path of the file. Secrets are never read.
package source
