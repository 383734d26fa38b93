package controller_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/imageimport/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testimages"
)

// TestImports lets the controller look at streams that are written in different ways,
// on a cluster whose mode is PreserveOriginal.
func TestImports(t *testing.T) {
	t.Parallel()
	e := start(t, preserve)
	amd64, arm64 := testimages.Image(t, "amd64", "1"), testimages.Image(t, "arm64", "1")
	list := testimages.List(t, amd64, arm64)
	testimages.Push(t, e.host+"/x/y:v1", list)
	whole, one, other := testimages.Digest(t, list), testimages.Digest(t, amd64), testimages.Digest(t, arm64)
	from := e.host + "/x/y:v1"

	t.Run("1,2,6: what the tags are from, and their modes", func(t *testing.T) {
		reference, follower := tagOf("reference", from, ""), tagOf("follower", "given", "")
		reference.Reference = true
		follower.From.Kind = "ImageStreamTag"
		e.create(t, streamOf("app", tagOf("given", from, legacy), tagOf("omitted", from, ""), reference, follower))
		if sent, _ := e.reconcile(t, "app"); sent != "given Legacy, omitted PreserveOriginal" {
			t.Errorf("sent %q", sent)
		}
		for tag, want := range map[string]string{"given": one, "omitted": whole, "follower": one, "reference": ""} {
			if got := e.newest(t, "app", tag); got != want {
				t.Errorf("%s is %q, want %q", tag, got, want)
			}
		}
		if sent, again := e.reconcile(t, "app"); sent != "" || again != 0 {
			t.Errorf("sent %q once more, again in %s", sent, again)
		}
	})
	t.Run("6: a mode that is stored empty, or as no mode", func(t *testing.T) {
		ancient := streamOf("ancient", tagOf("empty", from, ""), tagOf("odd", from, "Whole"))
		ancient.UID, ancient.Generation = "3f0a7e1c-1111-4a2b-9c3d-0123456789ab", 1
		for i := range ancient.Spec.Tags {
			ancient.Spec.Tags[i].Generation = new(int64(1))
		}
		e.store(t, ancient)
		if sent, _ := e.reconcile(t, "ancient"); sent != "empty, odd" {
			t.Errorf("sent %q", sent)
		}
		if got := e.newest(t, "ancient", "empty"); got != one {
			t.Errorf("empty is %s, want %s", got, one)
		}
		if got := e.newest(t, "ancient", "odd"); got != whole {
			t.Errorf("odd is %s, want %s", got, whole)
		}
		var modes []imagev1.ImportModeType
		for _, tag := range e.stream(t, "ancient").Spec.Tags {
			modes = append(modes, tag.ImportPolicy.ImportMode)
		}
		if diff := cmp.Diff([]imagev1.ImportModeType{"", "Whole"}, modes); diff != "" {
			t.Errorf("modes (-want +got):\n%s", diff)
		}
	})
	t.Run("2: another tag, another platform, another source", func(t *testing.T) {
		s := e.stream(t, "app")
		s.Spec.Tags = append(s.Spec.Tags, tagOf("new", from, legacy))
		if err := e.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if sent, _ := e.reconcile(t, "app"); sent != "new Legacy" {
			t.Errorf("sent %q", sent)
		}
		// As "oc annotate istag" does.
		patch, _ := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]string{imagev1.ImporterPreferArchAnnotation: "arm64"}}})
		istag := &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Namespace: demo, Name: "app:new"}}
		if err := e.Patch(t.Context(), istag, client.RawPatch(types.MergePatchType, patch)); err != nil {
			t.Fatal(err)
		}
		if sent, _ := e.reconcile(t, "app"); sent != "new Legacy" || e.newest(t, "app", "new") != other {
			t.Errorf("sent %q, new is %s, want %s", sent, e.newest(t, "app", "new"), other)
		}
		testimages.Push(t, e.host+"/x/y:v2", amd64)
		s = e.stream(t, "app")
		s.Spec.Tags[len(s.Spec.Tags)-1].From.Name = e.host + "/x/y:v2"
		if err := e.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if sent, _ := e.reconcile(t, "app"); sent != "new Legacy" || e.newest(t, "app", "new") != one {
			t.Errorf("sent %q, new is %s, want %s", sent, e.newest(t, "app", "new"), one)
		}
	})
	t.Run("1,3: a repository, once", func(t *testing.T) {
		reference := tagOf("reference", from, "")
		reference.Reference = true
		s := streamOf("repository", tagOf("mine", from, legacy), reference)
		s.Spec.DockerImageRepository = e.host + "/x/y"
		s.Annotations = map[string]string{imagev1.InsecureRepositoryAnnotation: "true"}
		e.create(t, s)
		if sent, _ := e.reconcile(t, "repository"); sent != "mine Legacy, * insecure" {
			t.Errorf("sent %q", sent)
		}
		for tag, want := range map[string]string{"mine": one, "v1": whole, "v2": one} {
			if got := e.newest(t, "repository", tag); got != want {
				t.Errorf("%s is %q, want %q", tag, got, want)
			}
		}
		if sent, _ := e.reconcile(t, "repository"); sent != "" {
			t.Errorf("sent %q once more", sent)
		}
	})
	t.Run("3: tags without a generation", func(t *testing.T) {
		for name, want := range map[string]string{"unchecked": "v1 Legacy", "checked": ""} {
			s := streamOf(name, tagOf("v1", from, legacy))
			s.UID, s.Generation = types.UID("3f0a7e1c-"+name), 1
			if want == "" {
				s.Annotations = map[string]string{imagev1.DockerImageRepositoryCheckAnnotation: "2026-01-02T03:04:05Z"}
			}
			e.store(t, s)
			if sent, _ := e.reconcile(t, name); sent != want {
				t.Errorf("%s: sent %q, want %q", name, sent, want)
			}
		}
		if sent, _ := e.reconcile(t, "unchecked"); sent != "" {
			t.Errorf("sent %q once more", sent)
		}
	})
	t.Run("7: a stream that was read too early", func(t *testing.T) {
		e.create(t, streamOf("stale", tagOf("v1", from, legacy)))
		stale := e.stream(t, "stale")
		touched := stale.DeepCopy()
		touched.Labels = map[string]string{"touched": "yes"}
		if err := e.Update(t.Context(), touched); err != nil {
			t.Fatal(err)
		}
		cached := &controller.Imports{Client: staleReader{e.controller.Client, stale}, Now: e.controller.Now}
		if _, err := cached.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKeyFromObject(stale)}); !apierrors.IsConflict(err) {
			t.Errorf("%v, want a conflict, so that it is tried again", err)
		}
		if sent := e.sent[0]; sent.UID != stale.UID || sent.ResourceVersion != stale.ResourceVersion {
			t.Errorf("sent for %s at %s", sent.UID, sent.ResourceVersion)
		}
		e.taken()
		if sent, _ := e.reconcile(t, "stale"); sent != "v1 Legacy" {
			t.Errorf("sent %q", sent)
		}
	})
	t.Run("what the server refuses", func(t *testing.T) {
		bad := streamOf("bad", tagOf("v1", "h/x//y", legacy))
		bad.UID, bad.Generation, bad.Spec.Tags[0].Generation = "3f0a7e1c-2222-4a2b-9c3d-0123456789ab", 1, new(int64(1))
		e.store(t, bad)
		if sent, again := e.reconcile(t, "bad"); sent != "v1 Legacy" || again != 0 {
			t.Errorf("sent %q, again in %s", sent, again)
		}
		if len(e.events.Events) != 1 || !strings.Contains(<-e.events.Events, "ImportRefused") {
			t.Error("no event tells")
		}
	})
	t.Run("what is gone", func(t *testing.T) {
		if sent, again := e.reconcile(t, "none"); sent != "" || again != 0 {
			t.Errorf("sent %q, again in %s", sent, again)
		}
	})
}

// A staleReader answers with a stream as it was.
type staleReader struct {
	client.Client
	was *imagev1.ImageStream
}

func (r staleReader) Get(_ context.Context, _ client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	r.was.DeepCopyInto(obj.(*imagev1.ImageStream))
	return nil
}

// TestFailures takes the registry away and gives it back.
func TestFailures(t *testing.T) {
	t.Parallel()
	e := start(t, legacy)
	image := testimages.Image(t, "amd64", "1")
	testimages.Push(t, e.host+"/x/y:v1", image)
	e.create(t, streamOf("app", tagOf("v1", e.host+"/x/y:v1", legacy)))
	e.create(t, streamOf("scheduled", scheduled(tagOf("v1", e.host+"/x/y:v1", legacy)), tagOf("v2", e.host+"/x/y:v1", legacy)))

	e.down.Store(true)
	for _, name := range []string{"app", "scheduled"} {
		sent, _ := e.reconcile(t, name)
		if got := e.failure(t, name, "v1"); !strings.HasPrefix(sent, "v1 Legacy") || got != "InternalError of generation 2, tag 2" {
			t.Errorf("%s: sent %q, failure %q", name, sent, got)
		}
		if sent, _ := e.reconcile(t, name); sent != "" {
			t.Errorf("2: %s: sent %q once more", name, sent)
		}
	}
	t.Run("2: the tag changes, and that fails too", func(t *testing.T) {
		s := e.stream(t, "app")
		s.Spec.Tags[0].Generation = new(int64(0)) // as "oc tag" asks for it
		if err := e.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if sent, _ := e.reconcile(t, "app"); sent != "v1 Legacy" || e.failure(t, "app", "v1") != "InternalError of generation 3, tag 3" {
			t.Errorf("sent %q, failure %q", sent, e.failure(t, "app", "v1"))
		}
		if sent, _ := e.reconcile(t, "app"); sent != "" {
			t.Errorf("sent %q once more", sent)
		}
	})
	t.Run("4: scheduled tags alone recover by themselves", func(t *testing.T) {
		e.down.Store(false)
		e.pass(interval)
		if sent, _ := e.reconcile(t, "app"); sent != "" || e.newest(t, "app", "v1") != "" {
			t.Errorf("app: sent %q", sent)
		}
		if sent, again := e.reconcile(t, "scheduled"); sent != "v1 Legacy" || again != interval {
			t.Errorf("scheduled: sent %q, again in %s", sent, again)
		}
		if got := e.newest(t, "scheduled", "v1"); got != testimages.Digest(t, image) || e.failure(t, "scheduled", "v1") != "" {
			t.Errorf("v1 is %q, failure %q", got, e.failure(t, "scheduled", "v1"))
		}
	})
}

// TestRunning runs the controller as its command does.
func TestRunning(t *testing.T) {
	t.Parallel()
	e := start(t, legacy)
	mgr, err := operator.NewManager(e.server.Config(), operator.Scheme())
	if err != nil {
		t.Fatal(err)
	}
	e.controller.Client = mgr.GetClient()
	if err := e.controller.SetupWithManager(mgr); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()

	amd64, arm64 := testimages.Image(t, "amd64", "1"), testimages.Image(t, "arm64", "1")
	list := testimages.List(t, amd64, arm64)
	testimages.Push(t, e.host+"/x/y:v1", list)
	images := func() []string {
		var found []string
		for _, tag := range []string{"v1", "v2"} {
			found = append(found, e.newest(t, "app", tag))
		}
		return found
	}
	e.create(t, streamOf("app", tagOf("v1", e.host+"/x/y:v1", "")))
	eventually(t, "the first import", func() bool { return slices.Equal(images(), []string{testimages.Digest(t, amd64), ""}) })
	istag := &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Namespace: demo, Name: "app:v2"}}
	istag.Tag = &imagev1.TagReference{From: &corev1.ObjectReference{Kind: "DockerImage", Name: e.host + "/x/y:v1"}}
	istag.Tag.ImportPolicy.ImportMode = preserve
	e.create(t, istag)
	eventually(t, "the second import", func() bool {
		return slices.Equal(images(), []string{testimages.Digest(t, amd64), testimages.Digest(t, list)})
	})
}
