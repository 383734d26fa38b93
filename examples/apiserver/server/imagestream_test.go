package server_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	e := boot(t, preserve)
	e.create(t, stream("other"))
	reference := tag("r", "")
	reference.Reference = true
	ofStream := tag("s", "")
	ofStream.From = &corev1.ObjectReference{Kind: "ImageStreamTag", Name: "other:v1"}
	without := tag("w", "")
	without.From = nil
	numbered := tag("n", "")
	numbered.Generation = new(int64(41))
	for name, c := range map[string]struct {
		tags []imagev1.TagReference
		want []tagState
	}{
		"given":                      {[]imagev1.TagReference{tag("a", legacy), tag("b", preserve)}, []tagState{{"a", legacy, 1}, {"b", preserve, 1}}},
		"omitted":                    {[]imagev1.TagReference{tag("a", "")}, []tagState{{"a", preserve, 1}}},
		"mixed":                      {[]imagev1.TagReference{tag("b", ""), tag("a", legacy)}, []tagState{{"b", preserve, 1}, {"a", legacy, 1}}},
		"reference":                  {[]imagev1.TagReference{reference}, []tagState{{"r", preserve, 1}}},
		"of another stream":          {[]imagev1.TagReference{ofStream}, []tagState{{"s", preserve, 1}}},
		"without from":               {[]imagev1.TagReference{without}, []tagState{{"w", preserve, 1}}},
		"generation is the server's": {[]imagev1.TagReference{numbered}, []tagState{{"n", preserve, 1}}},
		"no tags":                    {nil, []tagState{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := stream("create-"+randomName(), c.tags...)
			s.Generation = 77
			s.Status.DockerImageRepository = "is the server's"
			e.create(t, s)
			got := e.get(t, s.Name)
			if diff := cmp.Diff(c.want, states(got)); diff != "" {
				t.Errorf("tags (-want +got):\n%s", diff)
			}
			if got.Generation != 1 || got.Status.DockerImageRepository != "" {
				t.Errorf("generation is %d and status.dockerImageRepository %q, want 1 and none", got.Generation, got.Status.DockerImageRepository)
			}
		})
	}
	t.Run("unknown mode", func(t *testing.T) {
		s := stream("refused", tag("a", ""), tag("b", "Both"))
		wantInvalid(t, e.Create(t.Context(), s), "spec.tags[b].importPolicy.importMode", metav1.CauseTypeFieldValueNotSupported)
		if err := e.Get(t.Context(), client.ObjectKeyFromObject(s), s); !apierrors.IsNotFound(err) {
			t.Errorf("after it was refused: %v, want NotFound", err)
		}
	})
	t.Run("tag twice", func(t *testing.T) {
		wantInvalid(t, e.Create(t.Context(), stream("twice", tag("a", ""), tag("a", ""))), "spec.tags[1].name", metav1.CauseTypeFieldValueDuplicate)
	})
	t.Run("nameless tag", func(t *testing.T) {
		wantInvalid(t, e.Create(t.Context(), stream("nameless", tag("", ""))), "spec.tags[0].name", metav1.CauseTypeFieldValueRequired)
	})
	t.Run("unknown mode in an update", func(t *testing.T) {
		s := e.create(t, stream("update", tag("a", "")))
		before := e.stored(t, s.Name)
		s.Spec.Tags[0].ImportPolicy.ImportMode = "both"
		wantInvalid(t, e.Update(t.Context(), s), "spec.tags[a].importPolicy.importMode", metav1.CauseTypeFieldValueNotSupported)
		if got := e.stored(t, s.Name); got != before {
			t.Errorf("stored after it was refused: %s, want %s", got, before)
		}
	})
	t.Run("protobuf", func(t *testing.T) {
		config := e.Config()
		config.ContentType = "application/vnd.kubernetes.protobuf"
		c, err := client.New(config, client.Options{Scheme: testScheme(t)})
		if err != nil {
			t.Fatal(err)
		}
		s := stream("protobuf", tag("a", ""))
		if err := c.Create(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]tagState{{"a", preserve, 1}}, states(s)); diff != "" {
			t.Errorf("tags (-want +got):\n%s", diff)
		}
	})
	t.Run("dry run", func(t *testing.T) {
		s := stream("dry", tag("a", ""))
		if err := e.Create(t.Context(), s, client.DryRunAll); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]tagState{{"a", preserve, 1}}, states(s)); diff != "" {
			t.Errorf("tags (-want +got):\n%s", diff)
		}
		if err := e.Get(t.Context(), client.ObjectKeyFromObject(s), s); !apierrors.IsNotFound(err) {
			t.Errorf("after a dry run: %v, want NotFound", err)
		}
	})
}

// wantInvalid wants a 422 that names the field and says what is wrong with it.
func wantInvalid(t *testing.T, err error, field string, cause metav1.CauseType) {
	t.Helper()
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Code != http.StatusUnprocessableEntity {
		t.Fatalf("got %v, want a 422", err)
	}
	if details := status.Status().Details; details == nil || !slices.ContainsFunc(details.Causes, func(c metav1.StatusCause) bool { return c.Field == field && c.Type == cause }) {
		t.Errorf("got %v, want the cause %s of %s", err, cause, field)
	}
}

// writers are the ways in which the same manifest is written again.
var writers = map[string]func(t *testing.T, e *env, manifest *imagev1.ImageStream) error{
	"PUT": func(t *testing.T, e *env, manifest *imagev1.ImageStream) error {
		s := manifest.DeepCopy()
		s.ResourceVersion = e.get(t, s.Name).ResourceVersion
		return e.Update(t.Context(), s)
	},
	"client-side apply": func(t *testing.T, e *env, manifest *imagev1.ImageStream) error {
		original, current := mustJSON(t, manifestOf(manifest)), mustJSON(t, e.get(t, manifest.Name))
		meta, err := strategicpatch.NewPatchMetaFromStruct(&imagev1.ImageStream{})
		if err != nil {
			return err
		}
		patch, err := strategicpatch.CreateThreeWayMergePatch(original, original, current, meta, true)
		if err != nil {
			return err
		}
		return e.Patch(t.Context(), manifest.DeepCopy(), client.RawPatch(types.StrategicMergePatchType, patch))
	},
	"server-side apply": func(t *testing.T, e *env, manifest *imagev1.ImageStream) error {
		u := &unstructured.Unstructured{Object: manifestOf(manifest)}
		return e.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(u), client.FieldOwner("test"), client.ForceOwnership)
	},
	"merge patch": func(t *testing.T, e *env, manifest *imagev1.ImageStream) error {
		return e.Patch(t.Context(), manifest.DeepCopy(), client.RawPatch(types.MergePatchType, mustJSON(t, manifestOf(manifest))))
	},
}

// manifestOf returns the stream as people write it: without the fields that are
// written out for the zero value only.
func manifestOf(s *imagev1.ImageStream) map[string]any {
	var tags []any
	for _, t := range s.Spec.Tags {
		tag := map[string]any{"name": t.Name, "from": map[string]any{"kind": t.From.Kind, "name": t.From.Name}, "referencePolicy": map[string]any{"type": string(t.ReferencePolicy.Type)}}
		if m := t.ImportPolicy.ImportMode; m != "" {
			tag["importPolicy"] = map[string]any{"importMode": string(m)}
		}
		tags = append(tags, tag)
	}
	return map[string]any{
		"apiVersion": "image.openshift.io/v1", "kind": "ImageStream",
		"metadata": map[string]any{"namespace": s.Namespace, "name": s.Name},
		"spec":     map[string]any{"tags": tags},
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	content, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func randomName() string { return time.Now().Format("150405.000000000")[7:] }

// TestReapplyAfterFlip holds that a manifest without modes changes nothing when
// it is written again under another cluster mode, however it is written.
func TestReapplyAfterFlip(t *testing.T) {
	t.Parallel()
	e := boot(t, legacy)
	for way, write := range writers {
		s := stream(slug(way), tag("old", ""), tag("explicit", preserve))
		e.create(t, s.DeepCopy())
		// The second writing leaves each manager's fields as they stay.
		for range 2 {
			if err := write(t, e, s); err != nil {
				t.Fatalf("%s: %v", way, err)
			}
		}
	}
	before := map[string]string{}
	for way := range writers {
		before[way] = e.stored(t, slug(way))
	}

	e.flip(t, preserve)
	for way, write := range writers {
		t.Run(way, func(t *testing.T) {
			s := stream(slug(way), tag("old", ""), tag("explicit", preserve))
			if err := write(t, e, s); err != nil {
				t.Fatal(err)
			}
			if got := e.stored(t, s.Name); got != before[way] {
				t.Errorf("stored after the flip (-before +after):\n%s", cmp.Diff(before[way], got))
			}

			// From here on nobody asks for the explicit mode any more.
			s.Spec.Tags = []imagev1.TagReference{tag("old", ""), tag("explicit", ""), tag("new", "")}
			if err := write(t, e, s); err != nil {
				t.Fatal(err)
			}
			want := []tagState{{"old", legacy, 1}, {"explicit", preserve, 1}, {"new", preserve, 2}}
			got := states(e.get(t, s.Name))
			slices.SortFunc(got, func(a, b tagState) int { return slices.Index(want, a) - slices.Index(want, b) })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("tags with a new one (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("a label changes", func(t *testing.T) {
		s := e.get(t, slug("PUT"))
		want := s.DeepCopy()
		if err := e.Patch(t.Context(), s, client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"x":"y"}}}`))); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Spec, s.Spec); diff != "" || s.Generation != want.Generation {
			t.Errorf("generation %d, was %d; spec (-want +got):\n%s", s.Generation, want.Generation, diff)
		}
	})
}

func slug(way string) string {
	var out []rune
	for _, r := range way {
		switch {
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r == ' ':
			r = '-'
		}
		out = append(out, r)
	}
	return string(out)
}

// TestStoredEmpty holds what becomes of streams that were stored before there
// were modes: nothing, under any cluster mode, until somebody names one.
func TestStoredEmpty(t *testing.T) {
	t.Parallel()
	e := boot(t, legacy)
	ancient := func(name string) *imagev1.ImageStream {
		s := stream(name, tag("a", ""), tag("b", ""))
		s.UID, s.CreationTimestamp, s.Generation = types.UID(name), metav1.NewTime(time.Date(2021, 3, 4, 5, 6, 7, 0, time.UTC)), 3
		s.Spec.Tags[0].Generation, s.Spec.Tags[1].Generation = new(int64(2)), nil
		return s
	}
	for way := range writers {
		e.store(t, ancient(slug(way)))
	}
	for _, name := range []string{"read", "explicit-legacy", "explicit-preserve", "another-tag"} {
		e.store(t, ancient(name))
	}
	readBefore, storedBefore := e.get(t, "read"), e.stored(t, "read")
	want := []tagState{{"a", "", 2}, {"b", "", -1}}
	if diff := cmp.Diff(want, states(readBefore)); diff != "" {
		t.Errorf("before the flip (-want +got):\n%s", diff)
	}

	e.flip(t, preserve)
	t.Run("read", func(t *testing.T) {
		if diff := cmp.Diff(readBefore, e.get(t, "read")); diff != "" {
			t.Errorf("read after the flip (-before +after):\n%s", diff)
		}
		if got := e.stored(t, "read"); got != storedBefore {
			t.Errorf("stored after the flip (-before +after):\n%s", cmp.Diff(storedBefore, got))
		}
	})
	for way, write := range writers {
		t.Run(way, func(t *testing.T) {
			if err := write(t, e, stream(slug(way), tag("a", ""), tag("b", ""))); err != nil {
				t.Fatal(err)
			}
			got := e.get(t, slug(way))
			if diff := cmp.Diff(want, states(got)); diff != "" || got.Generation != 3 {
				t.Errorf("generation %d, want 3; tags (-want +got):\n%s", got.Generation, diff)
			}
		})
	}
	t.Run("explicit Legacy is no change", func(t *testing.T) {
		if err := writers["PUT"](t, e, stream("explicit-legacy", tag("a", legacy), tag("b", ""))); err != nil {
			t.Fatal(err)
		}
		got := e.get(t, "explicit-legacy")
		if diff := cmp.Diff([]tagState{{"a", legacy, 2}, {"b", "", -1}}, states(got)); diff != "" || got.Generation != 3 {
			t.Errorf("generation %d, want 3; tags (-want +got):\n%s", got.Generation, diff)
		}
	})
	t.Run("explicit PreserveOriginal is one", func(t *testing.T) {
		if err := writers["PUT"](t, e, stream("explicit-preserve", tag("a", preserve), tag("b", ""))); err != nil {
			t.Fatal(err)
		}
		got := e.get(t, "explicit-preserve")
		if diff := cmp.Diff([]tagState{{"a", preserve, 4}, {"b", "", -1}}, states(got)); diff != "" || got.Generation != 4 {
			t.Errorf("generation %d, want 4; tags (-want +got):\n%s", got.Generation, diff)
		}
	})
	t.Run("another tag beside them", func(t *testing.T) {
		if err := writers["PUT"](t, e, stream("another-tag", tag("a", ""), tag("b", ""), tag("c", ""))); err != nil {
			t.Fatal(err)
		}
		got := e.get(t, "another-tag")
		if diff := cmp.Diff([]tagState{{"a", "", 2}, {"b", "", -1}, {"c", preserve, 4}}, states(got)); diff != "" {
			t.Errorf("tags (-want +got):\n%s", diff)
		}
	})
}

func TestGenerations(t *testing.T) {
	t.Parallel()
	e := boot(t, legacy)
	for name, c := range map[string]struct {
		change     func(*imagev1.ImageStream)
		generation int64
		want       []tagState
	}{
		"nothing":                {func(*imagev1.ImageStream) {}, 1, []tagState{{"a", legacy, 1}, {"b", legacy, 1}}},
		"a label":                {func(s *imagev1.ImageStream) { s.Labels = map[string]string{"x": "y"} }, 1, []tagState{{"a", legacy, 1}, {"b", legacy, 1}}},
		"the mode":               {func(s *imagev1.ImageStream) { s.Spec.Tags[0].ImportPolicy.ImportMode = preserve }, 2, []tagState{{"a", preserve, 2}, {"b", legacy, 1}}},
		"the mode is omitted":    {func(s *imagev1.ImageStream) { s.Spec.Tags[0].ImportPolicy.ImportMode = "" }, 1, []tagState{{"a", legacy, 1}, {"b", legacy, 1}}},
		"from":                   {func(s *imagev1.ImageStream) { s.Spec.Tags[1].From.Name += "2" }, 2, []tagState{{"a", legacy, 1}, {"b", legacy, 2}}},
		"an annotation of a tag": {func(s *imagev1.ImageStream) { s.Spec.Tags[1].Annotations = map[string]string{"x": "y"} }, 2, []tagState{{"a", legacy, 1}, {"b", legacy, 1}}},
		"the preferred architecture": {func(s *imagev1.ImageStream) {
			s.Spec.Tags[1].Annotations = map[string]string{imagev1.ImporterPreferArchAnnotation: "arm64"}
		}, 2, []tagState{{"a", legacy, 1}, {"b", legacy, 2}}},
		"the order":         {func(s *imagev1.ImageStream) { slices.Reverse(s.Spec.Tags) }, 1, []tagState{{"b", legacy, 1}, {"a", legacy, 1}}},
		"a tag less":        {func(s *imagev1.ImageStream) { s.Spec.Tags = s.Spec.Tags[:1] }, 2, []tagState{{"a", legacy, 1}}},
		"the lookup policy": {func(s *imagev1.ImageStream) { s.Spec.LookupPolicy.Local = true }, 2, []tagState{{"a", legacy, 1}, {"b", legacy, 1}}},
		"a generation of 0 asks for an import": {func(s *imagev1.ImageStream) { s.Spec.Tags[0].Generation = new(int64(0)) }, 2,
			[]tagState{{"a", legacy, 2}, {"b", legacy, 1}}},
		"another generation is the server's": {func(s *imagev1.ImageStream) { s.Spec.Tags[0].Generation = new(int64(9)) }, 1,
			[]tagState{{"a", legacy, 1}, {"b", legacy, 1}}},
		"no generation, as legacy clients send": {func(s *imagev1.ImageStream) { s.Spec.Tags[0].Generation = nil }, 1,
			[]tagState{{"a", legacy, 1}, {"b", legacy, 1}}},
		"the status, which is not the client's here": {func(s *imagev1.ImageStream) { s.Status.PublicDockerImageRepository = "x" }, 1,
			[]tagState{{"a", legacy, 1}, {"b", legacy, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := e.create(t, stream("generation-"+randomName(), tag("a", ""), tag("b", "")))
			c.change(s)
			if err := e.Update(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			got := e.get(t, s.Name)
			if diff := cmp.Diff(c.want, states(got)); diff != "" || got.Generation != c.generation {
				t.Errorf("generation %d, want %d; tags (-want +got):\n%s", got.Generation, c.generation, diff)
			}
			if got.Status.PublicDockerImageRepository != "" {
				t.Error("an update of the stream changed its status")
			}
		})
	}
	t.Run("the status subresource", func(t *testing.T) {
		s := e.create(t, stream("status", tag("a", "")))
		want := s.Spec.DeepCopy()
		s.Status.Tags = []imagev1.NamedTagEventList{{Tag: "a", Items: []imagev1.TagEvent{}}}
		s.Spec.Tags[0].ImportPolicy.ImportMode = preserve
		s.Labels = map[string]string{"x": "y"}
		if err := e.Status().Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		got := e.get(t, "status")
		if diff := cmp.Diff(*want, got.Spec); diff != "" || got.Generation != 1 || got.Labels != nil {
			t.Errorf("generation %d, labels %v; spec (-want +got):\n%s", got.Generation, got.Labels, diff)
		}
		if len(got.Status.Tags) != 1 {
			t.Errorf("status.tags has %d entries, want 1", len(got.Status.Tags))
		}
		got.Spec.LookupPolicy.Local = true
		if err := e.Update(t.Context(), got); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			image string
			given int64
			want  int64
		}{{"1", 0, 2}, {"2", 0, 1}, {"2", 0, 2}, {"3", 7, 7}} {
			got.Status.Tags[0].Items = []imagev1.TagEvent{{Image: c.image, Created: metav1.Now(), DockerImageReference: "x/y@" + c.image, Generation: c.given}}
			if err := e.Status().Update(t.Context(), got); err != nil {
				t.Fatal(err)
			}
			if generation := got.Status.Tags[0].Items[0].Generation; generation != c.want {
				t.Errorf("an event of image %s without a generation has %d, want %d", c.image, generation, c.want)
			}
		}
	})
}
