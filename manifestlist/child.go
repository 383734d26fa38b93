package manifestlist

import (
	"bytes"
	"crypto/sha256"
	_ "crypto/sha512" // go-digest computes sha384 and sha512 only if it is linked in.
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// A Child is one manifest that is to be in an index. Either Manifest or a
// Descriptor with media type, digest and size must be there; where both say
// something they must agree.
type Child struct {
	// Descriptor is what the index will say, completed from the bytes below.
	Descriptor ocispec.Descriptor
	// Manifest is the manifest as it is stored, byte for byte.
	Manifest []byte
	// Config is the image configuration that the manifest names, byte for byte.
	// It tells the platform.
	Config []byte

	source []byte // compact source of a parsed descriptor, for its unknown members
}

// manifest is what tells the kinds of manifest apart.
type manifest struct {
	MediaType    string              `json:"mediaType"`
	ArtifactType string              `json:"artifactType"`
	Config       *ocispec.Descriptor `json:"config"`
	Layers       json.RawMessage     `json:"layers"`
	Manifests    json.RawMessage     `json:"manifests"`
}

// resolve completes the descriptor of a child that comes with bytes (A1, A2).
// Errors have paths relative to the child.
func resolve(c *Child, limit int) (ocispec.Descriptor, Errors) {
	d := c.Descriptor
	var errs Errors
	mismatch := func(path, value, want string) {
		errs = append(errs, &Error{Code: Mismatch, Path: path, Value: value, Want: want})
	}
	image := true
	if c.Manifest != nil {
		m, err := readManifest(c.Manifest, limit)
		if err != nil {
			return d, Errors{err}
		}
		if m.MediaType != "" && d.MediaType != "" && m.MediaType != d.MediaType {
			mismatch("mediaType", d.MediaType, strconv.Quote(m.MediaType)+", as the manifest says")
		}
		switch {
		case m.MediaType != "":
			d.MediaType = m.MediaType
		case d.MediaType != "":
		case m.Manifests != nil:
			d.MediaType = ocispec.MediaTypeImageIndex
		case m.Config != nil:
			d.MediaType = ocispec.MediaTypeImageManifest
		}
		d.ArtifactType = m.ArtifactType
		if n := int64(len(c.Manifest)); d.Size != 0 && d.Size != n {
			mismatch("size", strconv.FormatInt(d.Size, 10), strconv.FormatInt(n, 10)+", the length of the manifest")
		} else {
			d.Size = n
		}
		if err := checkContent(&d.Digest, c.Manifest); err != nil {
			errs = append(errs, err)
		}
		if m.Config != nil {
			image = isImageConfig(m.Config.MediaType)
			if c.Config != nil {
				errs = append(errs, checkConfig(m.Config, c.Config)...)
			}
		}
	}
	if c.Config != nil && image {
		errs = append(errs, platformFromConfig(&d, c.Config, limit)...)
	}
	return d, errs
}

func readManifest(src []byte, limit int) (manifest, *Error) {
	if len(src) > limit {
		return manifest{}, &Error{Code: TooLarge, Path: "manifest", Value: strconv.Itoa(len(src)), Want: fmt.Sprintf("at most %d bytes", limit)}
	}
	var m manifest
	if err := json.Unmarshal(src, &m); err != nil {
		return manifest{}, &Error{Code: NotJSON, Path: "manifest", Err: err}
	}
	if d, _ := survey(src); d > MaxDepth {
		return manifest{}, &Error{Code: TooDeep, Path: "manifest", Value: strconv.Itoa(d), Want: fmt.Sprintf("at most %d levels", MaxDepth)}
	}
	if m.Manifests != nil && (m.Config != nil || m.Layers != nil) {
		return manifest{}, &Error{Code: Ambiguous, Path: "manifest", Want: "either manifests or config and layers"}
	}
	return m, nil
}

// checkContent compares *d with the digest of content, and sets it if it is
// empty.
func checkContent(d *digest.Digest, content []byte) *Error {
	if *d == "" {
		*d = digestOf(sha256.Sum256(content))
		return nil
	}
	if !validDigest(*d) {
		return nil // rule A3 reports it
	}
	if got := d.Algorithm().FromBytes(content); got != *d {
		return &Error{Code: Mismatch, Path: "digest", Value: string(*d), Want: string(got) + ", that of the bytes"}
	}
	return nil
}

func isImageConfig(mediaType string) bool {
	return mediaType == ocispec.MediaTypeImageConfig || mediaType == dockerConfig
}

func checkConfig(d *ocispec.Descriptor, config []byte) Errors {
	var errs Errors
	if n := int64(len(config)); d.Size != n {
		errs = append(errs, &Error{Code: Mismatch, Path: "config.size", Value: strconv.FormatInt(n, 10), Want: strconv.FormatInt(d.Size, 10) + ", as the manifest says"})
	}
	if !validDigest(d.Digest) {
		return append(errs, &Error{Code: InvalidDigest, Path: "config.digest", Value: string(d.Digest), Want: digestForm})
	}
	if got := d.Digest.Algorithm().FromBytes(config); got != d.Digest {
		errs = append(errs, &Error{Code: Mismatch, Path: "config.digest", Value: string(got), Want: string(d.Digest) + ", as the manifest says"})
	}
	return errs
}

// platformFromConfig takes each part of the platform from the config, and from
// the descriptor what the config leaves out: many a config for arm lacks its
// variant. Where both speak they must agree, because one of them is wrong about
// what the image runs on.
func platformFromConfig(d *ocispec.Descriptor, config []byte, limit int) Errors {
	if len(config) > limit {
		return Errors{{Code: TooLarge, Path: "config", Value: strconv.Itoa(len(config)), Want: fmt.Sprintf("at most %d bytes", limit)}}
	}
	var p ocispec.Platform
	if err := json.Unmarshal(config, &p); err != nil {
		return Errors{{Code: NotJSON, Path: "config", Err: err}}
	}
	if d.Platform == nil {
		d.Platform = &p
		return nil
	}
	said := d.Platform
	var errs Errors
	merge := func(path string, fromConfig *string, fromDescriptor string, same bool) {
		switch {
		case fromDescriptor == "" || same:
		case *fromConfig == "":
			*fromConfig = fromDescriptor
		default:
			errs = append(errs, &Error{Code: Mismatch, Path: "platform." + path, Value: fromDescriptor, Want: strconv.Quote(*fromConfig) + ", as the config says"})
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

// check is rules A3 and A4, for a descriptor that is complete. It is written to
// allocate nothing when there is nothing to say.
func check(d *ocispec.Descriptor, errs Errors) Errors {
	if !validMediaType(d.MediaType) {
		errs = append(errs, &Error{Code: InvalidMediaType, Path: "mediaType", Value: d.MediaType, Want: "type/subtype"})
	}
	if !validDigest(d.Digest) {
		errs = append(errs, &Error{Code: InvalidDigest, Path: "digest", Value: string(d.Digest), Want: digestForm})
	}
	if d.Size < 1 {
		errs = append(errs, &Error{Code: InvalidSize, Path: "size", Value: strconv.FormatInt(d.Size, 10), Want: "at least 1"})
	}
	if d.ArtifactType != "" && !validMediaType(d.ArtifactType) {
		errs = append(errs, &Error{Code: InvalidMediaType, Path: "artifactType", Value: d.ArtifactType, Want: "type/subtype"})
	}
	if len(d.Data) > 0 && validDigest(d.Digest) && (int64(len(d.Data)) != d.Size || d.Digest.Algorithm().FromBytes(d.Data) != d.Digest) {
		errs = append(errs, &Error{Code: Mismatch, Path: "data", Want: "content of the size and digest of the descriptor"})
	}
	switch {
	case d.Platform != nil:
		if field, value, want := misspelt(d.Platform); field != "" {
			errs = append(errs, &Error{Code: InvalidPlatform, Path: "platform." + field, Value: value, Want: want})
		}
	case d.ArtifactType == "" && isImageManifest(d.MediaType):
		errs = append(errs, &Error{Code: InvalidPlatform, Path: "platform", Want: "the platform of the image, out of its config or its descriptor"})
	}
	return errs
}

func isImageManifest(mediaType string) bool {
	return mediaType == ocispec.MediaTypeImageManifest || mediaType == dockerManifest
}

const digestForm = "sha256, sha384 or sha512, a colon, and the hash in lower-case hex"

// validDigest is stricter than go-digest's own check only in not depending on
// which hashes a program links in, and a good deal faster.
func validDigest(d digest.Digest) bool {
	var hex string
	switch {
	case len(d) == 7+64 && d[:7] == "sha256:":
		hex = string(d[7:])
	case len(d) == 7+96 && d[:7] == "sha384:", len(d) == 7+128 && d[:7] == "sha512:":
		hex = string(d[7:])
	default:
		return false
	}
	for ; len(hex) >= 8; hex = hex[8:] {
		if !hexWord(word(hex)) {
			return false
		}
	}
	return true
}

// validMediaType is the form of RFC 6838, without its limits of length.
func validMediaType(s string) bool {
	if isImageManifest(s) {
		return true
	}
	slash := -1
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case c == '/' && slash < 0 && i > 0:
			slash = i
		default:
			if i == slash+1 || !bytes.ContainsRune([]byte("!#$&-^_.+"), rune(c)) {
				return false
			}
		}
	}
	return slash > 0 && slash < len(s)-1
}
