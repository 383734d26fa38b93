// Package embedding shows how six operators and HyperShift call polyarch, as examples
// that run.
//
// Each file is one operator. What stands for the operator has the names and the
// shapes of its own code (types, listers, signatures), so that what is between
// them can be taken over as it is: see docs/embedding.md, which quotes these
// files and says what to watch. A test holds the quotes, and those in README.md,
// against the files.
//
// The operators' own packages are not imported: an API server's internal types
// cannot be, and none of them would bring anything but its dependencies.
package embedding
