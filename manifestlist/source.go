package manifestlist

import (
	"bytes"
	"encoding/json"

	"github.com/opencontainers/go-digest"
)

// A Source is the JSON of an index, or of one of its entries, as [Parse] has read
// it, without the white space between its tokens. It holds what the types of
// image-spec have no field for, so that the members that image-spec does not name
// can be written again. Only Parse and [Index.Children] make one; the zero value
// is the source of nothing.
type Source struct {
	json []byte // valid, compact, never changed
}

// String returns the JSON, or nothing for the zero value.
func (s Source) String() string { return string(s.json) }

// Equal reports whether both are the same JSON, byte for byte.
func (s Source) Equal(other Source) bool { return bytes.Equal(s.json, other.json) }

// sources returns for each of x.Manifests the source of that entry, or nil if the
// entry there is not the one that was parsed (rule P5).
func (x *Index) sources() [][]byte {
	all := make([][]byte, len(x.Manifests))
	i := 0
	for e := range elements(memberTail(x.Source.json, "manifests")) {
		if i == len(all) {
			break
		}
		if hasDigest(e, x.Manifests[i].Digest) {
			all[i] = e
		}
		i++
	}
	return all
}

// hasDigest reports whether encoding/json reads that digest from an entry.
func hasDigest(entry []byte, d digest.Digest) bool {
	value := memberValue(entry, "digest")
	if len(value) > 0 && value[0] == '"' && bytes.IndexByte(value, '\\') < 0 {
		return string(value[1:len(value)-1]) == string(d)
	}
	return text(value) == string(d)
}

// stringMember returns what encoding/json reads from a member that is a string,
// null or missing.
func stringMember(b []byte, name string) string { return text(memberValue(b, name)) }

func text(value []byte) (s string) {
	_ = json.Unmarshal(value, &s) // it is valid JSON, or nothing
	return s
}
