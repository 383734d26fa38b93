// Package scale holds that the memory of an audit does not grow as a cluster does. It
// has no code: its tests are apart from others because they take long.
package scale
