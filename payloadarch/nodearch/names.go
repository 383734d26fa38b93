package nodearch

import (
	"slices"
	"strings"

	"github.com/polyarch/polyarch/internal/arch"
	"github.com/polyarch/polyarch/payloadarch"
)

// spelling is an architecture as it was written and as it was understood.
type spelling struct {
	written string
	name    string // "" if none is set, or if what is written can be none
	known   bool
}

func nodeArchitecture(written string) spelling {
	name, known := arch.Canonical(written)
	if !known && !isToken(name) {
		name = ""
	}
	return spelling{written, name, known}
}

// malformed reports whether something is written that can be no architecture.
func (s spelling) malformed() bool { return s.name == "" && strings.TrimSpace(s.written) != "" }

// isToken reports whether name is spelled like a GOARCH.
func isToken(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return name != ""
}

// part is a set of the parts of a cluster that an architecture is met in.
type part uint8

const (
	controlPlane part = 1 << iota
	workload
)

// names gathers names, and for each the parts that it was met in. The zero value is
// empty.
type names struct{ list []named }

type named struct {
	name string
	in   part
}

// fewNames is how many names are looked through for one that is there already. A
// cluster has fewer architectures than that, unless its nodes are lying: then names are
// listed more than once, until a Set is made of them.
const fewNames = 8

func (n *names) add(name string, in part) {
	for i := range min(len(n.list), fewNames) {
		if n.list[i].name == name {
			n.list[i].in |= in
			return
		}
	}
	n.list = append(doubled(n.list), named{name, in})
}

func (n *names) all() payloadarch.Set {
	every := make([]string, len(n.list))
	for i := range n.list {
		every[i] = n.list[i].name
	}
	return payloadarch.SetOf(every...)
}

// met returns the names that were met in a part. All is the set of every name, which
// is the answer for most parts of most clusters.
func (n *names) met(in part, all payloadarch.Set) payloadarch.Set {
	elsewhere := func(k named) bool { return k.in&in == 0 }
	if !slices.ContainsFunc(n.list, elsewhere) {
		return all
	}
	var some names
	for _, k := range n.list {
		if !elsewhere(k) {
			some.list = append(some.list, k)
		}
	}
	return some.all()
}

// doubled makes room for at least one element. Append itself grows a long slice by a
// quarter at a time, and copies it the more often.
func doubled[E any](s []E) []E {
	if len(s) < cap(s) {
		return s
	}
	return slices.Grow(s, max(1, len(s)))
}
