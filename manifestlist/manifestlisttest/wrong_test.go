package manifestlisttest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

type (
	impl    = manifestlisttest.Impl
	child   = manifestlisttest.Child
	options = manifestlisttest.Options
)

// described gives a document with the descriptor that it is pushed with.
func described(b []byte, err error) ([]byte, ocispec.Descriptor, error) {
	if err != nil {
		return nil, ocispec.Descriptor{}, err
	}
	var x ocispec.Index
	_ = json.Unmarshal(b, &x) // it is an index
	return b, ocispec.Descriptor{MediaType: x.MediaType, ArtifactType: x.ArtifactType, Digest: digest.FromBytes(b), Size: int64(len(b))}, nil
}

// letsThrough makes Assemble take what breaks only rules that it does not look at.
func letsThrough(unseen func(children []child, e *manifestlist.IndexError) bool) func(*impl) {
	return func(i *impl) {
		right := i.Assemble
		i.Assemble = func(children []child, o options) ([]byte, ocispec.Descriptor, error) {
			b, d, err := right(children, o)
			var all manifestlist.IndexErrors
			if errors.As(err, &all) && !slices.ContainsFunc(all, func(e *manifestlist.IndexError) bool { return !unseen(children, e) }) {
				return described(manifestlisttest.AssembleOracle(children, o), nil)
			}
			return b, d, err
		}
	}
}

// codes is letsThrough of errors of these codes, whose paths end so.
func codes(path string, codes ...manifestlist.Code) func(*impl) {
	return letsThrough(func(_ []child, e *manifestlist.IndexError) bool {
		return slices.Contains(codes, e.Code) && strings.HasSuffix(e.Path, path)
	})
}

// ofDescriptors is letsThrough of errors of these codes, of descriptors that come
// without a manifest.
func ofDescriptors(codes ...manifestlist.Code) func(*impl) {
	return letsThrough(func(children []child, e *manifestlist.IndexError) bool {
		return slices.Contains(codes, e.Code) && (e.Child == nil || children[e.Child.Position].Manifest == nil)
	})
}

// rewrites changes what Assemble has made.
func rewrites(change func(children []child, x *ocispec.Index)) func(*impl) {
	return func(i *impl) {
		right := i.Assemble
		i.Assemble = func(children []child, o options) ([]byte, ocispec.Descriptor, error) {
			b, _, err := right(children, o)
			if err != nil {
				return nil, ocispec.Descriptor{}, err
			}
			var x ocispec.Index
			if err := json.Unmarshal(b, &x); err != nil {
				return nil, ocispec.Descriptor{}, err
			}
			change(children, &x)
			return described(json.Marshal(x))
		}
	}
}

// retypes changes the bytes of what Assemble has made.
func retypes(change func([]byte) []byte) func(*impl) {
	return func(i *impl) {
		right := i.Assemble
		i.Assemble = func(children []child, o options) ([]byte, ocispec.Descriptor, error) {
			b, _, err := right(children, o)
			if err != nil {
				return nil, ocispec.Descriptor{}, err
			}
			return described(change(b), nil)
		}
	}
}

// updates changes what Update has made. joined says that no entry left.
func updates(change func(x map[string]json.RawMessage, joined bool)) func(*impl) {
	return func(i *impl) {
		right := i.Update
		i.Update = func(index []byte, children []child, o options) ([]byte, ocispec.Descriptor, error) {
			b, _, err := right(index, children, o)
			if err != nil {
				return nil, ocispec.Descriptor{}, err
			}
			count := func(index []byte) int { return len(strings.Fields(manifestlisttest.Layout(index))) }
			x := map[string]json.RawMessage{}
			if err := json.Unmarshal(b, &x); err != nil {
				return nil, ocispec.Descriptor{}, err
			}
			change(x, count(b) == count(index)+len(children))
			return described(json.Marshal(x))
		}
	}
}

// parses makes Parse read with encoding/json alone what breaks only a rule that it
// does not look at.
func parses(unseen func(*manifestlist.IndexError) bool) func(*impl) {
	return func(i *impl) {
		right := i.Parse
		i.Parse = func(index []byte, limit int) (ocispec.Index, error) {
			x, err := right(index, limit)
			var e *manifestlist.IndexError
			if errors.As(err, &e) && unseen(e) {
				err = json.Unmarshal(index, &x)
			}
			return x, err
		}
	}
}

// firstThat chooses the first entry for which match holds.
func firstThat(match func(p *ocispec.Platform, wanted ocispec.Platform) bool) manifestlisttest.Chooser {
	return func(index ocispec.Index, wanted, _ ocispec.Platform) (int, error) {
		for i := range index.Manifests {
			if match(index.Manifests[i].Platform, wanted) {
				return i, nil
			}
		}
		return -1, errors.New("nothing for it")
	}
}

// satisfies is how go-containerregistry and oras compare: what is not wanted does not
// count.
func satisfies(p *ocispec.Platform, wanted ocispec.Platform) bool {
	same := func(want, got string) bool { return want == "" || want == got }
	return p != nil && same(wanted.OS, p.OS) && same(wanted.Architecture, p.Architecture) && same(wanted.Variant, p.Variant) &&
		same(wanted.OSVersion, p.OSVersion) && len(wanted.OSFeatures) <= len(p.OSFeatures)
}

// without chooses with some entries left out.
func without(right manifestlisttest.Chooser, out func(ocispec.Descriptor) bool) manifestlisttest.Chooser {
	return func(index ocispec.Index, wanted, host ocispec.Platform) (int, error) {
		kept, places := ocispec.Index{MediaType: index.MediaType}, []int{}
		for i, d := range index.Manifests {
			if !out(d) {
				kept.Manifests, places = append(kept.Manifests, d), append(places, i)
			}
		}
		i, err := right(kept, wanted, host)
		if err != nil {
			return -1, err
		}
		return places[i], nil
	}
}

// spelled is an index with the aliases of architectures in their usual spelling.
func spelled(index ocispec.Index) ocispec.Index {
	index.Manifests = slices.Clone(index.Manifests)
	for i := range index.Manifests {
		if p := index.Manifests[i].Platform; p != nil {
			q := *p
			q.Architecture = usual(q.Architecture)
			index.Manifests[i].Platform = &q
		}
	}
	return index
}

func usual(architecture string) string {
	switch architecture {
	case "x86_64":
		return "amd64"
	case "aarch64":
		return "arm64"
	}
	return architecture
}

// asGiven puts the entries into the order of the children.
func asGiven(children []child, x *ocispec.Index) {
	place := func(d ocispec.Descriptor) int {
		return slices.IndexFunc(children, func(c child) bool {
			return c.Descriptor.Digest == d.Digest && reflect.DeepEqual(c.Descriptor.Platform, d.Platform)
		})
	}
	slices.SortStableFunc(x.Manifests, func(a, b ocispec.Descriptor) int { return place(a) - place(b) })
}

// indented is JSON as oc writes it.
func indented(b []byte) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "   "); err != nil {
		panic(err)
	}
	return out.Bytes()
}
