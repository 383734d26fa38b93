package dictexpand

import (
	"slices"
	"testing"
)

// A list holds what was added, in its order, however many it had room for.
func TestList(t *testing.T) {
	for reserved := range 8 {
		var l list[int]
		l.reserve(reserved)
		var want []int
		for n := range 12 {
			if !slices.Equal(l.all(), want) {
				t.Fatalf("room for %d: %v, want %v", reserved, l.all(), want)
			}
			l.add(n)
			want = append(want, n)
		}
	}
}
