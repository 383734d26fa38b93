package importer

import "testing"

func TestScopes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		scope, host, repository string
		want                    bool
	}{
		{"quay.example.com", "quay.example.com", "x/y", true},
		{"quay.example.com", "quay.example.com:5000", "x/y", false},
		{"quay.example.com:5000", "quay.example.com:5000", "x/y", true},
		{"quay.example.com", "quay.example.com.evil", "x/y", false},
		{"quay.example.com/x", "quay.example.com", "x/y", true},
		{"quay.example.com/x/y", "quay.example.com", "x/y", true},
		{"quay.example.com/x/y", "quay.example.com", "x/yy", false},
		{"*.example.com", "quay.example.com", "x/y", true},
		{"*.example.com", "a.b.example.com:5000", "x/y", true},
		{"*.example.com", "example.com", "x/y", false},
		{"*.example.com", "quay.example.com.evil", "x/y", false},
		{"docker.io", "index.docker.io", "library/x", true},
		{"docker.io/team", "index.docker.io", "team/x", true},
		{"docker.io/team", "index.docker.io", "library/x", false},
	} {
		if got := inScope([]string{"unrelated.example.com", c.scope}, c.host, c.repository); got != c.want {
			t.Errorf("%s for %s/%s: %v, want %v", c.scope, c.host, c.repository, got, c.want)
		}
	}
}
