package manifestlisttest

import (
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// A Child is one manifest that is to be in an index: what is known of it.
type Child struct {
	Name       string             // for errors only
	Descriptor ocispec.Descriptor // complete, or completed from the bytes
	Manifest   []byte             // byte for byte, or nil
	Config     []byte             // the configuration that Manifest names, or nil
}

// Options are how an index is to be made. The zero value asks for an OCI index of
// exactly the images given.
type Options struct {
	Format           string // OCI, Docker, Infer; "" is OCI, or that of the index that is updated
	Required         []ocispec.Platform
	Duplicates       string // "" refuses, ReplaceDuplicates, KeepIdentical
	Nested           string // "" refuses, Flatten
	Attestations     string // "" drops, KeepAttestations
	Remove           []ocispec.Platform
	Annotations      map[string]string
	ArtifactType     string
	Subject          *ocispec.Descriptor
	ClearAnnotations bool
	SizeLimit        int // of a manifest, a config and the index; 0 is 4 MiB
}

// The values of [Options].
const (
	OCI               = "OCI"
	Docker            = "Docker"
	Infer             = "Infer"
	ReplaceDuplicates = "Replace"
	KeepIdentical     = "KeepIdentical"
	Flatten           = "Flatten"
	KeepAttestations  = "Keep"
)

// A Chooser gives the position of the entry of the index for the wanted platform, or
// an error if there is none. The host is the machine that chooses.
type Chooser func(index ocispec.Index, wanted, host ocispec.Platform) (int, error)

// An Impl is somebody's implementation. What is nil is not implemented.
type Impl struct {
	// Assemble makes an index of the children. The descriptor is that of the bytes.
	Assemble func(children []Child, o Options) ([]byte, ocispec.Descriptor, error)
	// Describe gives the descriptor of one image that needs no index.
	Describe func(child Child, o Options) (ocispec.Descriptor, error)
	// Update makes a new index out of an old one and new children. The descriptor is
	// that of the bytes.
	Update func(index []byte, children []Child, o Options) ([]byte, ocispec.Descriptor, error)
	// Edit reads an index, has it edited, and writes it again.
	Edit func(index []byte, edit func(*ocispec.Index)) ([]byte, error)
	// Parse reads an index of at most limit bytes; 0 is 4 MiB.
	Parse func(index []byte, limit int) (ocispec.Index, error)
	// Strict chooses the entry for exactly the wanted platform. The others choose as
	// the importer of openshift-apiserver in import mode Legacy, containerd and
	// containers/image do.
	Strict, OpenShiftLegacy, Containerd, ContainersImage Chooser
}

// chooser returns the function for the policy of a [SelectCase].
func (i Impl) chooser(policy string) Chooser {
	switch policy {
	case Strict:
		return i.Strict
	case OpenShiftLegacy:
		return i.OpenShiftLegacy
	case Containerd:
		return i.Containerd
	}
	return i.ContainersImage
}

// The policies of a [SelectCase].
const (
	Strict          = "Strict"
	OpenShiftLegacy = "OpenShiftLegacy"
	Containerd      = "Containerd"
	ContainersImage = "ContainersImage"
)
