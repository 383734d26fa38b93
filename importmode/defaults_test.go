package importmode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/importmode/importmodetest"
)

func TestDefaultImageStream(t *testing.T) {
	for _, tt := range tagRows() {
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
	for _, tt := range tagRows() {
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

func TestDefaultImageStreamTagWithoutSpecTag(t *testing.T) {
	stored := stream(tag("v1", legacy), tag("v2", preserve))
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

// A decision is for the tag in its place, whatever the stream holds.
func TestDefaultImageStreamNames(t *testing.T) {
	for _, tt := range importmodetest.StreamCases() {
		t.Run(tt.Rule+": "+tt.Name, func(t *testing.T) {
			decisions := importmode.DefaultImageStream(nil, tt.Request, tt.Stored, preserve, importmode.Options{})
			if len(decisions) != len(tt.Request.Spec.Tags) {
				t.Fatalf("%d decisions", len(decisions))
			}
			for i, d := range decisions {
				_, isStored := storedMode(tt.Stored, d.Name)
				if d.Name != tt.Request.Spec.Tags[i].Name || d.New == isStored {
					t.Errorf("decision %d: %+v", i, d)
				}
			}
		})
	}
	if got := importmode.DefaultImageStream(nil, nil, stream(tag("a", legacy)), preserve, importmode.Options{}); got != nil {
		t.Errorf("of no request: %+v", got)
	}
}

func TestDecisionsAreAppended(t *testing.T) {
	// Both ways, so that each mark is there where it should not be.
	marked := importmode.DecidedTag{Name: "stale", TagDecision: importmode.TagDecision{
		Import: "stale", Store: "stale", Reason: importmode.ReasonNoSpecTag, New: true, Changed: true,
		LegacyIgnored: true, UnknownStored: true, UnknownCluster: true, LegacyOverPreserveOriginal: true,
	}}
	unmarked := importmode.DecidedTag{Name: "stale"}
	literally, ignoring := importmode.Options{}, importmode.Options{IgnoreLegacy: true}
	imports := importOf(image("h/x/y:a", "", ""), image("h/x/y:b", "", legacy), image("h/x/y:c", "", preserve), image("h/x/y:d", "", "Whole"))
	imports.Spec.Repository = &imagev1.RepositoryImportSpec{}
	every := stream(tag("a", ""), tag("b", legacy), tag("c", preserve), tag("d", "Whole"))
	for name, list := range map[string]func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag{
		"stream": func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag {
			return importmode.DefaultImageStream(dst, every, stored, preserve, literally)
		},
		"stream, Legacy ignored": func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag {
			return importmode.DefaultImageStream(dst, every, stored, preserve, ignoring)
		},
		"import": func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag {
			return importmode.DefaultImageStreamImport(dst, imports, stored, preserve, literally)
		},
		"repository": func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag {
			return importmode.DefaultRepositoryImport(dst, imports, []string{"a"}, stored, preserve, literally)
		},
		"managed": func(dst []importmode.DecidedTag, stored *imagev1.ImageStream) []importmode.DecidedTag {
			return importmode.DefaultManagedImageStream(dst, every, stored)
		},
	} {
		for _, stored := range []*imagev1.ImageStream{nil, stream(tag("a", legacy), tag("b", preserve))} {
			for _, stale := range []importmode.DecidedTag{marked, unmarked} {
				room := make([]importmode.DecidedTag, 8)
				for i := range room {
					room[i] = stale
				}
				got := list(room[:1], stored)
				want := append([]importmode.DecidedTag{stale}, list(nil, stored)...)
				if diff := cmp.Diff(want, got); diff != "" || len(got) < 2 {
					t.Errorf("%s, stored %t: what was in the memory shows (-want +got):\n%s", name, stored != nil, diff)
				}
			}
		}
	}
}

// Of no request, nothing is decided, and what was decided before stays.
func TestNoRequestAddsNothing(t *testing.T) {
	before := []importmode.DecidedTag{{Name: "before"}}
	stored := stream(tag("a", legacy))
	for name, got := range map[string][]importmode.DecidedTag{
		"stream":                     importmode.DefaultImageStream(before, nil, stored, preserve, importmode.Options{}),
		"import":                     importmode.DefaultImageStreamImport(before, nil, stored, preserve, importmode.Options{}),
		"repository":                 importmode.DefaultRepositoryImport(before, nil, []string{"a"}, stored, preserve, importmode.Options{}),
		"import without repository":  importmode.DefaultRepositoryImport(before, importOf(), []string{"a"}, stored, preserve, importmode.Options{}),
		"managed":                    importmode.DefaultManagedImageStream(before, nil, stored),
		"an import without an image": importmode.DefaultImageStreamImport(before, importOf(), stored, preserve, importmode.Options{}),
	} {
		if diff := cmp.Diff(before, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	e := importmode.Effect{}
	kept := []importmode.TagEffect{{Name: "before"}}
	if diff := cmp.Diff(kept, e.Add(kept, nil, nil)); diff != "" || e.Totals != (importmode.EffectTotals{}) {
		t.Errorf("effect: %+v (-want +got):\n%s", e.Totals, diff)
	}
}

func TestEffectiveMode(t *testing.T) {
	if importmode.EffectiveMode("") != legacy || importmode.EffectiveMode(preserve) != preserve || importmode.EffectiveMode("Whole") != "Whole" {
		t.Error("EffectiveMode")
	}
}
