//go:build !race

package scale_test

// streams is how many image streams the larger part has, limit how many entries of one
// code a report has: that of the command.
const streams, limit = 100_000, 10_000
