package osimagestream

import (
	"encoding/json"
	"fmt"
	"testing"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// references returns a payload of n tags as it is written into a release, four of
// them OS images, and the labels of those.
func references(tb testing.TB, n int) ([]byte, map[string]map[string]string) {
	w := osimagestreamtest.NewWorld().Pair("rhel-coreos", "rhel-9").Pair("rhel-coreos-10", "rhel-10")
	for i := len(w.Tags); i < n; i++ {
		w.Tags = append(w.Tags, tag(fmt.Sprintf("component-%04d", i), pull(fmt.Sprint(i))))
	}
	for i := range w.Tags {
		w.Tags[i].Annotations = map[string]string{
			"io.openshift.build.commit.id":  "0123456789abcdef0123456789abcdef01234567",
			"io.openshift.build.commit.ref": "main",
			sourceAnnotation:                "https://github.com/openshift/component",
		}
	}
	p := payload(w.Tags...)
	p.Kind, p.APIVersion, p.Name = "ImageStream", "image.openshift.io/v1", "4.22.0"
	data, err := json.Marshal(p)
	if err != nil {
		tb.Fatal(err)
	}
	return data, w.Labels
}

// The floor of BenchmarkDiscover is BenchmarkUnmarshal: one json.Unmarshal of the
// same bytes. The module's benchmarks hold the ratio.
func BenchmarkDiscover(b *testing.B) {
	for _, n := range []int{300, 3000} {
		data, labels := references(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p, err := ParseImageReferences(data)
				if err != nil {
					b.Fatal(err)
				}
				if d := Discover(Sources{Payload: p, Labels: labels}); len(d.Streams) != 2 {
					b.Fatal(d)
				}
			}
		})
	}
}

func BenchmarkUnmarshal(b *testing.B) {
	for _, n := range []int{300, 3000} {
		data, _ := references(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var p imagev1.ImageStream
				if err := json.Unmarshal(data, &p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The floor is a deep copy of the stored object, which every reconciler makes.
func BenchmarkPlan(b *testing.B) {
	c := Cluster{Flavor: OKD, Discovery: complete(sets("centos-11")...), Stored: stored("centos-10", "centos-10", sets("centos-10")...), Release: release}
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if p := Plan(c); len(p.Steps) != 2 {
				b.Fatal(p)
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if c.Stored.DeepCopy() == nil {
				b.Fatal("nil")
			}
		}
	})
}
