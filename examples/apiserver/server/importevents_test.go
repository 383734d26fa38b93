package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/internal/testimages"
)

// history shows the events of a tag, the newest first, and its conditions.
type history struct {
	Images      []string
	Generation  int64 // of the newest event
	Conditions  []string
	ConditionAt int64 // the generation of the condition
}

func historyOf(t *testing.T, s *imagev1.ImageStream, tag string) history {
	t.Helper()
	list := statusOf(t, s, tag)
	var h history
	for i, event := range list.Items {
		if i == 0 {
			h.Generation = event.Generation
		}
		h.Images = append(h.Images, event.Image)
	}
	for _, c := range list.Conditions {
		if c.Type != imagev1.ImportSuccess || c.Status != corev1.ConditionFalse || c.Message == "" || c.LastTransitionTime.IsZero() {
			t.Errorf("condition %+v", c)
		}
		h.Conditions, h.ConditionAt = append(h.Conditions, c.Reason), c.Generation
	}
	return h
}

// testTagEvents follows tags through imports that succeed, that change nothing, and
// that fail.
func testTagEvents(t *testing.T, e *env) {
	var down atomic.Bool
	host := startRegistry(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if down.Load() {
				http.Error(w, "gone fishing", http.StatusGone)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	e.trust(t, host)
	first, second := testimages.Image(t, "amd64", "1"), testimages.Image(t, "amd64", "2")
	one, two := testimages.Digest(t, first), testimages.Digest(t, second)
	push := func(what interface{ RawManifest() ([]byte, error) }) { testimages.Push(t, host+"/x/y:v1", what) }
	imported := func(t *testing.T) *imagev1.ImageStream {
		t.Helper()
		e.doImport(t, importOf("events", "v1", host+"/x/y:v1", legacy))
		return e.get(t, "events")
	}
	want := func(t *testing.T, tag string, want history) {
		t.Helper()
		if diff := cmp.Diff(want, historyOf(t, e.get(t, "events"), tag)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tag, diff)
		}
	}

	t.Run("the first image", func(t *testing.T) {
		push(first)
		imported(t)
		want(t, "v1", history{Images: []string{one}, Generation: 1})
	})
	t.Run("the same image writes nothing", func(t *testing.T) {
		before := e.stored(t, "events")
		imported(t)
		if diff := cmp.Diff(before, e.stored(t, "events")); diff != "" {
			t.Errorf("stored (-before +after):\n%s", diff)
		}
	})
	t.Run("the newest image comes first", func(t *testing.T) {
		push(second)
		imported(t)
		want(t, "v1", history{Images: []string{two, one}, Generation: 2})
		push(first)
		imported(t)
		want(t, "v1", history{Images: []string{one, two, one}, Generation: 3})
	})
	t.Run("the same image of a tag that has changed collapses", func(t *testing.T) {
		s := e.get(t, "events")
		s.Spec.Tags[0].Generation = new(int64(0))
		if err := e.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		imported(t)
		want(t, "v1", history{Images: []string{one, two, one}, Generation: 5})
	})
	t.Run("a failure keeps the events", func(t *testing.T) {
		down.Store(true)
		s := imported(t)
		want(t, "v1", history{Images: []string{one, two, one}, Generation: 5, Conditions: []string{"InternalError"}, ConditionAt: 6})
		if *s.Spec.Tags[0].Generation != 6 {
			t.Errorf("generation of the spec tag %d", *s.Spec.Tags[0].Generation)
		}
		if message := statusOf(t, s, "v1").Conditions[0].Message; strings.Contains(message, "fishing") || !strings.Contains(message, "410 Gone") {
			t.Errorf("message %q, want the code, and nothing that the registry wrote", message)
		}
	})
	t.Run("the same failure again writes nothing", func(t *testing.T) {
		before := e.stored(t, "events")
		imported(t)
		if diff := cmp.Diff(before, e.stored(t, "events")); diff != "" {
			t.Errorf("stored (-before +after):\n%s", diff)
		}
	})
	t.Run("the same failure of a tag that has changed has its generation", func(t *testing.T) {
		s := e.get(t, "events")
		s.Spec.Tags[0].Annotations = map[string]string{imagev1.ImporterPreferArchAnnotation: "arm64"}
		if err := e.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		imported(t)
		want(t, "v1", history{Images: []string{one, two, one}, Generation: 5, Conditions: []string{"InternalError"}, ConditionAt: 7})
	})
	t.Run("a tag that never was imported is written", func(t *testing.T) {
		e.doImport(t, importOf("events", "new", host+"/x/y:new", preserve))
		s := e.get(t, "events")
		want(t, "new", history{Conditions: []string{"InternalError"}, ConditionAt: 8})
		if got := states(s)[1]; got != (tagState{"new", preserve, 8}) {
			t.Errorf("spec tag %+v", got)
		}
	})
	t.Run("success clears the condition, and the others go on", func(t *testing.T) {
		down.Store(false)
		request := importOf("events", "v1", host+"/x/y:v1", legacy)
		request.Spec.Images = append(request.Spec.Images, importOf("", "new", host+"/x/y:new", legacy).Spec.Images...)
		status := e.doImport(t, request).Status
		want(t, "v1", history{Images: []string{one, two, one}, Generation: 9})
		want(t, "new", history{Conditions: []string{"NotFound"}, ConditionAt: 9})
		if status.Images[0].Status.Status != metav1.StatusSuccess || status.Images[1].Status.Reason != metav1.StatusReasonNotFound {
			t.Errorf("%+v", status.Images)
		}
	})
}

// testFollowingTags holds where tags get their events from that are not imported.
func testFollowingTags(t *testing.T, e *env) {
	host := startRegistry(t, nil)
	e.trust(t, host)
	var digests []string
	push := func(content string) string {
		image := testimages.Image(t, "amd64", content)
		testimages.Push(t, host+"/x/y:v1", image)
		digests = append(digests, testimages.Digest(t, image))
		return testimages.Digest(t, image)
	}
	one := push("1")
	follower := func(name, kind, of string) imagev1.TagReference {
		tag := tag(name, "")
		tag.From = &corev1.ObjectReference{Kind: kind, Name: of}
		return tag
	}
	e.create(t, stream("a", tag("v1", ""), follower("latest", "ImageStreamTag", "v1"), follower("newest", "ImageStreamTag", "a:latest"),
		follower("round", "ImageStreamTag", "a:about"), follower("about", "ImageStreamTag", "a:round")))
	e.doImport(t, importOf("a", "v1", host+"/x/y:v1", legacy))
	newest := func(t *testing.T, s *imagev1.ImageStream, tag string) string {
		t.Helper()
		if h := historyOf(t, s, tag); len(h.Images) > 0 {
			return h.Images[0]
		}
		return ""
	}

	t.Run("tags of the same stream, over several steps", func(t *testing.T) {
		for range 2 {
			s := e.get(t, "a")
			for _, tag := range []string{"v1", "latest", "newest"} {
				if got := newest(t, s, tag); got != digests[len(digests)-1] {
					t.Errorf("%s is %s, want %s", tag, got, digests[len(digests)-1])
				}
			}
			if got := newest(t, s, "round"); got != "" {
				t.Errorf("round is %s", got)
			}
			push("2")
			e.doImport(t, importOf("a", "v1", host+"/x/y:v1", legacy))
		}
	})
	t.Run("a failure is passed on, and keeps the events", func(t *testing.T) {
		e.doImport(t, importOf("a", "v1", host+"/x/y:none", legacy))
		for _, tag := range []string{"latest", "newest"} {
			if h := historyOf(t, e.get(t, "a"), tag); len(h.Images) != 2 || len(h.Conditions) != 1 {
				t.Errorf("%s: %+v", tag, h)
			}
		}
		e.doImport(t, importOf("a", "v1", host+"/x/y:v1", legacy))
		if h := historyOf(t, e.get(t, "a"), "newest"); len(h.Images) != 2 || len(h.Conditions) != 0 {
			t.Errorf("%+v", h)
		}
	})
	two := digests[len(digests)-1]
	t.Run("oc tag a:latest e:x", func(t *testing.T) {
		// Without --alias, oc looks the image up and names it.
		it := istag("e:x", "")
		it.Tag.From = &corev1.ObjectReference{Kind: "ImageStreamImage", Name: "a@" + two, Namespace: "demo"}
		it.Tag.Generation = new(int64(0))
		if err := e.Create(t.Context(), it); err != nil {
			t.Fatal(err)
		}
		if it.Image.Name != two || it.Image.DockerImageReference != host+"/x/y@"+two || len(it.Image.DockerImageLayers) != 1 {
			t.Errorf("image %+v", it.Image)
		}
		if diff := cmp.Diff(history{Images: []string{two}, Generation: 1}, historyOf(t, e.get(t, "e"), "x")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("of another namespace", func(t *testing.T) {
		for kind, of := range map[string]string{"ImageStreamTag": "a:v1", "ImageStreamImage": "a@" + one} {
			s := stream("far", follower("x", kind, of))
			s.Namespace, s.GenerateName, s.Name = "elsewhere", "far-", ""
			s.Spec.Tags[0].From.Namespace = "demo"
			if err := e.Create(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			want := two
			if kind == "ImageStreamImage" {
				want = one
			}
			if diff := cmp.Diff(history{Images: []string{want}, Generation: 1}, historyOf(t, s, "x")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", kind, diff)
			}
		}
	})
	t.Run("what is not there", func(t *testing.T) {
		wantInvalid(t, e.Create(t.Context(), stream("lost", follower("x", "ImageStreamTag", "none:v1"))), "spec.tags[x].from.name", metav1.CauseTypeFieldValueNotFound)
		wantInvalid(t, e.Create(t.Context(), stream("lost", follower("x", "ImageStreamImage", "a@sha256:ffff"))), "spec.tags[x].from.name", metav1.CauseTypeFieldValueInvalid)
		wantInvalid(t, e.Create(t.Context(), stream("lost", follower("x", "ImageStreamImage", "a@sha256:"))), "spec.tags[x].from.name", metav1.CauseTypeFieldValueInvalid)
	})
	t.Run("a reference", func(t *testing.T) {
		s := stream("reference", tag("x", ""))
		s.Spec.Tags[0].Reference = true
		e.create(t, s)
		if events := statusOf(t, s, "x").Items; len(events) != 1 || events[0].DockerImageReference != s.Spec.Tags[0].From.Name || events[0].Image != "" {
			t.Errorf("%+v", events)
		}
	})
	t.Run("another tag is followed", func(t *testing.T) {
		patch := []byte(`{"tag":{"from":{"kind":"ImageStreamImage","name":"a@` + one + `"}}}`)
		it := istag("a:latest", "")
		if err := e.Patch(t.Context(), it, client.RawPatch(types.MergePatchType, patch)); err != nil {
			t.Fatal(err)
		}
		if got := newest(t, e.get(t, "a"), "newest"); it.Image.Name != one || got != one {
			t.Errorf("latest is %s and newest %s, want %s", it.Image.Name, got, one)
		}
	})
}

// testWhileTheStreamChanges holds that what is stored was decided of the stream
// as it is stored.
func testWhileTheStreamChanges(t *testing.T, e *env) {
	var mu sync.Mutex
	var prefer []string // what the stream is to prefer after each image that is fetched
	host := startRegistry(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/blobs/") && len(prefer) > 0 {
				patch, _ := json.Marshal([]map[string]any{{"op": "add", "path": "/spec/tags/0/annotations", "value": map[string]string{imagev1.ImporterPreferArchAnnotation: prefer[0]}}})
				prefer = prefer[1:]
				if err := e.Patch(r.Context(), stream("changing"), client.RawPatch(types.JSONPatchType, patch)); err != nil {
					t.Error(err)
				}
			}
			next.ServeHTTP(w, r)
		})
	})
	then := func(arches ...string) {
		mu.Lock()
		defer mu.Unlock()
		prefer = arches
	}
	e.trust(t, host)
	testimages.Push(t, host+"/x/y:v1", testimages.Multi(t, "x", "amd64", "arm64", "ppc64le", "s390x"))
	e.create(t, stream("changing", tag("v1", legacy)))

	then("amd64", "s390x")
	status := e.doImport(t, importOf("changing", "v1", host+"/x/y:v1", legacy)).Status
	want := testimages.Digest(t, testimages.Image(t, "s390x", "x"))
	if got := newestImage(e.get(t, "changing")); got != want || status.Images[0].Image.Name != got {
		t.Errorf("stored is %s, answered %s, want %s for the architecture that was preferred last", got, status.Images[0].Image.Name, want)
	}
	then("amd64", "ppc64le", "arm64")
	before := e.get(t, "changing").Status
	if err := e.Create(t.Context(), importOf("changing", "v1", host+"/x/y:v1", legacy)); !apierrors.IsConflict(err) {
		t.Errorf("a stream that changes each time: %v, want Conflict", err)
	}
	if diff := cmp.Diff(before, e.get(t, "changing").Status); diff != "" {
		t.Errorf("the status (-before +after):\n%s", diff)
	}
}

func newestImage(s *imagev1.ImageStream) string {
	if len(s.Status.Tags) == 0 || len(s.Status.Tags[0].Items) == 0 {
		return ""
	}
	return s.Status.Tags[0].Items[0].Image
}
