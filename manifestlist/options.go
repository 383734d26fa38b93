package manifestlist

import (
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// A Format is the kind of document to write.
type Format string

const (
	// OCI is an image index, application/vnd.oci.image.index.v1+json. It is the
	// default of [Assemble] and [Describe].
	OCI Format = "OCI"
	// Docker is a manifest list,
	// application/vnd.docker.distribution.manifest.list.v2+json.
	Docker Format = "Docker"
	// Infer is Docker if every child is a Docker image and nothing was asked for
	// that only an OCI index can hold, else OCI.
	Infer Format = "Infer"
)

// Duplicates says what to do about several children for one platform.
type Duplicates string

const (
	// RefuseDuplicates is the default.
	RefuseDuplicates Duplicates = ""
	// ReplaceDuplicates lets the last of them stand.
	ReplaceDuplicates Duplicates = "Replace"
	// KeepIdentical counts a child that is given several times once, and refuses any
	// other duplicate.
	KeepIdentical Duplicates = "KeepIdentical"
)

// Nested says what to do about a child that is an index itself.
type Nested string

const (
	// RefuseNested is the default.
	RefuseNested Nested = ""
	// Flatten puts the entries of the index in its place, one level deep. The
	// child must come with its bytes.
	Flatten Nested = "Flatten"
)

// Attestations says what to do about attestation manifests among the children.
type Attestations string

const (
	// DropAttestations is the default.
	DropAttestations Attestations = ""
	// KeepAttestations puts them last. Each must refer to an image of the index.
	KeepAttestations Attestations = "Keep"
)

// Options are how to make an index. The zero value makes an OCI index of exactly
// the images given.
type Options struct {
	// Format is OCI if empty; for Update it is the format of the index.
	Format Format
	// Required are platforms that the index must offer, as policy [Strict]
	// selects.
	Required     []ocispec.Platform
	Duplicates   Duplicates
	Nested       Nested
	Attestations Attestations
	// Remove are platforms that Update takes out of the index: every entry that
	// policy [Strict] could select for them, and its attestations.
	Remove []ocispec.Platform
	// Annotations, ArtifactType and Subject are those of the index. For Update,
	// empty means those that it has.
	Annotations  map[string]string
	ArtifactType string
	Subject      *ocispec.Descriptor
	// ClearAnnotations makes Update take away the annotations that the index has,
	// before it sets Annotations.
	ClearAnnotations bool
	// SizeLimit is how large a manifest, a config or the index may be, in bytes; 0
	// means MaxSize. What is larger than that is read by [ParseLimit], and refused
	// by most registries.
	SizeLimit int
}

// checkOptions is rule A16, and rule A3 for the index itself.
func (a *assembly) checkOptions() {
	o := &a.opts
	bad := func(path, value, want string) {
		a.report(&IndexError{Code: CodeUnknownOption, Path: path, Value: value, Want: want})
	}
	switch o.Format {
	case "", OCI, Docker, Infer:
	default:
		bad("options.format", string(o.Format), "OCI, Docker or Infer")
	}
	switch o.Duplicates {
	case RefuseDuplicates, ReplaceDuplicates, KeepIdentical:
	default:
		bad("options.duplicates", string(o.Duplicates), "Replace, KeepIdentical or nothing")
	}
	switch o.Nested {
	case RefuseNested, Flatten:
	default:
		bad("options.nested", string(o.Nested), "Flatten or nothing")
	}
	switch o.Attestations {
	case DropAttestations, KeepAttestations:
	default:
		bad("options.attestations", string(o.Attestations), "Keep or nothing")
	}
	if o.ArtifactType != "" && !validMediaType(o.ArtifactType) {
		a.report(&IndexError{Code: CodeInvalidMediaType, Path: "artifactType", Value: o.ArtifactType, Want: "type/subtype"})
	}
	if err := checkAnnotationText(a.index.Annotations); err != nil {
		a.report(err)
	}
	if o.Subject != nil {
		errs, _ := check(o.Subject, false)
		for _, err := range errs {
			err.Path = "subject." + err.Path
			a.report(err)
		}
	}
}
