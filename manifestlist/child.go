package manifestlist

import (
	"crypto/sha256"
	_ "crypto/sha512" // go-digest computes sha384 and sha512 only if it is linked in.
	"strconv"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// A Child is one manifest that is to be in an index. Either Manifest or a
// Descriptor with media type, digest and size must be there. What both of them
// say must agree.
type Child struct {
	// Name is what errors and findings call the child, such as a file name; without
	// one they tell its position. It is not written into the index.
	Name string
	// Descriptor is what the index will say, completed from the bytes below.
	Descriptor ocispec.Descriptor
	// Manifest is the manifest as it is stored, byte for byte.
	Manifest []byte
	// Config is the image configuration that Manifest names, byte for byte. It names
	// the platform. Without the manifest it is refused.
	Config []byte
	// Source is what Descriptor was parsed from, for the members that image-spec
	// does not name. [Index.Children] sets it.
	Source Source
}

// A resolved child has its descriptor complete.
type resolved struct {
	desc ocispec.Descriptor
	// image tells an image from an artifact, which needs no platform.
	image bool
}

// passesForImage reports whether a descriptor looks like that of an image, which is
// all that can be said without the manifest.
func passesForImage(d *ocispec.Descriptor) bool {
	return d.ArtifactType == "" && isImageManifest(d.MediaType)
}

// resolve completes the descriptor of a child that comes with bytes (A1, A2).
// The errors have paths relative to the child.
func resolve(c *Child, limit int) (resolved, IndexErrors) {
	r := resolved{desc: c.Descriptor}
	d := &r.desc
	if c.Manifest == nil {
		return r, IndexErrors{{Code: CodeMismatch, Path: "config", Want: "the manifest as well, which names its config"}}
	}
	m, err := readManifest(c.Manifest, d.MediaType, limit)
	if err != nil {
		err.Path = join("manifest", err.Path)
		return r, IndexErrors{err}
	}
	errs := completeFrom(d, &m, c.Manifest)
	r.image = m.image()
	if c.Config != nil {
		errs = append(errs, checkConfig(m.config(), c.Config)...)
		if r.image {
			errs = append(errs, platformFromConfig(d, c.Config, limit)...)
		}
	}
	return r, errs
}

// completeFrom is rule A1, but for the config.
func completeFrom(d *ocispec.Descriptor, m *manifest, src []byte) IndexErrors {
	var errs IndexErrors
	if d.MediaType != "" && m.MediaType != "" && d.MediaType != m.MediaType {
		errs = append(errs, &IndexError{Code: CodeMismatch, Path: "mediaType", Value: d.MediaType, Want: quote.Quote(m.MediaType) + ", as the manifest says"})
	}
	d.MediaType = m.as
	d.ArtifactType = m.ArtifactType
	if n := int64(len(src)); d.Size == 0 {
		d.Size = n
	} else if d.Size != n {
		errs = append(errs, &IndexError{Code: CodeMismatch, Path: "size", Value: strconv.FormatInt(d.Size, 10), Want: strconv.FormatInt(n, 10) + ", the length of the manifest"})
	}
	if d.Digest == "" {
		d.Digest = digestOf(sha256.Sum256(src))
	} else if !validDigest(d.Digest) {
		errs = append(errs, &IndexError{Code: CodeInvalidDigest, Path: "digest", Value: string(d.Digest), Want: digestForm})
	} else if got := d.Digest.Algorithm().FromBytes(src); got != d.Digest {
		errs = append(errs, &IndexError{Code: CodeMismatch, Path: "digest", Value: string(d.Digest), Want: string(got) + ", that of the manifest"})
	}
	return errs
}

// checkConfig is rule A1 for the config: d is what the manifest says of it.
func checkConfig(d *ocispec.Descriptor, config []byte) IndexErrors {
	if d == nil {
		return IndexErrors{{Code: CodeMismatch, Path: "config", Want: "none: the manifest names no config"}}
	}
	var errs IndexErrors
	if n := int64(len(config)); d.Size != n {
		errs = append(errs, &IndexError{Code: CodeMismatch, Path: "config.size", Value: strconv.FormatInt(n, 10), Want: strconv.FormatInt(d.Size, 10) + ", as the manifest says"})
	}
	if !validDigest(d.Digest) {
		return append(errs, &IndexError{Code: CodeInvalidDigest, Path: "config.digest", Value: string(d.Digest), Want: digestForm})
	}
	if got := d.Digest.Algorithm().FromBytes(config); got != d.Digest {
		errs = append(errs, &IndexError{Code: CodeMismatch, Path: "config.digest", Value: string(got), Want: string(d.Digest) + ", as the manifest says"})
	}
	return errs
}

// platformFromConfig is the platform of rule A2. The descriptor fills in what the
// config leaves out because many a config for arm lacks its variant. Two that
// contradict each other are refused because one of them is wrong about what the
// image runs on.
func platformFromConfig(d *ocispec.Descriptor, config []byte, limit int) IndexErrors {
	p, err := readConfig(config, limit)
	if err != nil {
		err.Path = join("config", err.Path)
		return IndexErrors{err}
	}
	if d.Platform == nil {
		d.Platform = &p
		return nil
	}
	said := d.Platform
	var errs IndexErrors
	merge := func(path string, fromConfig *string, fromDescriptor string, same bool) {
		switch {
		case fromDescriptor == "" || same:
		case *fromConfig == "":
			*fromConfig = fromDescriptor
		default:
			errs = append(errs, &IndexError{Code: CodeMismatch, Path: "platform." + path, Value: fromDescriptor, Want: quote.Quote(*fromConfig) + ", as the config says"})
		}
	}
	merge("os", &p.OS, said.OS, p.OS == said.OS)
	merge("architecture", &p.Architecture, said.Architecture, p.Architecture == said.Architecture)
	merge("variant", &p.Variant, said.Variant, p.Variant != "" && sameVariant(p.Architecture, p.Variant, said.Variant))
	merge("os.version", &p.OSVersion, said.OSVersion, p.OSVersion == said.OSVersion)
	if p.OSFeatures == nil {
		p.OSFeatures = said.OSFeatures
	}
	d.Platform = &p
	return errs
}
