package importmode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

func TestDefaultImageStream(t *testing.T) {
	for _, tt := range tagRows {
		t.Run(tt.name, func(t *testing.T) {
			got := importmode.DefaultImageStream(nil, stream(tag("v1", tt.given)), tt.stored, tt.cluster, tt.opts)
			if diff := cmp.Diff([]verdict{tt.want}, verdicts(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got[0].Name != "v1" {
				t.Errorf("decided for the tag %q", got[0].Name)
			}
		})
	}
}

func TestDefaultImageStreamTag(t *testing.T) {
	for _, tt := range tagRows {
		t.Run(tt.name, func(t *testing.T) {
			spec := tag("v1", tt.given)
			request := &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Name: "s:v1"}, Tag: &spec}
			d := importmode.DefaultImageStreamTag(request, tt.stored, tt.cluster, tt.opts)
			if diff := cmp.Diff(tt.want, verdictOf(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDefaultImageStreamTagName(t *testing.T) {
	stored := stream(tag("v1", legacy), tag("v2", preserve))
	for _, tt := range []struct {
		name, object, tag string
		want              importmode.TagReason
	}{
		{"33: by the object's name", "s:v1", "v1", importmode.ReasonStored},
		{"33: the object's name wins over tag.name", "s:v9", "v1", importmode.ReasonClusterMode},
		{"33: the tag needs no name of its own", "s:v2", "", importmode.ReasonStored},
		{"33: by tag.name if the object's name has no colon", "s", "v1", importmode.ReasonStored},
		{"33: by tag.name if nothing follows the colon", "s:", "v1", importmode.ReasonStored},
		{"33: without any name", "", "", importmode.ReasonClusterMode},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request := &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Name: tt.object}, Tag: &imagev1.TagReference{Name: tt.tag}}
			if got := importmode.DefaultImageStreamTag(request, stored, preserve, importmode.Options{}).Reason; got != tt.want {
				t.Errorf("reason %s, want %s", got, tt.want)
			}
		})
	}
	for name, request := range map[string]*imagev1.ImageStreamTag{
		"34: nil request":                nil,
		"34: no spec tag, as of a push":  {ObjectMeta: metav1.ObjectMeta{Name: "s:v1"}},
		"34: zero request":               {},
		"34: no spec tag, unknown in it": {ObjectMeta: metav1.ObjectMeta{Name: "s:v7"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := importmode.DefaultImageStreamTag(request, stored, preserve, importmode.Options{})
			if want := (importmode.TagDecision{Reason: importmode.ReasonNoSpecTag}); d != want {
				t.Errorf("%+v, want %+v", d, want)
			}
		})
	}
}

// What a tag points to plays no part.
func TestDefaultImageStreamKindsOfTags(t *testing.T) {
	generation := int64(3)
	for name, kind := range map[string]func(*imagev1.TagReference){
		"28: reference":           func(r *imagev1.TagReference) { r.Reference = true },
		"28: kind ImageStreamTag": func(r *imagev1.TagReference) { r.From = &corev1.ObjectReference{Kind: "ImageStreamTag", Name: "v0"} },
		"28: kind ImageStreamImage": func(r *imagev1.TagReference) {
			r.From = &corev1.ObjectReference{Kind: "ImageStreamImage", Name: "s@sha256:0"}
		},
		"28: without from":           func(r *imagev1.TagReference) { r.From = nil },
		"28: scheduled and insecure": func(r *imagev1.TagReference) { r.ImportPolicy.Scheduled, r.ImportPolicy.Insecure = true, true },
		"28: with a generation":      func(r *imagev1.TagReference) { r.Generation = &generation },
		"28: with a local pull":      func(r *imagev1.TagReference) { r.ReferencePolicy.Type = imagev1.LocalTagReferencePolicy },
		"28: with a preferred platform": func(r *imagev1.TagReference) {
			r.Annotations = map[string]string{"importer.image.openshift.io/prefer-arch": "arm64"}
		},
		"28: with a name of blanks only": func(r *imagev1.TagReference) { r.Name = "  " },
	} {
		t.Run(name, func(t *testing.T) {
			for _, mode := range []imagev1.ImportModeType{legacy, preserve, ""} {
				stored := stream(tag("v1", mode))
				kind(&stored.Spec.Tags[0])
				request := stored.DeepCopy()
				request.Spec.Tags[0].ImportPolicy.ImportMode = ""
				got := importmode.DefaultImageStream(nil, request, stored, preserve, importmode.Options{})
				if len(got) != 1 || got[0].Store != mode || got[0].New || got[0].Changed {
					t.Errorf("stored %q: %+v", mode, got)
				}
				if got := importmode.DefaultImageStream(nil, request, nil, preserve, importmode.Options{}); got[0].Store != preserve {
					t.Errorf("new: %+v", got)
				}
			}
		})
	}
}

func TestDefaultImageStreamLists(t *testing.T) {
	stored := stream(tag("a", legacy), tag("b", preserve), tag("c", ""))
	given := func(names ...string) *imagev1.ImageStream {
		s := stream()
		for _, n := range names {
			s.Spec.Tags = append(s.Spec.Tags, tag(n, ""))
		}
		return s
	}
	for _, tt := range []struct {
		name    string
		request *imagev1.ImageStream
		stored  *imagev1.ImageStream
		want    []imagev1.ImportModeType
		added   int // number of new tags
	}{
		{"32: same order", given("a", "b", "c"), stored, []imagev1.ImportModeType{legacy, preserve, ""}, 0},
		{"32: opposite order", given("c", "b", "a"), stored, []imagev1.ImportModeType{"", preserve, legacy}, 0},
		{"37: one removed", given("a", "c"), stored, []imagev1.ImportModeType{legacy, ""}, 0},
		{"23,32: one added in front", given("n", "a", "b", "c"), stored, []imagev1.ImportModeType{preserve, legacy, preserve, ""}, 1},
		{"23,32: one added at the end", given("a", "b", "c", "n"), stored, []imagev1.ImportModeType{legacy, preserve, "", preserve}, 1},
		{"23,37: all replaced", given("x", "y"), stored, []imagev1.ImportModeType{preserve, preserve}, 2},
		{"37: all removed", given(), stored, nil, 0},
		{"37: nil request", nil, stored, nil, 0},
		{"32: a name twice in the request goes with the same stored tag", given("a", "a", "b", "a"), stored, []imagev1.ImportModeType{legacy, legacy, preserve, legacy}, 0},
		{"32: a new name twice is new twice", given("n", "n"), stored, []imagev1.ImportModeType{preserve, preserve}, 2},
		{"32: a name stored twice: the first", given("b", "a"), stream(tag("a", legacy), tag("a", preserve), tag("b", "")), []imagev1.ImportModeType{"", legacy}, 0},
		{"32: a name stored twice and sent back alike", given("a", "a", "b"), stream(tag("a", legacy), tag("a", preserve), tag("b", "")), []imagev1.ImportModeType{legacy, preserve, ""}, 0},
		{"32: a name stored twice: the one after the tag before it", given("b", "a"), stream(tag("a", legacy), tag("b", ""), tag("a", preserve)), []imagev1.ImportModeType{"", preserve}, 0},
		{"32: tags without a name", given("", "a", ""), stream(tag("a", legacy), tag("", "")), []imagev1.ImportModeType{"", legacy, ""}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var modes []imagev1.ImportModeType
			added := 0
			for i, d := range importmode.DefaultImageStream(nil, tt.request, tt.stored, preserve, importmode.Options{}) {
				if name := tt.request.Spec.Tags[i].Name; d.Name != name {
					t.Errorf("decision %d is for %q, want %q", i, d.Name, name)
				}
				modes = append(modes, d.Store)
				if d.New {
					added++
				}
			}
			if diff := cmp.Diff(tt.want, modes); diff != "" || added != tt.added {
				t.Errorf("%d new, want %d; (-want +got):\n%s", added, tt.added, diff)
			}
		})
	}
}

func TestDecisionsAreAppended(t *testing.T) {
	stale := importmode.DecidedTag{Name: "stale", TagDecision: importmode.TagDecision{
		Import: "stale", Store: "stale", Reason: importmode.ReasonNoSpecTag, New: true, Changed: true,
		LegacyIgnored: true, UnknownStored: true, LegacyOverPreserveOriginal: true,
	}}
	literally, ignoring := importmode.Options{}, importmode.Options{IgnoreLegacy: true}
	imports := importOf(image("h/x/y:a", "", ""))
	imports.Spec.Repository = &imagev1.RepositoryImportSpec{}
	for name, list := range map[string]func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag{
		"stream": func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag {
			return importmode.DefaultImageStream(dst, stream(tag("a", "")), stored, preserve, literally)
		},
		"stream, Legacy ignored": func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag {
			return importmode.DefaultImageStream(dst, stream(tag("a", "")), stored, preserve, ignoring)
		},
		"import": func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag {
			return importmode.DefaultImageStreamImport(dst, imports, stored, preserve, literally)
		},
		"repository": func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag {
			return importmode.DefaultRepositoryImport(dst, imports, []string{"a"}, stored, preserve, literally)
		},
		"managed": func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag {
			return importmode.DefaultManagedImageStream(dst, stream(tag("a", "")), stored)
		},
	} {
		for _, stored := range []*imagev1.ImageStream{nil, stream(tag("a", legacy))} {
			room := make([]importmode.DecidedTag, 4)
			for i := range room {
				room[i] = stale
			}
			got := list(room[:1], stored)
			want := append([]importmode.DecidedTag{stale}, list(nil, stored)...)
			if diff := cmp.Diff(want, got); diff != "" || len(got) != 2 {
				t.Errorf("%s, stored %t: what was in the memory shows (-want +got):\n%s", name, stored != nil, diff)
			}
		}
	}
}

func TestModeChanged(t *testing.T) {
	modes := []imagev1.ImportModeType{"", legacy, preserve, "Whole"}
	t.Run("26: every pair", func(t *testing.T) {
		for i, was := range modes {
			for j, is := range modes {
				want := max(i, 1) != max(j, 1) // the empty mode is Legacy
				if got := importmode.ModeChanged(was, is); got != want {
					t.Errorf("ModeChanged(%q, %q) = %t", was, is, got)
				}
			}
		}
	})
	if importmode.EffectiveMode("") != legacy || importmode.EffectiveMode(preserve) != preserve || importmode.EffectiveMode("Whole") != "Whole" {
		t.Error("EffectiveMode")
	}
}
