package importmode

import "slices"

// UsedChild returns the list with which an image goes that something uses by a stream and
// its digest, by rule 68. Named are the images that the events of the stream name, and
// lists what is known of those that are lists.
//
// A pruner of images keeps what the events name while it is used. It knows a list by its
// own digest, so that the use of one of its children keeps neither.
func UsedChild(used string, named []string, lists []Manifest) (list string, ok bool) {
	if slices.Contains(named, used) {
		return "", false
	}
	for _, m := range lists {
		if m.content() == ContentList && slices.Contains(named, m.Digest) &&
			slices.ContainsFunc(m.Children, func(c Child) bool { return c.Digest == used }) {
			return m.Digest, true
		}
	}
	return "", false
}
