// Package manifestlist assembles per-architecture images into an OCI image index
// or Docker manifest list, reads and updates one, and chooses out of one.
package manifestlist
