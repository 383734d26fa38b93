package importmode_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

// drawStream draws a stream, of few names so that two streams share some. Names
// repeat unless they are to be unique.
func drawStream(t *rapid.T, label string, unique bool) *imagev1.ImageStream {
	one := rapid.Custom(func(t *rapid.T) imagev1.TagReference {
		return tag(
			rapid.SampledFrom([]string{"", "a", "b", "c", "d", "e", "f", "v1", "v2"}).Draw(t, "name"),
			rapid.SampledFrom([]imagev1.ImportModeType{"", "", legacy, preserve, "Whole"}).Draw(t, "mode"),
		)
	})
	if unique {
		return stream(rapid.SliceOfNDistinct(one, 0, 8, func(r imagev1.TagReference) string { return r.Name }).Draw(t, label)...)
	}
	return stream(rapid.SliceOfN(one, 0, 8).Draw(t, label)...)
}

func drawMode(t *rapid.T, label string) imagev1.ImportModeType {
	return rapid.SampledFrom([]imagev1.ImportModeType{"", legacy, preserve}).Draw(t, label)
}

func defaulted(request, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts importmode.Options) *imagev1.ImageStream {
	result := request.DeepCopy()
	for i, d := range importmode.DefaultImageStream(nil, request, stored, cluster, opts) {
		result.Spec.Tags[i].ImportPolicy.ImportMode = d.Store
	}
	return result
}

// Names may repeat in these properties: what they promise holds of any list.

func TestDefaultingTwiceChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request, stored := drawStream(t, "request", false), drawStream(t, "stored", false)
		opts := importmode.Options{IgnoreLegacy: rapid.Bool().Draw(t, "ignore")}
		once := defaulted(request, stored, drawMode(t, "cluster"), opts)
		// Read literally: once written, a mode is the stream's own.
		twice := defaulted(once, stored, drawMode(t, "cluster flipped"), importmode.Options{})
		if !opts.IgnoreLegacy && slices.ContainsFunc(once.Spec.Tags, func(r imagev1.TagReference) bool { return r.ImportPolicy.ImportMode == "" }) {
			// Only a tag that is stored empty is left empty.
			for i, d := range importmode.DefaultImageStream(nil, once, stored, preserve, importmode.Options{}) {
				if d.Store == "" && d.New {
					t.Fatalf("tag %d is new and empty", i)
				}
			}
		}
		if diff := cmp.Diff(once, twice); diff != "" {
			t.Fatalf("before storing (-once +twice):\n%s", diff)
		}
		if diff := cmp.Diff(once, defaulted(once, once, drawMode(t, "cluster after"), importmode.Options{})); diff != "" {
			t.Fatalf("after storing (-once +twice):\n%s", diff)
		}
	})
}

func TestOmittingModesNeverChangesStoredTags(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request, stored := drawStream(t, "request", true), drawStream(t, "stored", true)
		was := map[string]imagev1.ImportModeType{}
		for _, r := range stored.Spec.Tags {
			was[r.Name] = r.ImportPolicy.ImportMode
		}
		for i := range request.Spec.Tags {
			request.Spec.Tags[i].ImportPolicy.ImportMode = ""
		}
		cluster := drawMode(t, "cluster")
		for i, d := range importmode.DefaultImageStream(nil, request, stored, cluster, importmode.Options{}) {
			mode, exists := was[request.Spec.Tags[i].Name]
			if d.New == exists || d.Changed {
				t.Fatalf("tag %d, stored %t: %+v", i, exists, d)
			}
			if exists && d.Store != mode {
				t.Fatalf("tag %d is stored as %q and becomes %q", i, mode, d.Store)
			}
			if !exists && d.Store != importmode.EffectiveMode(cluster) {
				t.Fatalf("tag %d is new and becomes %q", i, d.Store)
			}
		}
	})
}

func TestExplicitModesAlwaysWin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request, stored := drawStream(t, "request", false), drawStream(t, "stored", false)
		cluster := rapid.SampledFrom([]imagev1.ImportModeType{"", legacy, preserve, "Whole"}).Draw(t, "cluster")
		check := func(what string, decisions []importmode.DecidedTag) {
			if len(decisions) != len(request.Spec.Tags) {
				t.Fatalf("%s: %d decisions for %d tags", what, len(decisions), len(request.Spec.Tags))
			}
			for i, d := range decisions {
				given := request.Spec.Tags[i].ImportPolicy.ImportMode
				if given != "" && (d.Store != given || given != "Whole" && d.Import != given || d.Reason != importmode.ReasonGiven) {
					t.Fatalf("%s: tag %d has %q and gets %q by %s", what, i, given, d.Store, d.Reason)
				}
				if d.Import != legacy && d.Import != preserve {
					t.Fatalf("%s: tag %d is imported by %q", what, i, d.Import)
				}
			}
		}
		check("stream", importmode.DefaultImageStream(nil, request, stored, cluster, importmode.Options{}))
		check("managed", importmode.DefaultManagedImageStream(nil, request, stored))
		imports := importOf()
		var single []importmode.DecidedTag
		for _, r := range request.Spec.Tags {
			imports.Spec.Images = append(imports.Spec.Images, image("h/x/y:"+r.Name, r.Name, r.ImportPolicy.ImportMode))
			single = append(single, importmode.DecidedTag{Name: r.Name, TagDecision: importmode.DefaultImageStreamTag(&imagev1.ImageStreamTag{Tag: &r}, stored, cluster, importmode.Options{})})
		}
		check("import", importmode.DefaultImageStreamImport(nil, imports, stored, cluster, importmode.Options{}))
		check("image stream tag", single)
	})
}

func TestObservingTwiceChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		status := rapid.SampledFrom([]configv1.ImportModeType{"", configLegacy, configPreserve}).Draw(t, "status")
		previous := rapid.SampledFrom([]string{"", "Legacy", "PreserveOriginal", "Whole"}).Draw(t, "previous")
		o, err := importmode.Observe(imageConfig(status), nil, observed(previous))
		if err != nil {
			t.Fatal(err)
		}
		again, err := importmode.Observe(imageConfig(status), nil, o.Config)
		if err != nil || again.Changed || again.Event != nil || !cmp.Equal(o.Config, again.Config) {
			t.Fatalf("observed once %+v, twice %+v, %v", o, again, err)
		}
		if o.Changed != (previous != string(status)) {
			t.Fatalf("from %q to %q: changed %t", previous, status, o.Changed)
		}
	})
}
