package manifestlist

import (
	"strconv"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// check is rules A3 and A4, for a descriptor that is complete, and reports whether it
// has a platform that Go knows. It allocates nothing when there is nothing to say.
func check(d *ocispec.Descriptor, image bool) (errs IndexErrors, known bool) {
	if !validMediaType(d.MediaType) {
		errs = append(errs, &IndexError{Code: CodeInvalidMediaType, Path: "mediaType", Value: d.MediaType, Want: "type/subtype"})
	}
	if !validDigest(d.Digest) {
		errs = append(errs, &IndexError{Code: CodeInvalidDigest, Path: "digest", Value: string(d.Digest), Want: digestForm})
	}
	if d.Size < 1 {
		errs = append(errs, &IndexError{Code: CodeInvalidSize, Path: "size", Value: strconv.FormatInt(d.Size, 10), Want: "at least 1"})
	}
	if d.ArtifactType != "" && !validMediaType(d.ArtifactType) {
		errs = append(errs, &IndexError{Code: CodeInvalidMediaType, Path: "artifactType", Value: d.ArtifactType, Want: "type/subtype"})
	}
	if len(d.Data) > 0 && validDigest(d.Digest) && (int64(len(d.Data)) != d.Size || d.Digest.Algorithm().FromBytes(d.Data) != d.Digest) {
		errs = append(errs, &IndexError{Code: CodeMismatch, Path: "data", Want: "content of the size and digest of the descriptor"})
	}
	if err := checkText(d); err != nil {
		errs = append(errs, err)
	}
	known = d.Platform != nil && knownPlatform(d.Platform)
	switch {
	case known && d.Platform.Variant == "": // nearly always
	case d.Platform != nil:
		if field, value, want := misspelled(d.Platform); field != "" {
			errs = append(errs, &IndexError{Code: CodeInvalidPlatform, Path: "platform." + field, Value: value, Want: want})
		}
	case image && !isAttestation(d):
		errs = append(errs, &IndexError{Code: CodeInvalidPlatform, Path: "platform", Want: "the platform of the image, out of its config or its descriptor"})
	}
	return errs, known
}

func isImageManifest(mediaType string) bool {
	return mediaType == ocispec.MediaTypeImageManifest || mediaType == dockerManifest
}

const digestForm = "sha256, sha384 or sha512, a colon, and the hash in lower-case hex"

// validDigest agrees with go-digest's Validate, but does not depend on which hashes
// a program links in, and is a good deal faster.
func validDigest(d digest.Digest) bool {
	switch {
	case len(d) == 7+64 && d[:7] == "sha256:":
	case len(d) == 7+96 && d[:7] == "sha384:":
	case len(d) == 7+128 && d[:7] == "sha512:":
	default:
		return false
	}
	digits := uint64(highs)
	for hex := string(d[7:]); len(hex) >= 32; hex = hex[32:] {
		digits &= hexDigits(word(hex)) & hexDigits(word(hex[8:])) & hexDigits(word(hex[16:])) & hexDigits(word(hex[24:]))
	}
	return digits == highs
}

// validMediaType is the form of RFC 6838, without its limits of length.
func validMediaType(s string) bool {
	if isImageManifest(s) {
		return true // nearly always
	}
	kind, subtype, _ := strings.Cut(s, "/")
	return restrictedName(kind) && restrictedName(subtype)
}

func restrictedName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case i == 0, !strings.ContainsRune("!#$&-^_.+", rune(c)):
			return false
		}
	}
	return s != ""
}
