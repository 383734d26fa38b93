package buildplan

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
)

// ingredients are what goes into the image of one architecture, and nothing
// else: two builds with equal ingredients need one image.
type ingredients struct {
	architecture     string
	containerfile    string
	osDigest         string
	extensionsDigest string
	kernelType       string
	// extensions are sorted, without duplicates: they are a set of packages.
	extensions []string
	// kernelArguments are in their order: the kernel takes the last of some and
	// the first of others.
	kernelArguments []string
}

// key returns the hash of the ingredients as 64 hexadecimal digits. It appends to
// scratch, which it returns for the next call.
func (in *ingredients) key(scratch []byte) (string, []byte) {
	b := appendText(scratch[:0], "polyarch build key 1")
	b = appendText(b, in.architecture)
	b = appendText(b, in.containerfile)
	b = appendText(b, in.osDigest)
	b = appendText(b, in.extensionsDigest)
	b = appendText(b, in.kernelType)
	b = appendTexts(b, in.extensions)
	b = appendTexts(b, in.kernelArguments)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), b
}

// appendText prefixes the text with its length, so that no two lists of texts
// have one encoding.
func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendTexts(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendText(b, s)
	}
	return b
}

func asSet(list []string) []string {
	if len(list) < 2 {
		return list
	}
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// digestOf returns the digest at the end of a pull spec, or the digest that s is.
func digestOf(s string) (string, bool) {
	d := s[strings.LastIndexByte(s, '@')+1:]
	rest, ok := strings.CutPrefix(d, "sha256:")
	return d, ok && isKey(rest)
}

// isKey reports whether s is a SHA-256 sum in hexadecimal digits.
func isKey(s string) bool {
	if len(s) != 2*sha256.Size {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
