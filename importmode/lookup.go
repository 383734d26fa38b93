package importmode

import imagev1 "github.com/openshift/api/image/v1"

// lookup finds the modes of stored tags by name, by rule 32. It costs nothing
// while it is asked in the order in which the tags are stored, and makes an index
// when it first is not.
type lookup struct {
	tags  []imagev1.TagReference
	next  int
	index map[string]int
	once  bool // it is asked once, for which an index costs more than it saves
}

// lookupFor returns a lookup among the tags of a stream, which is nil if there is
// none, for that many questions.
func lookupFor(questions int, stream *imagev1.ImageStream) lookup {
	return lookup{tags: specTags(stream), once: questions == 1}
}

func specTags(stream *imagev1.ImageStream) []imagev1.TagReference {
	if stream == nil {
		return nil
	}
	return stream.Spec.Tags
}

// find returns the mode of the stored tag of that name, and whether there is one.
func (l *lookup) find(name string) (mode imagev1.ImportModeType, ok bool) {
	if l.next < len(l.tags) && l.tags[l.next].Name == name {
		l.next++
		return l.tags[l.next-1].ImportPolicy.ImportMode, true
	}
	if len(l.tags) == 0 {
		return "", false
	}
	if l.once {
		return l.scan(name)
	}
	return l.search(name)
}

func (l *lookup) scan(name string) (imagev1.ImportModeType, bool) {
	for i := range l.tags {
		if l.tags[i].Name == name {
			return l.tags[i].ImportPolicy.ImportMode, true
		}
	}
	return "", false
}

func (l *lookup) search(name string) (imagev1.ImportModeType, bool) {
	if l.index == nil {
		l.index = make(map[string]int, len(l.tags))
		// Backwards, so that the first of a name is the one that stays.
		for i := len(l.tags) - 1; i >= 0; i-- {
			l.index[l.tags[i].Name] = i
		}
	}
	i, ok := l.index[name]
	if !ok {
		return "", false
	}
	l.next = i + 1
	return l.tags[i].ImportPolicy.ImportMode, true
}
