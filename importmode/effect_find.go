package importmode

import imagev1 "github.com/openshift/api/image/v1"

// finder finds tags by name. Of several with that name, it is the one directly behind
// the one that was found before, else the first. It costs nothing while it is asked in
// the order of its items.
type finder[T any] struct {
	items []T
	name  func(*T) string
	next  int
	index map[string]int
}

// fewTags is how many tags are looked through one by one. For more, an index costs less.
const fewTags = 32

// find returns the item of that name, nil if there is none.
func (f *finder[T]) find(name string) *T {
	if f.next < len(f.items) && f.name(&f.items[f.next]) == name {
		f.next++
		return &f.items[f.next-1]
	}
	i := f.search(name)
	if i < 0 {
		return nil
	}
	f.next = i + 1
	return &f.items[i]
}

func (f *finder[T]) search(name string) int {
	if len(f.items) <= fewTags {
		for i := range f.items {
			if f.name(&f.items[i]) == name {
				return i
			}
		}
		return -1
	}
	if f.index == nil {
		f.index = make(map[string]int, len(f.items))
		// Backwards, so that the first of a name is the one that stays.
		for i := len(f.items) - 1; i >= 0; i-- {
			f.index[f.name(&f.items[i])] = i
		}
	}
	if i, ok := f.index[name]; ok {
		return i
	}
	return -1
}

func specName(t *imagev1.TagReference) string        { return t.Name }
func statusName(l *imagev1.NamedTagEventList) string { return l.Tag }
