package importmode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

const (
	legacy   = imagev1.ImportModeLegacy
	preserve = imagev1.ImportModePreserveOriginal
)

// tag makes a spec tag, stream a stream of tags.
func tag(name string, mode imagev1.ImportModeType) imagev1.TagReference {
	return imagev1.TagReference{
		Name:         name,
		From:         &corev1.ObjectReference{Kind: "DockerImage", Name: "quay.example.com/x/y:" + name},
		ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode},
	}
}

func stream(tags ...imagev1.TagReference) *imagev1.ImageStream {
	return &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: tags}}
}

// verdict is what can be seen of a TagDecision from outside.
type verdict struct {
	Mode         imagev1.ImportModeType
	Reason       importmode.Reason
	New, Changed bool
	Finding      importmode.FindingCode
}

func verdicts(t *testing.T, decisions []importmode.TagDecision) []verdict {
	t.Helper()
	var all []verdict
	for i, d := range decisions {
		if d.Index != i {
			t.Errorf("decision %d has Index %d", i, d.Index)
		}
		v := verdict{Mode: d.Mode, Reason: d.Reason(), New: d.New, Changed: d.Changed}
		for _, f := range importmode.Findings(decisions[i:i+1], field.NewPath("list")) {
			v.Finding += f.Code
		}
		all = append(all, v)
	}
	return all
}

// tagRows is the table of rules 20 to 24 for a single tag "v1". It holds for
// streams and image stream tags alike.
var tagRows = []struct {
	name    string
	given   imagev1.ImportModeType
	stored  *imagev1.ImageStream
	cluster imagev1.ImportModeType
	opts    importmode.Options
	want    verdict
}{
	{"rule 20: Legacy given at create", legacy, nil, preserve, importmode.Options{},
		verdict{Mode: legacy, Reason: importmode.ReasonGiven, New: true}},
	{"rule 20: PreserveOriginal given for a new tag", preserve, stream(tag("v0", legacy)), legacy, importmode.Options{},
		verdict{Mode: preserve, Reason: importmode.ReasonGiven, New: true}},
	{"rule 20: given over another stored mode", preserve, stream(tag("v1", legacy)), legacy, importmode.Options{},
		verdict{Mode: preserve, Reason: importmode.ReasonGiven, Changed: true}},
	{"rule 20: Legacy given over PreserveOriginal", legacy, stream(tag("v1", preserve)), preserve, importmode.Options{},
		verdict{Mode: legacy, Reason: importmode.ReasonGiven, Changed: true}},
	{"rule 20: given as stored", preserve, stream(tag("v1", preserve)), legacy, importmode.Options{},
		verdict{Mode: preserve, Reason: importmode.ReasonGiven}},
	{"rule 20: an unknown mode is left for validation", "Whole", stream(tag("v1", legacy)), preserve, importmode.Options{},
		verdict{Mode: "Whole", Reason: importmode.ReasonGiven, Changed: true}},
	{"rule 21: new stream", "", nil, preserve, importmode.Options{},
		verdict{Mode: preserve, Reason: importmode.ReasonClusterMode, New: true}},
	{"rule 21: new stream, cluster without a mode", "", nil, "", importmode.Options{},
		verdict{Mode: legacy, Reason: importmode.ReasonClusterMode, New: true}},
	{"rule 21: new tag on a stored stream", "", stream(tag("v0", legacy)), preserve, importmode.Options{},
		verdict{Mode: preserve, Reason: importmode.ReasonClusterMode, New: true}},
	{"rule 21: first tag of a stored stream", "", stream(), preserve, importmode.Options{},
		verdict{Mode: preserve, Reason: importmode.ReasonClusterMode, New: true}},
	{"rule 22: stored Legacy under a cluster that preserves", "", stream(tag("v1", legacy)), preserve, importmode.Options{},
		verdict{Mode: legacy, Reason: importmode.ReasonStored}},
	{"rule 22: stored PreserveOriginal under a Legacy cluster", "", stream(tag("v1", preserve)), legacy, importmode.Options{},
		verdict{Mode: preserve, Reason: importmode.ReasonStored}},
	{"rule 22: a stored mode that is none is kept and reported", "", stream(tag("v1", "Whole")), preserve, importmode.Options{},
		verdict{Mode: "Whole", Reason: importmode.ReasonStored, Finding: importmode.FindingUnknownStored}},
	{"rule 20: a given mode mends a stored one that is none", legacy, stream(tag("v1", "Whole")), preserve, importmode.Options{},
		verdict{Mode: legacy, Reason: importmode.ReasonGiven, Changed: true}},
	{"rule 23: stored empty stays empty", "", stream(tag("v1", "")), preserve, importmode.Options{},
		verdict{Mode: "", Reason: importmode.ReasonStoredEmpty}},
	{"rule 24: explicit Legacy on a stored empty mode is no change", legacy, stream(tag("v1", "")), preserve, importmode.Options{},
		verdict{Mode: legacy, Reason: importmode.ReasonGiven}},
	{"rule 24: explicit PreserveOriginal on a stored empty mode is one", preserve, stream(tag("v1", "")), legacy, importmode.Options{},
		verdict{Mode: preserve, Reason: importmode.ReasonGiven, Changed: true}},
	{"rule 27: sent Legacy ignored, new tag", legacy, nil, preserve, importmode.Options{IgnoreLegacy: true},
		verdict{Mode: preserve, Reason: importmode.ReasonClusterMode, New: true, Finding: importmode.FindingLegacyIgnored}},
	{"rule 27: sent Legacy ignored, stored PreserveOriginal", legacy, stream(tag("v1", preserve)), legacy, importmode.Options{IgnoreLegacy: true},
		verdict{Mode: preserve, Reason: importmode.ReasonStored, Finding: importmode.FindingLegacyIgnored}},
	{"rule 27: sent Legacy ignored, stored empty", legacy, stream(tag("v1", "")), preserve, importmode.Options{IgnoreLegacy: true},
		verdict{Mode: "", Reason: importmode.ReasonStoredEmpty, Finding: importmode.FindingLegacyIgnored}},
	{"rule 27: sent Legacy ignored, stored unknown", legacy, stream(tag("v1", "Whole")), preserve, importmode.Options{IgnoreLegacy: true},
		verdict{Mode: "Whole", Reason: importmode.ReasonStored, Finding: importmode.FindingLegacyIgnored + importmode.FindingUnknownStored}},
	{"rule 27: PreserveOriginal is never ignored", preserve, nil, legacy, importmode.Options{IgnoreLegacy: true},
		verdict{Mode: preserve, Reason: importmode.ReasonGiven, New: true}},
	{"rule 27: omitted as ever", "", nil, preserve, importmode.Options{IgnoreLegacy: true},
		verdict{Mode: preserve, Reason: importmode.ReasonClusterMode, New: true}},
}

func TestDefaultImageStream(t *testing.T) {
	for _, tt := range tagRows {
		t.Run(tt.name, func(t *testing.T) {
			got := importmode.DefaultImageStream(nil, stream(tag("v1", tt.given)), tt.stored, tt.cluster, tt.opts)
			if diff := cmp.Diff([]verdict{tt.want}, verdicts(t, got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
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
			if d.Index != -1 {
				t.Errorf("Index %d, want -1", d.Index)
			}
			d.Index = 0
			if diff := cmp.Diff([]verdict{tt.want}, verdicts(t, []importmode.TagDecision{d})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDefaultImageStreamTagName(t *testing.T) {
	stored := stream(tag("v1", legacy), tag("v2", preserve))
	for _, tt := range []struct {
		name, object, tag string
		want              importmode.Reason
	}{
		{"by the object's name", "s:v1", "v1", importmode.ReasonStored},
		{"the object's name wins over tag.name", "s:v9", "v1", importmode.ReasonClusterMode},
		{"the tag needs no name of its own", "s:v2", "", importmode.ReasonStored},
		{"by tag.name if the object's name has no colon", "s", "v1", importmode.ReasonStored},
		{"by tag.name if nothing follows the colon", "s:", "v1", importmode.ReasonStored},
		{"without any name", "", "", importmode.ReasonClusterMode},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request := &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Name: tt.object}, Tag: &imagev1.TagReference{Name: tt.tag}}
			if got := importmode.DefaultImageStreamTag(request, stored, preserve, importmode.Options{}).Reason(); got != tt.want {
				t.Errorf("reason %s, want %s", got, tt.want)
			}
		})
	}
	for name, request := range map[string]*imagev1.ImageStreamTag{
		"nil request":                nil,
		"no spec tag, as of a push":  {ObjectMeta: metav1.ObjectMeta{Name: "s:v1"}},
		"zero request":               {},
		"no spec tag, unknown in it": {ObjectMeta: metav1.ObjectMeta{Name: "s:v7"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := importmode.DefaultImageStreamTag(request, stored, preserve, importmode.Options{})
			if d.Reason() != importmode.ReasonNoSpecTag || d.Mode != "" || d.New || d.Changed {
				t.Errorf("%+v, %s", d, d.Reason())
			}
		})
	}
}

// Rule 26: what a tag points to plays no part.
func TestDefaultImageStreamKindsOfTags(t *testing.T) {
	generation := int64(3)
	for name, kind := range map[string]func(*imagev1.TagReference){
		"reference":           func(r *imagev1.TagReference) { r.Reference = true },
		"kind ImageStreamTag": func(r *imagev1.TagReference) { r.From = &corev1.ObjectReference{Kind: "ImageStreamTag", Name: "v0"} },
		"kind ImageStreamImage": func(r *imagev1.TagReference) {
			r.From = &corev1.ObjectReference{Kind: "ImageStreamImage", Name: "s@sha256:0"}
		},
		"without from":           func(r *imagev1.TagReference) { r.From = nil },
		"scheduled and insecure": func(r *imagev1.TagReference) { r.ImportPolicy.Scheduled, r.ImportPolicy.Insecure = true, true },
		"with a generation":      func(r *imagev1.TagReference) { r.Generation = &generation },
		"with a local pull":      func(r *imagev1.TagReference) { r.ReferencePolicy.Type = imagev1.LocalTagReferencePolicy },
		"with a preferred platform": func(r *imagev1.TagReference) {
			r.Annotations = map[string]string{"importer.image.openshift.io/prefer-arch": "arm64"}
		},
		"with a name of blanks only": func(r *imagev1.TagReference) { r.Name = "  " },
	} {
		t.Run(name, func(t *testing.T) {
			for _, mode := range []imagev1.ImportModeType{legacy, preserve, ""} {
				stored := stream(tag("v1", mode))
				kind(&stored.Spec.Tags[0])
				request := stored.DeepCopy()
				request.Spec.Tags[0].ImportPolicy.ImportMode = ""
				got := importmode.DefaultImageStream(nil, request, stored, preserve, importmode.Options{})
				if len(got) != 1 || got[0].Mode != mode || got[0].New || got[0].Changed {
					t.Errorf("stored %q: %+v", mode, got)
				}
				if got := importmode.DefaultImageStream(nil, request, nil, preserve, importmode.Options{}); got[0].Mode != preserve {
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
		{"same order", given("a", "b", "c"), stored, []imagev1.ImportModeType{legacy, preserve, ""}, 0},
		{"opposite order", given("c", "b", "a"), stored, []imagev1.ImportModeType{"", preserve, legacy}, 0},
		{"one removed", given("a", "c"), stored, []imagev1.ImportModeType{legacy, ""}, 0},
		{"one added in front", given("n", "a", "b", "c"), stored, []imagev1.ImportModeType{preserve, legacy, preserve, ""}, 1},
		{"one added at the end", given("a", "b", "c", "n"), stored, []imagev1.ImportModeType{legacy, preserve, "", preserve}, 1},
		{"all replaced", given("x", "y"), stored, []imagev1.ImportModeType{preserve, preserve}, 2},
		{"all removed", given(), stored, nil, 0},
		{"nil request", nil, stored, nil, 0},
		{"a name twice in the request goes with the same stored tag", given("a", "a", "b", "a"), stored, []imagev1.ImportModeType{legacy, legacy, preserve, legacy}, 0},
		{"a new name twice is new twice", given("n", "n"), stored, []imagev1.ImportModeType{preserve, preserve}, 2},
		{"a name stored twice: the first", given("b", "a"), stream(tag("a", legacy), tag("a", preserve), tag("b", "")), []imagev1.ImportModeType{"", legacy}, 0},
		{"a name stored twice and sent back alike", given("a", "a", "b"), stream(tag("a", legacy), tag("a", preserve), tag("b", "")), []imagev1.ImportModeType{legacy, preserve, ""}, 0},
		{"a name stored twice: the one after the tag before it", given("b", "a"), stream(tag("a", legacy), tag("b", ""), tag("a", preserve)), []imagev1.ImportModeType{"", preserve}, 0},
		{"tags without a name", given("", "a", ""), stream(tag("a", legacy), tag("", "")), []imagev1.ImportModeType{"", legacy, ""}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var modes []imagev1.ImportModeType
			added := 0
			for i, d := range importmode.DefaultImageStream(nil, tt.request, tt.stored, preserve, importmode.Options{}) {
				if d.Index != i {
					t.Errorf("decision %d has Index %d", i, d.Index)
				}
				modes = append(modes, d.Mode)
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
	room := make([]importmode.TagDecision, 1, 8)
	for i := range room[:8] {
		room[:8][i] = importmode.TagDecision{Index: 77, Mode: "stale", New: true, Changed: true}
	}
	stored := stream(tag("a", legacy))
	got := importmode.DefaultImageStream(room, stream(tag("a", "")), stored, preserve, importmode.Options{IgnoreLegacy: true})
	if len(got) != 2 || got[0] != room[0] {
		t.Fatalf("got %+v", got)
	}
	if diff := cmp.Diff([]verdict{{Mode: legacy, Reason: importmode.ReasonStored}}, verdicts(t, got[1:])); diff != "" {
		t.Errorf("what was in the memory shows (-want +got):\n%s", diff)
	}
	got = importmode.DefaultImageStream(room, stream(tag("a", "")), nil, preserve, importmode.Options{})
	if diff := cmp.Diff([]verdict{{Mode: preserve, Reason: importmode.ReasonClusterMode, New: true}}, verdicts(t, got[1:])); diff != "" {
		t.Errorf("what was in the memory shows (-want +got):\n%s", diff)
	}
}

func TestModeChanged(t *testing.T) {
	modes := []imagev1.ImportModeType{"", legacy, preserve, "Whole"}
	for i, was := range modes {
		for j, is := range modes {
			want := max(i, 1) != max(j, 1) // the empty mode is Legacy
			if got := importmode.ModeChanged(was, is); got != want {
				t.Errorf("rule 24: ModeChanged(%q, %q) = %t", was, is, got)
			}
		}
	}
	if importmode.EffectiveMode("") != legacy || importmode.EffectiveMode(preserve) != preserve || importmode.EffectiveMode("Whole") != "Whole" {
		t.Error("EffectiveMode")
	}
}

func TestZeroTagDecision(t *testing.T) {
	var d importmode.TagDecision
	if d.Reason() != "" || importmode.Findings([]importmode.TagDecision{d}, nil) != nil || importmode.Findings(nil, nil) != nil {
		t.Errorf("%+v has the reason %q", d, d.Reason())
	}
}
