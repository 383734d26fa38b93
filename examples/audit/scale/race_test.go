//go:build race

package scale_test

// The race detector takes ten times as long, so that there are fewer streams and
// entries; what grows with each stream shows all the same.
const streams, limit = 3000, 1000
