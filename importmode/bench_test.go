package importmode_test

import (
	"fmt"
	"slices"
	"testing"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// The floors that are held in internal/benchmarks: DefaultImageStream and writing
// its answer at create within 2.4 times a loop that sets the mode where it is
// empty; at update, with the stored tags in the same order, within 1.2 times a
// loop that first puts the stored tags in a map; 1000 tags within 12 times 100; one
// image stream tag of a stream of 100 within 1.5 times a scan for its name.
// The allocations are held here.

func numbered(n int, mode imagev1.ImportModeType) *imagev1.ImageStream {
	s := stream()
	for i := range n {
		s.Spec.Tags = append(s.Spec.Tags, tag(fmt.Sprintf("v1.%d", i), mode))
	}
	return s
}

func TestNoAllocs(t *testing.T) {
	request, stored := numbered(100, ""), numbered(100, legacy)
	room := make([]importmode.DecidedTag, 0, 100)
	names := make([]string, 100)
	for i := range names {
		names[i] = fmt.Sprintf("v1.%d", i)
	}
	imports := importOf()
	imports.Spec.Repository = &imagev1.RepositoryImportSpec{}
	for _, name := range names {
		imports.Spec.Images = append(imports.Spec.Images, image("h/x/y:"+name, "", ""))
	}
	one := &imagev1.ImageStreamTag{Tag: &request.Spec.Tags[99]}
	lastImage, lastTag := importOf(imports.Spec.Images[99]), stream(request.Spec.Tags[99])
	for _, tt := range []struct {
		name string
		do   func()
	}{
		{"create", func() { importmode.DefaultImageStream(room, request, nil, preserve, importmode.Options{}) }},
		{"create, Legacy ignored", func() {
			importmode.DefaultImageStream(room, stored, nil, preserve, importmode.Options{IgnoreLegacy: true})
		}},
		{"update in the same order", func() { importmode.DefaultImageStream(room, request, stored, preserve, importmode.Options{}) }},
		{"managed stream", func() { importmode.DefaultManagedImageStream(room, request, stored) }},
		{"import", func() { importmode.DefaultImageStreamImport(room, imports, stored, preserve, importmode.Options{}) }},
		{"repository import", func() {
			importmode.DefaultRepositoryImport(room, imports, names, stored, preserve, importmode.Options{})
		}},
		{"tag", func() { importmode.DefaultTag(legacy, legacy, true, preserve, importmode.Options{IgnoreLegacy: true}) }},
		{"managed tag", func() { _ = importmode.DefaultManagedTag("", legacy, true) }},
		{"no findings", func() { importmode.DefaultManagedTag("", legacy, true).Findings(nil) }},
		{"image stream tag", func() { importmode.DefaultImageStreamTag(one, stored, preserve, importmode.Options{}) }},
		{"import of one image", func() { importmode.DefaultImageStreamImport(room, lastImage, stored, preserve, importmode.Options{}) }},
		{"import of a repository with one tag", func() {
			importmode.DefaultRepositoryImport(room, imports, names[99:], stored, preserve, importmode.Options{})
		}},
		{"stream with one tag", func() { importmode.DefaultImageStream(room, lastTag, stored, preserve, importmode.Options{}) }},
		{"validate a stream", func() { importmode.ValidateImageStreamUpdate(request, stored, nil) }},
		{"validate an import", func() { importmode.ValidateImageStreamImport(imports, nil) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if n := testing.AllocsPerRun(100, tt.do); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
	for _, spec := range []configv1.ImportModeType{"", configLegacy, configPreserve} {
		for _, current := range []configv1.ImportModeType{"", configLegacy, configPreserve} {
			for _, payload := range []payloadarch.Verdict{{}, installing, single, multi} {
				in := importmode.Input{Spec: spec, Current: current, Payload: payload, Nodes: payloadarch.SetOf("amd64", "arm64")}
				if payload.Kind == payloadarch.Single {
					in.Nodes = payloadarch.SetOf("amd64") // several are worth a finding
				}
				if n := testing.AllocsPerRun(100, func() { importmode.Decide(in) }); n != 0 {
					t.Errorf("Decide(%+v): %v allocations", in, n)
				}
			}
		}
	}
}

func BenchmarkDefaultImageStream(b *testing.B) {
	for _, n := range []int{100, 1000} {
		request, stored := numbered(n, ""), numbered(n, legacy)
		reversed := stored.DeepCopy()
		slices.Reverse(reversed.Spec.Tags)
		for _, bb := range []struct {
			name   string
			stored *imagev1.ImageStream
		}{{"create", nil}, {"update", stored}, {"reversed", reversed}} {
			b.Run(fmt.Sprintf("%s/%d", bb.name, n), func(b *testing.B) {
				room := make([]importmode.DecidedTag, 0, n)
				b.ReportAllocs()
				for b.Loop() {
					importmode.DefaultImageStream(room, request, bb.stored, preserve, importmode.Options{})
				}
			})
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	in := importmode.Input{Current: configLegacy, Payload: multi}
	b.ReportAllocs()
	for b.Loop() {
		importmode.Decide(in)
	}
}
