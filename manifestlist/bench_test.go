package manifestlist

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// benchChildren returns n children of different platforms in shuffled order.
func benchChildren(n int) []Child {
	architectures := []string{"amd64", "arm64", "ppc64le", "s390x", "386", "arm", "riscv64", "loong64"}
	children := make([]Child, n)
	for i := range children {
		p := &ocispec.Platform{OS: "linux", Architecture: architectures[i%len(architectures)]}
		if i >= len(architectures) {
			p.OSVersion = fmt.Sprintf("10.0.%d", 20000+i)
		}
		children[i].Descriptor = ocispec.Descriptor{
			MediaType: ocispec.MediaTypeImageManifest,
			Digest:    digest.FromString(fmt.Sprint(i)),
			Size:      int64(1000 + i),
			Platform:  p,
		}
	}
	rand.New(rand.NewPCG(1, uint64(n))).Shuffle(n, func(i, j int) { children[i], children[j] = children[j], children[i] })
	return children
}

var benchSizes = []int{4, 64, 1000}

func BenchmarkAssemble(b *testing.B) {
	for _, n := range benchSizes {
		children := benchChildren(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Assemble(children, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFloorEncodingJSON is what Assemble is held against: the same bytes
// out of encoding/json, and their digest; nothing sorted, nothing checked.
func BenchmarkFloorEncodingJSON(b *testing.B) {
	for _, n := range benchSizes {
		r, err := Assemble(benchChildren(n), Options{})
		if err != nil {
			b.Fatal(err)
		}
		x, err := Parse(r.Bytes)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				raw, err := json.Marshal(x.Index)
				if err != nil {
					b.Fatal(err)
				}
				digest.FromBytes(raw)
			}
		})
	}
}

func BenchmarkFloorSHA256(b *testing.B) {
	for _, n := range benchSizes {
		r, err := Assemble(benchChildren(n), Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sha256.Sum256(r.Bytes)
			}
		})
	}
}

func benchSource(b *testing.B, n int) []byte {
	r, err := Assemble(benchChildren(n), Options{})
	if err != nil {
		b.Fatal(err)
	}
	return []byte(strings.ReplaceAll(string(r.Bytes), `"size":`, `"x-signed":{"by":"builder","keys":[1,2]},"size":`))
}

func BenchmarkParse(b *testing.B) {
	for _, n := range benchSizes {
		src := benchSource(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFloorUnmarshal is what Parse is held against: it forgets what
// image-spec does not name, and takes what is ambiguous.
func BenchmarkFloorUnmarshal(b *testing.B) {
	for _, n := range benchSizes {
		src := benchSource(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var index ocispec.Index
				if err := json.Unmarshal(src, &index); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSelect is to be held against BenchmarkFloorSHA256: who chooses has
// hashed the index before.
func BenchmarkSelect(b *testing.B) {
	for _, policy := range []Policy{Strict, OpenShiftLegacy, Containerd, ContainersImage} {
		for _, n := range benchSizes {
			var index ocispec.Index
			for _, c := range benchChildren(n) {
				index.Manifests = append(index.Manifests, c.Descriptor)
			}
			wanted := ocispec.Platform{OS: "linux", Architecture: "arm64", Variant: "v8"}
			b.Run(fmt.Sprintf("%s/%d", policy, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Select(index, wanted, SelectOptions{Policy: policy}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	for _, n := range benchSizes {
		x, err := Parse(benchSource(b, n))
		if err != nil {
			b.Fatal(err)
		}
		one := benchChildren(1)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Update(x, one, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
