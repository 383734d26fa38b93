package manifestlist

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// The functions of this file write what encoding/json writes for the same values
// (rule A13), at a fraction of the cost, and then the members of the source that
// image-spec does not name.

// appendHead writes up to the value of manifests, appendTail what follows it.
func appendHead(dst []byte, index *ocispec.Index) []byte {
	if index.SchemaVersion == 2 && index.MediaType == ocispec.MediaTypeImageIndex {
		dst = append(dst, `{"schemaVersion":2,"mediaType":"`+ocispec.MediaTypeImageIndex+`"`...) // nearly always
	} else {
		dst = append(dst, `{"schemaVersion":`...)
		dst = strconv.AppendInt(dst, int64(index.SchemaVersion), 10)
		if index.MediaType != "" {
			dst = appendString(append(dst, `,"mediaType":`...), index.MediaType)
		}
	}
	if index.ArtifactType != "" {
		dst = appendString(append(dst, `,"artifactType":`...), index.ArtifactType)
	}
	return append(dst, `,"manifests":`...)
}

// appendTail gets the source of the index, if it was parsed, for the members
// that image-spec does not name.
func appendTail(dst []byte, index *ocispec.Index, source []byte) []byte {
	if index.Subject != nil {
		subject := memberValue(source, "subject")
		if !hasDigest(subject, index.Subject.Digest) {
			subject = nil // that of another one
		}
		dst = appendDescriptor(append(dst, `,"subject":`...), index.Subject, subject)
	}
	if len(index.Annotations) > 0 {
		dst = appendStringMap(append(dst, `,"annotations":`...), index.Annotations)
	}
	return append(appendUnknown(dst, source, objectIndex), '}')
}

// appendDescriptor gets the descriptor's compact source, if it was parsed.
func appendDescriptor(dst []byte, d *ocispec.Descriptor, source []byte) []byte {
	dst = appendText(appendToDigest(dst, d.MediaType), string(d.Digest))
	dst = appendFromSize(append(dst, `,"size":`...), d)
	if p := d.Platform; p != nil {
		dst = appendString(append(dst, `,"platform":{"architecture":`...), p.Architecture)
		dst = appendString(append(dst, `,"os":`...), p.OS)
		dst = appendAfterOS(dst, p, source)
	}
	return appendAfterPlatform(dst, d, source)
}

// appendChecked is appendDescriptor for a descriptor that has passed check: there is
// nothing to escape in its digest, os and architecture.
func appendChecked(dst []byte, d *ocispec.Descriptor, source []byte) []byte {
	dst = append(appendToDigest(dst, d.MediaType), d.Digest...)
	dst = appendFromSize(append(dst, `","size":`...), d)
	if p := d.Platform; p != nil {
		dst = append(append(dst, `,"platform":{"architecture":"`...), p.Architecture...)
		dst = append(append(append(dst, `","os":"`...), p.OS...), '"')
		dst = appendAfterOS(dst, p, source)
	}
	return appendAfterPlatform(dst, d, source)
}

// appendToDigest writes up to the text of the digest: at once with the two media types
// that nearly every descriptor has.
func appendToDigest(dst []byte, mediaType string) []byte {
	switch mediaType {
	case ocispec.MediaTypeImageManifest:
		return append(dst, `{"mediaType":"`+ocispec.MediaTypeImageManifest+`","digest":"`...)
	case dockerManifest:
		return append(dst, `{"mediaType":"`+dockerManifest+`","digest":"`...)
	}
	return append(appendString(append(dst, `{"mediaType":`...), mediaType), `,"digest":"`...)
}

// appendFromSize writes the size and what stands between it and the platform.
func appendFromSize(dst []byte, d *ocispec.Descriptor) []byte {
	dst = strconv.AppendInt(dst, d.Size, 10)
	if len(d.URLs) > 0 {
		dst = appendStrings(append(dst, `,"urls":`...), d.URLs)
	}
	if len(d.Annotations) > 0 {
		dst = appendStringMap(append(dst, `,"annotations":`...), d.Annotations)
	}
	if len(d.Data) > 0 {
		dst = append(dst, `,"data":"`...)
		dst = append(base64.StdEncoding.AppendEncode(dst, d.Data), '"')
	}
	return dst
}

func appendAfterOS(dst []byte, p *ocispec.Platform, source []byte) []byte {
	if p.OSVersion != "" {
		dst = appendString(append(dst, `,"os.version":`...), p.OSVersion)
	}
	if len(p.OSFeatures) > 0 {
		dst = appendStrings(append(dst, `,"os.features":`...), p.OSFeatures)
	}
	if p.Variant != "" {
		dst = appendString(append(dst, `,"variant":`...), p.Variant)
	}
	if len(source) > 0 {
		dst = appendUnknown(dst, memberValue(source, "platform"), objectPlatform)
	}
	return append(dst, '}')
}

func appendAfterPlatform(dst []byte, d *ocispec.Descriptor, source []byte) []byte {
	if d.ArtifactType != "" {
		dst = appendString(append(dst, `,"artifactType":`...), d.ArtifactType)
	}
	if len(source) > 0 {
		dst = appendUnknown(dst, source, objectDescriptor)
	}
	return append(dst, '}')
}

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return append(dst, ']')
}

func appendStringMap(dst []byte, m map[string]string) []byte {
	var stack [16]string
	keys := stack[:0]
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	dst = append(dst, '{')
	for i, k := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, k), ':')
		dst = appendString(dst, m[k])
	}
	return append(dst, '}')
}

const lowerHex = "0123456789abcdef"

// appendString escapes as encoding/json does: also the characters that HTML and
// JavaScript would take for their own, and bytes that are no UTF-8 become
// U+FFFD.
func appendString(dst []byte, s string) []byte { return appendText(append(dst, '"'), s) }

// appendText is appendString without the first quote.
func appendText(dst []byte, s string) []byte {
	if plainString(s) {
		return append(append(dst, s...), '"')
	}
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case size == 1: // no UTF-8
				dst = append(append(dst, s[start:i]...), `\ufffd`...)
				start = i + size
			case r == '\u2028' || r == '\u2029':
				dst = append(append(dst, s[start:i]...), `\u202`...)
				dst = append(dst, lowerHex[r&15])
				start = i + size
			}
			i += size
			continue
		}
		if c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			dst = appendEscape(append(dst, s[start:i]...), c)
			start = i + 1
		}
		i++
	}
	return append(append(dst, s[start:]...), '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', lowerHex[c>>4], lowerHex[c&15])
}

// sizeHint is at least the length of the descriptor's JSON and a comma, as long as
// nothing needs escaping, and hardly more: unused room has to be cleared as well.
func sizeHint(d *ocispec.Descriptor) int {
	n := len(`{"mediaType":"","digest":"","size":12345678},`) + len(d.MediaType) + len(d.Digest)
	if d.ArtifactType != "" {
		n += len(`,"artifactType":""`) + len(d.ArtifactType)
	}
	if len(d.URLs)+len(d.Annotations)+len(d.Data) > 0 {
		n += len(`,"urls":[],"annotations":{},"data":""`) + base64.StdEncoding.EncodedLen(len(d.Data))
		for _, u := range d.URLs {
			n += len(`"",`) + len(u)
		}
		for k, v := range d.Annotations {
			n += len(`"":"",`) + len(k) + len(v)
		}
	}
	if p := d.Platform; p != nil {
		n += len(`,"platform":{"architecture":"","os":""}`) + len(p.Architecture) + len(p.OS)
		if p.OSVersion != "" {
			n += len(`,"os.version":""`) + len(p.OSVersion)
		}
		if p.Variant != "" {
			n += len(`,"variant":""`) + len(p.Variant)
		}
		if len(p.OSFeatures) > 0 {
			n += len(`,"os.features":[]`)
			for _, f := range p.OSFeatures {
				n += len(`"",`) + len(f)
			}
		}
	}
	return n
}

// digestOf avoids go-digest's formatting, which allocates four times as often.
func digestOf(sum [32]byte) digest.Digest {
	var text [7 + 64]byte
	copy(text[:], "sha256:")
	hex.Encode(text[7:], sum[:])
	return digest.Digest(text[:])
}
