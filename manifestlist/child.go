package manifestlist

import (
	"crypto/sha256"
	_ "crypto/sha512" // go-digest computes sha384 and sha512 only if it is linked in.
	"encoding/json"
	"fmt"
	"strconv"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
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
	// Config is the image configuration that the manifest names, byte for byte.
	// It names the platform.
	Config []byte
	// Source is what Descriptor was parsed from, for the members that image-spec
	// does not name. [Index.Children] sets it.
	Source Source
}

// manifest is what tells the kinds of manifest apart.
type manifest struct {
	MediaType    string              `json:"mediaType"`
	ArtifactType string              `json:"artifactType"`
	Config       *ocispec.Descriptor `json:"config"`
	Layers       json.RawMessage     `json:"layers"`
	Manifests    json.RawMessage     `json:"manifests"`
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
	var errs IndexErrors
	r.image = passesForImage(d)
	if c.Manifest != nil {
		m, err := readManifest(c.Manifest, limit)
		if err != nil {
			return r, IndexErrors{err}
		}
		errs = append(errs, completeFrom(d, &m, c.Manifest)...)
		r.image = m.ArtifactType == "" && m.Config != nil && isImageConfig(m.Config.MediaType)
		if c.Config != nil {
			errs = append(errs, checkConfig(m.Config, c.Config)...)
		}
	}
	if c.Config != nil && r.image {
		errs = append(errs, platformFromConfig(d, c.Config, limit)...)
	}
	return r, errs
}

// completeFrom is rule A1, but for the config.
func completeFrom(d *ocispec.Descriptor, m *manifest, src []byte) IndexErrors {
	var errs IndexErrors
	switch {
	case m.MediaType != "":
		if d.MediaType != "" && d.MediaType != m.MediaType {
			errs = append(errs, &IndexError{Code: CodeMismatch, Path: "mediaType", Value: d.MediaType, Want: strconv.Quote(m.MediaType) + ", as the manifest says"})
		}
		d.MediaType = m.MediaType
	case d.MediaType != "":
	case m.Manifests != nil:
		d.MediaType = ocispec.MediaTypeImageIndex
	case m.Config != nil:
		d.MediaType = ocispec.MediaTypeImageManifest
	}
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

func readManifest(src []byte, limit int) (manifest, *IndexError) {
	if len(src) > limit {
		return manifest{}, &IndexError{Code: CodeTooLarge, Path: "manifest", Value: strconv.Itoa(len(src)), Want: fmt.Sprintf("at most %d bytes", limit)}
	}
	var m manifest
	if err := json.Unmarshal(src, &m); err != nil {
		return manifest{}, &IndexError{Code: CodeNotJSON, Path: "manifest", Err: err}
	}
	if d, _ := survey(src); d > MaxDepth {
		return manifest{}, &IndexError{Code: CodeTooDeep, Path: "manifest", Value: strconv.Itoa(d), Want: fmt.Sprintf("at most %d levels", MaxDepth)}
	}
	if m.Manifests != nil && (m.Config != nil || m.Layers != nil) {
		return manifest{}, &IndexError{Code: CodeAmbiguous, Path: "manifest", Want: "either manifests or config and layers"}
	}
	return m, nil
}

func isImageConfig(mediaType string) bool {
	return mediaType == ocispec.MediaTypeImageConfig || mediaType == dockerConfig
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
	if len(config) > limit {
		return IndexErrors{{Code: CodeTooLarge, Path: "config", Value: strconv.Itoa(len(config)), Want: fmt.Sprintf("at most %d bytes", limit)}}
	}
	var p ocispec.Platform
	if err := json.Unmarshal(config, &p); err != nil {
		return IndexErrors{{Code: CodeNotJSON, Path: "config", Err: err}}
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
			errs = append(errs, &IndexError{Code: CodeMismatch, Path: "platform." + path, Value: fromDescriptor, Want: strconv.Quote(*fromConfig) + ", as the config says"})
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
