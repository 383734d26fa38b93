package server_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/testimages"
)

// clientNamed returns a client with that User-Agent, and the warnings it gets.
func (e *env) clientNamed(t *testing.T, agent string) (client.Client, *warnings) {
	t.Helper()
	config, w := e.Config(), new(warnings)
	config.UserAgent, config.WarningHandler = agent, w
	c, err := client.New(config, client.Options{Scheme: testScheme(t)})
	if err != nil {
		t.Fatal(err)
	}
	return c, w
}

type warnings struct {
	mu   sync.Mutex
	text []string
}

var _ rest.WarningHandler = (*warnings)(nil)

func (w *warnings) HandleWarningHeader(_ int, _, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, text)
}

// istag is what "oc tag" sends.
func istag(name string, mode imagev1.ImportModeType) *imagev1.ImageStreamTag {
	_, tagName, _ := strings.Cut(name, ":")
	t := tag(tagName, mode)
	t.Generation = new(int64(0))
	return &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Namespace: "demo", Name: name}, Tag: &t}
}

func TestImageStreamTag(t *testing.T) {
	t.Parallel()
	e := boot(t, legacy)
	old := stream("ancient", tag("a", ""), tag("b", ""))
	old.UID, old.Generation = "ancient", 3
	old.Spec.Tags[0].Generation, old.Spec.Tags[1].Generation = new(int64(2)), new(int64(3))
	e.store(t, old)
	e.create(t, stream("existing", tag("a", "")))
	e.flip(t, preserve)

	t.Run("oc tag, given", func(t *testing.T) {
		// A PUT that finds nothing tells oc to create.
		if err := e.Update(t.Context(), istag("d:v2", legacy)); !apierrors.IsNotFound(err) {
			t.Fatalf("got %v, want NotFound", err)
		}
		if err := e.Create(t.Context(), istag("d:v2", legacy)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]tagState{{"v2", legacy, 1}}, states(e.get(t, "d"))); diff != "" {
			t.Errorf("the stream's tags (-want +got):\n%s", diff)
		}
		if err := e.Create(t.Context(), istag("d:v2", legacy)); !apierrors.IsAlreadyExists(err) {
			t.Errorf("once more: %v, want AlreadyExists", err)
		}
		if err := e.Update(t.Context(), istag("d:v2", preserve)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]tagState{{"v2", preserve, 2}}, states(e.get(t, "d"))); diff != "" {
			t.Errorf("the stream's tags after the update (-want +got):\n%s", diff)
		}
	})
	t.Run("new tags, omitted", func(t *testing.T) {
		for _, name := range []string{"fresh:v1", "existing:v1", "ancient:v1"} {
			it := istag(name, "")
			if err := e.Create(t.Context(), it); err != nil {
				t.Fatal(err)
			}
			if got := it.Tag.ImportPolicy.ImportMode; got != preserve {
				t.Errorf("%s: %s, want the cluster's mode", name, got)
			}
		}
	})
	t.Run("stored tags, omitted", func(t *testing.T) {
		for name, want := range map[string]imagev1.ImportModeType{"existing:a": legacy, "ancient:a": ""} {
			it := istag(name, "")
			it.Tag.Generation = nil
			if err := e.Update(t.Context(), it); err != nil {
				t.Fatal(err)
			}
			if got := it.Tag.ImportPolicy.ImportMode; got != want {
				t.Errorf("%s: %q, want %q as stored", name, got, want)
			}
		}
		if diff := cmp.Diff(tagState{"a", "", 2}, states(e.get(t, "ancient"))[0]); diff != "" {
			t.Errorf("the ancient tag (-want +got):\n%s", diff)
		}
	})
	t.Run("a patch of something else", func(t *testing.T) {
		it := istag("existing:a", "")
		if err := e.Patch(t.Context(), it, client.RawPatch(types.MergePatchType, []byte(`{"tag":{"annotations":{"x":"y"}}}`))); err != nil {
			t.Fatal(err)
		}
		if it.Tag.ImportPolicy.ImportMode != legacy || it.Tag.Annotations["x"] != "y" {
			t.Errorf("got %+v", it.Tag)
		}
	})
	t.Run("unknown mode", func(t *testing.T) {
		wantInvalid(t, e.Create(t.Context(), istag("bad:v1", "Both")), "tag.importPolicy.importMode", metav1.CauseTypeFieldValueNotSupported)
		wantInvalid(t, e.Update(t.Context(), istag("existing:a", "Both")), "tag.importPolicy.importMode", metav1.CauseTypeFieldValueNotSupported)
		if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: "bad"}, new(imagev1.ImageStream)); !apierrors.IsNotFound(err) {
			t.Errorf("the refused tag left a stream behind: %v", err)
		}
	})
	t.Run("an unknown mode that is stored is put back", func(t *testing.T) {
		bad := stream("bad-stored", tag("a", "Both"))
		bad.UID = "bad-stored"
		e.store(t, bad)
		it := new(imagev1.ImageStreamTag)
		if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: "bad-stored:a"}, it); err != nil {
			t.Fatal(err)
		}
		it.Tag.Annotations = map[string]string{"x": "y"}
		if err := e.Update(t.Context(), it); err != nil {
			t.Fatal(err)
		}
		if it.Tag.ImportPolicy.ImportMode != "Both" || it.Tag.Annotations["x"] != "y" {
			t.Errorf("got %+v", it.Tag)
		}
		it.Tag.ImportPolicy.ImportMode = "Neither"
		wantInvalid(t, e.Update(t.Context(), it), "tag.importPolicy.importMode", metav1.CauseTypeFieldValueNotSupported)
	})
	t.Run("names", func(t *testing.T) {
		for _, name := range []string{"without", "a:b:c"} {
			wantInvalid(t, e.Create(t.Context(), istag(name, "")), "metadata.name", metav1.CauseTypeFieldValueInvalid)
		}
		without := istag("d:v9", "")
		without.Tag = nil
		wantInvalid(t, e.Create(t.Context(), without), "tag", metav1.CauseTypeFieldValueRequired)
	})
	t.Run("stale", func(t *testing.T) {
		it := istag("existing:a", "")
		it.ResourceVersion = "1"
		if err := e.Update(t.Context(), it); !apierrors.IsConflict(err) {
			t.Errorf("got %v, want Conflict", err)
		}
	})
	t.Run("list and delete", func(t *testing.T) {
		var list imagev1.ImageStreamTagList
		if err := e.List(t.Context(), &list, client.InNamespace("demo")); err != nil {
			t.Fatal(err)
		}
		if len(list.Items) < 6 {
			t.Errorf("%d tags", len(list.Items))
		}
		if err := e.Delete(t.Context(), istag("existing:v1", "")); err != nil {
			t.Fatal(err)
		}
		if err := e.Get(t.Context(), client.ObjectKeyFromObject(istag("existing:v1", "")), new(imagev1.ImageStreamTag)); !apierrors.IsNotFound(err) {
			t.Errorf("after delete: %v, want NotFound", err)
		}
		if got := states(e.get(t, "existing")); len(got) != 1 || got[0].Name != "a" {
			t.Errorf("the stream's tags after delete: %v", got)
		}
	})
}

// isimport is what "oc import-image" sends.
func isimport(name string, tags ...imagev1.TagReference) *imagev1.ImageStreamImport {
	i := &imagev1.ImageStreamImport{ObjectMeta: metav1.ObjectMeta{Namespace: "demo", Name: name}, Spec: imagev1.ImageStreamImportSpec{Import: true}}
	for _, t := range tags {
		i.Spec.Images = append(i.Spec.Images, imagev1.ImageImportSpec{
			From: *t.From, To: &corev1.LocalObjectReference{Name: t.Name}, ImportPolicy: t.ImportPolicy, ReferencePolicy: t.ReferencePolicy,
		})
	}
	return i
}

func TestImageStreamImport(t *testing.T) {
	t.Parallel()
	e := boot(t, legacy)
	old := stream("ancient", tag("a", ""), tag("b", ""))
	old.UID, old.Generation = "ancient", 3
	old.Spec.Tags[0].Generation, old.Spec.Tags[1].Generation = new(int64(2)), new(int64(2))
	e.store(t, old)
	e.create(t, stream("existing", tag("a", ""), tag("other", "")))
	e.flip(t, preserve)
	host := startRegistry(t, nil)
	e.trust(t, host)
	for _, tag := range []string{"v1", "v2", "a", "b", "new"} {
		testimages.Push(t, host+"/x/y:"+tag, testimages.Image(t, "amd64", tag))
	}
	isimport := func(name string, tags ...imagev1.TagReference) *imagev1.ImageStreamImport {
		for _, tag := range tags {
			tag.From.Name = host + "/x/y:" + tag.Name
		}
		return isimport(name, tags...)
	}

	for _, c := range []struct {
		name    string
		request *imagev1.ImageStreamImport
		want    []tagState
	}{
		{"given", isimport("given", tag("v1", legacy), tag("v2", preserve)), []tagState{{"v1", legacy, 1}, {"v2", preserve, 1}}},
		{"omitted, new stream", isimport("omitted", tag("v1", "")), []tagState{{"v1", preserve, 1}}},
		{"omitted, stored tag and new tag", isimport("existing", tag("a", ""), tag("new", "")), []tagState{{"a", legacy, 2}, {"other", legacy, 1}, {"new", preserve, 2}}},
		{"omitted, stored empty", isimport("ancient", tag("a", "")), []tagState{{"a", "", 4}, {"b", "", 2}}},
		{"given Legacy, stored empty", isimport("ancient", tag("a", legacy)), []tagState{{"a", legacy, 4}, {"b", "", 2}}},
		{"given PreserveOriginal, stored empty", isimport("ancient", tag("b", preserve)), []tagState{{"a", legacy, 4}, {"b", preserve, 5}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := e.Create(t.Context(), c.request); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, states(e.get(t, c.request.Name))); diff != "" {
				t.Errorf("the stream's tags (-want +got):\n%s", diff)
			}
			if len(c.request.Status.Images) != len(c.request.Spec.Images) || c.request.Status.Import == nil {
				t.Fatalf("status: %+v", c.request.Status)
			}
			for i, image := range c.request.Status.Images {
				if image.Status.Status != metav1.StatusSuccess || image.Image == nil || image.Tag != c.request.Spec.Images[i].To.Name {
					t.Errorf("status of image %d: %+v, want that it was imported", i, image)
				}
			}
		})
	}
	t.Run("without writing", func(t *testing.T) {
		request := isimport("existing", tag("a", ""))
		request.Spec.Import = false
		before := e.stored(t, "existing")
		if err := e.Create(t.Context(), request); err != nil {
			t.Fatal(err)
		}
		if e.stored(t, "existing") != before || request.Status.Import != nil || len(request.Status.Images) != 1 {
			t.Errorf("status: %+v", request.Status)
		}
	})
	t.Run("unknown mode", func(t *testing.T) {
		wantInvalid(t, e.Create(t.Context(), isimport("bad", tag("v1", ""), tag("v2", "Both"))), "spec.images[1].importPolicy.importMode", metav1.CauseTypeFieldValueNotSupported)
	})
	t.Run("stale", func(t *testing.T) {
		request := isimport("existing", tag("a", ""))
		request.ResourceVersion = "1"
		body, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		if code, answer := e.do(t, http.MethodPost, "/apis/image.openshift.io/v1/namespaces/demo/imagestreamimports", string(body)); code != http.StatusConflict {
			t.Errorf("%d %s, want 409", code, answer)
		}
	})
}

// TestOldClients holds what becomes of the Legacy that oc sends unasked: taken
// by its word unless the administrator says otherwise, and then with a warning,
// and only where oc sends it unasked.
func TestOldClients(t *testing.T) {
	t.Parallel()
	e := boot(t, preserve, func(o *launch.Options) { o.Flags = append(o.Flags, "--ignore-legacy-from=oc/,openshift-client/") })
	const oc = "oc/4.20.0 (linux/amd64) kubernetes/abcdef"
	for _, c := range []struct {
		agent string
		want  imagev1.ImportModeType
	}{{oc, preserve}, {"kubectl/v1.36.0", legacy}} {
		agent, _, _ := strings.Cut(c.agent, "/")
		by, w := e.clientNamed(t, c.agent)
		it := istag(agent+"-tag:v1", legacy)
		if err := by.Create(t.Context(), it); err != nil {
			t.Fatal(err)
		}
		im := isimport(agent+"-import", tag("v1", legacy))
		if err := by.Create(t.Context(), im); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{agent + "-tag", agent + "-import"} {
			if got := states(e.get(t, name)); got[0].Mode != c.want {
				t.Errorf("%s: %v, want %s", name, got, c.want)
			}
		}
		// One for each request: that its Legacy was ignored, or that it was not.
		told := slices.ContainsFunc(w.text, func(s string) bool { return strings.Contains(s, "--ignore-legacy-from="+agent+"/") })
		if len(w.text) != 2 || told != (c.want == legacy) {
			t.Errorf("%s: warnings %q", agent, w.text)
		}
		s := stream(agent+"-stream", tag("v1", legacy))
		if err := by.Create(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if got := states(s); got[0].Mode != legacy {
			t.Errorf("a manifest that %s applied: %v, want what is written there", agent, got)
		}
	}
}
