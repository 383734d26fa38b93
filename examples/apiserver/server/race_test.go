//go:build race

package server_test

// raceDetector says that the servers of these tests run under it: its shadow of the
// memory is several times the memory.
const raceDetector = true
