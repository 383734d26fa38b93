package source

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// Files reads directories and archives, all of them as one: an object that is there
// several times counts in its latest state. The first pass reads the objects of all kinds
// that are held, and learns where those of bulk kinds are; each later pass reads again
// the files that have what is wanted.
type Files struct {
	paths  []string
	limits Limits
	kinds  []*Kind

	info   Info
	loaded bool
	held   map[*Kind]map[Key]*heldObject
	bulk   map[*Kind]map[digest]bulkObject
	// holds says which files have objects of bulk kinds, by their number.
	holds map[int]bool
	read  map[*Kind]int // in the last pass, of bulk kinds
	// picked counts what was handed out of kinds of which single objects are asked for.
	picked map[*Kind]int
	seen   map[*Kind]bool
}

// Where an object is: the number of its file in the walk, and its own in the file.
type place struct{ file, item int32 }

type heldObject struct {
	version string
	json    []byte
}

type bulkObject struct {
	version uint64
	place
}

// A digest stands for the key of an object, since there may be many.
type digest [16]byte

func digestOf(k Key) digest {
	sum := sha256.Sum256([]byte(k.Namespace + "\x00" + k.Name))
	return digest(sum[:16])
}

// NewFiles returns a source of the files at the paths.
func NewFiles(limits Limits, paths ...string) *Files {
	s := &Files{
		paths: paths, limits: limits, kinds: Kinds(),
		info: Info{Type: TypeFiles, Names: paths, Unknown: map[string]int{}},
		held: map[*Kind]map[Key]*heldObject{}, bulk: map[*Kind]map[digest]bulkObject{},
		holds: map[int]bool{}, read: map[*Kind]int{}, seen: map[*Kind]bool{}, picked: map[*Kind]int{},
	}
	for _, k := range s.kinds {
		if k.Bulk {
			s.bulk[k] = map[digest]bulkObject{}
		} else {
			s.held[k] = map[Key]*heldObject{}
		}
	}
	return s
}

// Info describes what was read.
func (s *Files) Info() Info {
	info := s.info
	info.TimedOut = s.timedOut()
	return info
}

// Coverage says what became of a kind.
func (s *Files) Coverage(k *Kind) Coverage {
	n := len(s.held[k]) + len(s.bulk[k])
	switch {
	case !s.loaded:
		return Coverage{}
	case n == 0 && !s.seen[k]:
		return Coverage{State: NotInSource}
	case k.Picked: // nobody looks at the others that the files hold
		return Coverage{State: Read, Objects: s.picked[k]}
	}
	return Coverage{State: Read, Objects: n}
}

// Read hands out the objects that are held, kind by kind, each by namespace and name.
func (s *Files) Read(ctx context.Context, f func(*Kind, Object) error) error {
	if err := s.load(ctx); err != nil {
		return err
	}
	for _, k := range s.kinds {
		if k.Bulk || k.Picked {
			continue
		}
		for _, key := range sortedKeys(s.held[k]) {
			if err := f(k, Object{key, s.held[k][key].json}); err != nil {
				return err
			}
			// Nobody asks twice.
			s.held[k][key].json = nil
		}
	}
	return nil
}

func sortedKeys(m map[Key]*heldObject) []Key {
	keys := make([]Key, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return keys
}

// Stream hands out the objects of a bulk kind in the order of the files.
func (s *Files) Stream(ctx context.Context, k *Kind, f func(Object) error) error {
	return s.again(ctx, k, func(Key) bool { return true }, f)
}

// Pick hands out those of the named objects that are there.
func (s *Files) Pick(ctx context.Context, k *Kind, keys []Key, hand func(Object) error) error {
	f := func(o Object) error {
		s.picked[k]++
		return hand(o)
	}
	if k.Bulk {
		wanted := map[Key]bool{}
		for _, key := range keys {
			wanted[key] = true
		}
		return s.again(ctx, k, func(key Key) bool { return wanted[key] }, f)
	}
	if err := s.load(ctx); err != nil {
		return err
	}
	for _, key := range keys {
		if o := s.held[k][key]; o != nil {
			if err := f(Object{key, o.json}); err != nil {
				return err
			}
		}
	}
	return nil
}

// load makes the first pass.
func (s *Files) load(ctx context.Context) error {
	if s.loaded {
		return nil
	}
	s.loaded = true
	at := place{file: -1}
	for _, name := range s.paths {
		err := walk(ctx, name, s.limits, s.info.Refused.Add, func(e entry) error {
			at.file, at.item = at.file+1, 0
			s.look(e, &at)
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// look reads one file. What is wrong with it is noted.
func (s *Files) look(e entry, at *place) {
	r, err := e.open()
	if err != nil {
		s.info.Unreadable.Add(e.name, err.Error())
		return
	}
	defer r.Close()
	head := make([]byte, sniffed)
	n, err := io.ReadFull(r, head)
	if err != nil && n == 0 && err != io.EOF {
		s.info.Unreadable.Add(e.name, err.Error())
		return
	}
	head = head[:n]
	if !manifest(e.name, head) {
		s.info.Others++
		return
	}
	s.info.Files++
	err = scan(io.MultiReader(bytes.NewReader(head), r), s.limits.Object, func(p piece) error {
		s.take(e, p, *at)
		at.item++
		return nil
	})
	if err != nil {
		s.info.Unreadable.Add(e.name, err.Error())
	}
}

// take notes an object, in place of an earlier state of it.
func (s *Files) take(e entry, p piece, at place) {
	if p.text == nil { // the end of a list, which may have been empty
		if k := kindOf(s.kinds, identity{apiVersion: p.apiVersion, kind: itemKind(p.kind)}); k != nil {
			s.seen[k] = true
		}
		return
	}
	if p.kind == secret {
		s.info.Secrets++
		return
	}
	k := kindOf(s.kinds, p.identity)
	if k == nil {
		s.unknown(p.kind)
		return
	}
	if p.Name == "" {
		s.info.Unreadable.Add(e.name, "a "+p.kind+" without a name")
		return
	}
	if k.Bulk {
		s.takeBulk(k, p, at)
		return
	}
	was := s.held[k][p.Key]
	if was != nil {
		s.info.Superseded++
		if !later(p.resourceVersion, was.version) {
			return
		}
	}
	text, err := p.json()
	if err == nil {
		text, err = drop(text, alwaysDropped, k.Drop)
	}
	if err != nil {
		s.info.Unreadable.Add(e.name, err.Error())
		return
	}
	if was == nil {
		s.info.Objects++
	}
	s.held[k][p.Key] = &heldObject{p.resourceVersion, text}
}

func (s *Files) takeBulk(k *Kind, p piece, at place) {
	key, version := digestOf(p.Key), number(p.resourceVersion)
	was, again := s.bulk[k][key]
	if again {
		s.info.Superseded++
		if version <= was.version {
			return
		}
	} else {
		s.info.Objects++
	}
	s.bulk[k][key] = bulkObject{version, at}
	s.holds[int(at.file)] = true
}

// maxUnknown is how many kinds are told apart that the audit has no use for.
const maxUnknown = 500

func (s *Files) unknown(kind string) {
	if _, known := s.info.Unknown[kind]; !known && len(s.info.Unknown) >= maxUnknown {
		kind = "others"
	}
	s.info.Unknown[kind]++
}

// later reports whether the first state is behind the second. One that names no version
// is before any that does.
func later(a, b string) bool {
	if a == "" || b == "" {
		return a != ""
	}
	n, err := resourceversion.CompareResourceVersion(a, b)
	return err == nil && n > 0
}

// number reads a resourceVersion that is compared with others of its kind.
func number(version string) uint64 {
	var n uint64
	if _, err := fmt.Sscanf(version, "%d", &n); err != nil {
		return 0
	}
	return n
}

// timedOut reports whether the files hold what oc adm must-gather falls back to when a
// gather fails: BackupGathering in openshift/oc, pkg/cli/admin/mustgather/mustgather.go
// at 027f4a8, fetches ClusterVersion and ClusterOperators, of which inspect adds only the
// configuration that it still reaches.
func (s *Files) timedOut() bool {
	return len(s.held[ClusterVersions]) > 0 && len(s.held[ClusterOperators]) > 0 &&
		len(s.held[Nodes]) == 0 && len(s.held[MachineConfigPools]) == 0 && len(s.bulk[ImageStreams]) == 0
}
