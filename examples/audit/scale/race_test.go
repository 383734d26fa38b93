//go:build race

package scale_test

// streams is how many image streams the larger part has. The race detector takes ten
// times as long, so that there are fewer; what grows with each stream shows all the same.
const streams = 10_000
