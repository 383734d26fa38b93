package source

// Limits bounds what is read of files, so that an archive that was made to hurt, or one
// that is larger than anybody thought, ends in a line of the report.
type Limits struct {
	// Files is how many entries are looked at.
	Files int
	// File is the largest file in bytes, Object the largest object.
	File, Object int64
	// Total is how many bytes are read of one archive, and Ratio how many times its
	// size in the archive that may be, once it is over Object.
	Total, Ratio int64
}

// DefaultLimits holds for must-gathers of the largest clusters. etcd stores no object
// over 1.5 MiB.
var DefaultLimits = Limits{Files: 500_000, File: 1 << 30, Object: 8 << 20, Total: 64 << 30, Ratio: 300}
