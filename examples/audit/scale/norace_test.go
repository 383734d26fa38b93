//go:build !race

package scale_test

// streams is how many image streams the larger part has.
const streams = 100_000
