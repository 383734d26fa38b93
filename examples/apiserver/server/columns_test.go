package server

import (
	"fmt"
	"testing"
)

func TestUpToWidth(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("v1.%02d", i))
	}
	for _, c := range []struct {
		name    string
		entries []string
		want    string
	}{
		{"none", nil, ""},
		{"few", []string{"a", "b"}, "a,b"},
		{"the first in any case", []string{"a-tag-that-alone-is-longer-than-the-width-of-a-list", "b"}, "a-tag-that-alone-is-longer-than-the-width-of-a-list + 1 more..."},
		{"many", many, "v1.00,v1.01,v1.02,v1.03,v1.04,v1.05 + 24 more..."},
	} {
		if got := upToWidth(c.entries); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
