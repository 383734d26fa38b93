package dictexpand

// A list keeps its first elements in itself: what is made of a template or two needs no
// memory from elsewhere. The zero list is empty.
type list[T any] struct {
	few  [4]T
	n    int // of few
	many []T // all, if few is too small
}

// reserve makes room in an empty list.
func (l *list[T]) reserve(n int) {
	if n > len(l.few) {
		l.many = make([]T, 0, n)
	}
}

func (l *list[T]) add(element T) {
	if l.n == len(l.few) {
		l.many, l.n = append(l.many, l.few[:]...), 0
	}
	if l.many != nil {
		l.many = append(l.many, element)
		return
	}
	l.few[l.n] = element
	l.n++
}

func (l *list[T]) all() []T {
	if l.many != nil {
		return l.many
	}
	return l.few[:l.n]
}
