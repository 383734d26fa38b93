// Package whatif changes the facts of a cluster as somebody asks, and compares what the
// sections say before and after. What follows from a change is what polyarch's packages
// decide for the changed facts; this package decides nothing.
package whatif
