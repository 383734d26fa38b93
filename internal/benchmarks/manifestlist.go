package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"

	ggcr "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	ggcrtypes "github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist"
)

// manifestlistClaims hold the package against three floors: encoding/json plus
// SHA-256 of the very same index (which neither sorts nor checks anything),
// go-containerregistry's way to an index, and SHA-256 alone, which nobody who
// publishes by digest can do without. The children come in shuffled order.
func manifestlistClaims() []claim {
	var all []claim
	for _, size := range []struct {
		n                    int
		encoding, sha256only float64
	}{{4, 0.60, 2.7}, {64, 0.70, 2.8}, {1000, 0.90, 3.3}} {
		all = append(all,
			claim{name: fmt.Sprintf("assemble_%d", size.n), limit: size.encoding, setup: func() (ours, floor func() error, err error) {
				return assembleAgainst(size.n, encodeAndHash)
			}},
			claim{name: fmt.Sprintf("assemble_%d_ggcr", size.n), limit: 0.25, setup: func() (ours, floor func() error, err error) {
				return assembleAgainst(size.n, ggcrAppend)
			}},
			claim{name: fmt.Sprintf("assemble_%d_sha256", size.n), limit: size.sha256only, hash: true, setup: func() (ours, floor func() error, err error) {
				return assembleAgainst(size.n, hashAlone)
			}},
		)
	}
	for _, n := range []int{4, 64} {
		all = append(all,
			claim{name: fmt.Sprintf("parse_%d", n), limit: 1.5, setup: func() (ours, floor func() error, err error) {
				return parseAgainst(n, func(src []byte) error {
					var index ocispec.Index
					return json.Unmarshal(src, &index)
				})
			}},
			claim{name: fmt.Sprintf("parse_%d_sha256", n), limit: 0, hash: true, setup: func() (ours, floor func() error, err error) {
				return parseAgainst(n, hash)
			}},
			claim{name: fmt.Sprintf("select_%d_sha256", n), limit: 0, hash: true, setup: func() (ours, floor func() error, err error) {
				return selectAgainstHash(n)
			}},
		)
	}
	return all
}

// hash looks at the sum, so that the compiler does not leave it out.
func hash(b []byte) error {
	if sha256.Sum256(b) == ([sha256.Size]byte{}) {
		return errors.New("a SHA-256 of zeros")
	}
	return nil
}

// indexDescriptors returns n descriptors of different platforms in shuffled
// order.
func indexDescriptors(n int) []ocispec.Descriptor {
	architectures := []string{"amd64", "arm64", "ppc64le", "s390x", "386", "arm", "riscv64", "loong64"}
	descriptors := make([]ocispec.Descriptor, n)
	for i := range descriptors {
		p := &ocispec.Platform{OS: "linux", Architecture: architectures[i%len(architectures)]}
		if i >= len(architectures) {
			p.OSVersion = fmt.Sprintf("10.0.%d", 20000+i)
		}
		descriptors[i] = ocispec.Descriptor{
			MediaType: ocispec.MediaTypeImageManifest,
			Digest:    digest.FromString(fmt.Sprint(i)),
			Size:      int64(1000 + i),
			Platform:  p,
		}
	}
	rand.New(rand.NewPCG(1, uint64(n))).Shuffle(n, func(i, j int) {
		descriptors[i], descriptors[j] = descriptors[j], descriptors[i]
	})
	return descriptors
}

// assembleAgainst takes the floor as a function of the assembled index.
func assembleAgainst(n int, makeFloor func(ocispec.Index, []byte) (func() error, error)) (ours, floor func() error, err error) {
	descriptors := indexDescriptors(n)
	children := make([]manifestlist.Child, n)
	for i := range children {
		children[i].Descriptor = descriptors[i]
	}
	assembled, err := manifestlist.Assemble(children, manifestlist.Options{})
	if err != nil {
		return nil, nil, err
	}
	parsed, err := manifestlist.Parse(assembled.Bytes)
	if err != nil {
		return nil, nil, err
	}
	floor, err = makeFloor(parsed.Index, assembled.Bytes)
	if err != nil {
		return nil, nil, err
	}
	ours = func() error {
		r, err := manifestlist.Assemble(children, manifestlist.Options{})
		if err == nil && r.Descriptor.Digest != assembled.Descriptor.Digest {
			err = fmt.Errorf("assembled %s, then %s", assembled.Descriptor.Digest, r.Descriptor.Digest)
		}
		return err
	}
	return ours, floor, nil
}

func encodeAndHash(index ocispec.Index, assembled []byte) (func() error, error) {
	want := digest.FromBytes(assembled)
	return func() error {
		b, err := json.Marshal(index)
		if err == nil && digest.FromBytes(b) != want {
			err = fmt.Errorf("encoding/json writes another index than Assemble")
		}
		return err
	}, nil
}

func hashAlone(_ ocispec.Index, assembled []byte) (func() error, error) {
	return func() error { return hash(assembled) }, nil
}

// described is a manifest of which only the descriptor is known, the cheapest
// thing that go-containerregistry takes.
type described struct {
	ggcr.Layer
	descriptor ggcr.Descriptor
}

func (d described) Descriptor() (*ggcr.Descriptor, error)   { return &d.descriptor, nil }
func (d described) MediaType() (ggcrtypes.MediaType, error) { return d.descriptor.MediaType, nil }
func (d described) Digest() (ggcr.Hash, error)              { return d.descriptor.Digest, nil }
func (d described) Size() (int64, error)                    { return d.descriptor.Size, nil }

func ggcrAppend(_ ocispec.Index, assembled []byte) (func() error, error) {
	descriptors := indexDescriptors(count(assembled))
	adds := make([]mutate.IndexAddendum, len(descriptors))
	for i, d := range descriptors {
		hash, err := ggcr.NewHash(string(d.Digest))
		if err != nil {
			return nil, err
		}
		adds[i] = mutate.IndexAddendum{Add: described{descriptor: ggcr.Descriptor{
			MediaType: ggcrtypes.MediaType(d.MediaType), Digest: hash, Size: d.Size,
			Platform: &ggcr.Platform{OS: d.Platform.OS, Architecture: d.Platform.Architecture, OSVersion: d.Platform.OSVersion},
		}}}
	}
	return func() error {
		index := mutate.AppendManifests(empty.Index, adds...)
		raw, err := index.RawManifest()
		if err != nil {
			return err
		}
		if len(raw) != len(assembled) {
			return fmt.Errorf("go-containerregistry writes %d bytes, Assemble %d", len(raw), len(assembled))
		}
		_, err = index.Digest()
		return err
	}, nil
}

func count(index []byte) int {
	var x struct{ Manifests []struct{} }
	_ = json.Unmarshal(index, &x)
	return len(x.Manifests)
}

// parseAgainst reads an index that has members of its own in every entry and
// beside them.
func parseAgainst(n int, read func([]byte) error) (ours, floor func() error, err error) {
	type entry struct {
		ocispec.Descriptor
		Signed map[string]any `json:"x-signed"`
	}
	source := struct {
		specs.Versioned
		MediaType string  `json:"mediaType"`
		Manifests []entry `json:"manifests"`
		Note      string  `json:"x-note"`
	}{MediaType: ocispec.MediaTypeImageIndex, Note: "kept"}
	source.SchemaVersion = 2
	for _, d := range indexDescriptors(n) {
		source.Manifests = append(source.Manifests, entry{d, map[string]any{"by": "builder", "keys": []int{1, 2}}})
	}
	src, err := json.Marshal(source)
	if err != nil {
		return nil, nil, err
	}
	ours = func() error {
		index, err := manifestlist.Parse(src)
		if err == nil && len(index.Manifests) != n {
			err = fmt.Errorf("parsed %d entries of %d", len(index.Manifests), n)
		}
		return err
	}
	return ours, func() error { return read(src) }, nil
}

func selectAgainstHash(n int) (ours, floor func() error, err error) {
	index := ocispec.Index{Manifests: indexDescriptors(n)}
	bytes := manifestlist.Index{Index: index}.Append(nil)
	wanted := ocispec.Platform{OS: "linux", Architecture: "s390x"}
	ours = func() error {
		_, err := manifestlist.Select(index, wanted, manifestlist.SelectOptions{})
		return err
	}
	floor, err = hashAlone(index, bytes)
	return ours, floor, err
}
