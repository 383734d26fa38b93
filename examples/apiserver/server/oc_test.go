package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/testimages"
)

// ocAgent is how an unmodified oc names itself.
const ocAgent = "oc/4.21.0 (linux/amd64) kubernetes/f0a1bb9"

const imageAPI = "/apis/image.openshift.io/v1/namespaces/demo/"

// An exchange is what oc gets.
type exchange struct {
	code     int
	body     string
	warnings []string
}

// oc sends one of the requests that were recorded from an unmodified oc. The path is
// below the namespace, unless it is a whole one.
func (e *env) oc(t *testing.T, method, path, contentType, body string) exchange {
	t.Helper()
	c, err := rest.HTTPClientFor(e.Config())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(path, "/") {
		path = imageAPI + path
	}
	request, err := http.NewRequestWithContext(t.Context(), method, e.Config().Host+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("User-Agent", ocAgent)
	request.Header.Set("Accept", "application/json")
	if body != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return exchange{response.StatusCode, string(bytes.TrimSpace(answer)), response.Header.Values("Warning")}
}

const (
	asJSON  = "application/json"
	asPatch = "application/strategic-merge-patch+json"
)

// The bodies of "oc tag H/x/y:v2 d:v2" and of "oc import-image b --from=… --confirm".
func ocTag(stream, tag, mode string) string {
	return fmt.Sprintf(`{"kind":"ImageStreamTag","apiVersion":"image.openshift.io/v1","metadata":{"name":"%s:%s","namespace":"demo","creationTimestamp":null},
		"tag":{"name":"%s","annotations":null,"from":{"kind":"DockerImage","name":"quay.example.com/x/y:%s"},"generation":0,
		"importPolicy":{"importMode":"%s"},"referencePolicy":{"type":"Source"}},
		"generation":0,"lookupPolicy":{"local":false},"image":{"metadata":{"creationTimestamp":null},"dockerImageMetadata":null}}`, stream, tag, tag, tag, mode)
}

func ocImport(stream, tag, mode string) string {
	return fmt.Sprintf(`{"kind":"ImageStreamImport","apiVersion":"image.openshift.io/v1","metadata":{"name":"%s","namespace":"demo","creationTimestamp":null},
		"spec":{"import":true,"images":[{"from":{"kind":"DockerImage","name":"quay.example.com/x/y:%s"},"to":{"name":"%s"},
		"importPolicy":{"importMode":"%s"},"referencePolicy":{"type":"Source"}}]},"status":{}}`, stream, tag, tag, mode)
}

// wantCode wants that code, and no warning but those that contain one of says.
func (x exchange) want(t *testing.T, code int, says ...string) {
	t.Helper()
	if x.code != code {
		t.Fatalf("%d, want %d: %s", x.code, code, x.body)
	}
	if len(x.warnings) != min(len(says), 1) {
		t.Fatalf("warnings %q, want %d", x.warnings, min(len(says), 1))
	}
	for _, s := range says {
		if !strings.Contains(x.warnings[0], s) {
			t.Errorf("the warning does not say %q: %s", s, x.warnings[0])
		}
	}
}

// importStatus writes a history for each tag, as an importer does.
func (e *env) importStatus(t *testing.T, name string, tags ...string) {
	t.Helper()
	s := e.get(t, name)
	for _, tag := range tags {
		s.Status.Tags = append(s.Status.Tags, imagev1.NamedTagEventList{Tag: tag, Items: []imagev1.TagEvent{{
			Created: metav1.Now(), DockerImageReference: "quay.example.com/x/y@" + digest, Image: digest, Generation: 1,
		}}})
	}
	if err := e.Status().Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func tagsOf(s *imagev1.ImageStream) (spec, status []string) {
	for _, tag := range s.Spec.Tags {
		spec = append(spec, tag.Name)
	}
	for _, tag := range s.Status.Tags {
		status = append(status, tag.Tag)
	}
	return spec, status
}

// TestOcTagDelete replays "oc tag -d" and "oc delete istag".
func TestOcTagDelete(t *testing.T) {
	t.Parallel()
	e := boot(t, legacy)
	e.create(t, stream("app", tag("both", ""), tag("spec", ""), tag("kept", "")))
	e.importStatus(t, "app", "both", "status", "kept")

	for _, c := range []struct{ tag, body string }{
		{"both", ""},
		{"status", ""},
		{"spec", `{"kind":"DeleteOptions","apiVersion":"image.openshift.io/v1","propagationPolicy":"Background"}`},
	} {
		e.oc(t, http.MethodDelete, "imagestreamtags/app:"+c.tag, asJSON, c.body).want(t, http.StatusOK)
		e.oc(t, http.MethodGet, "imagestreamtags/app:"+c.tag, "", "").want(t, http.StatusNotFound)
		e.oc(t, http.MethodDelete, "imagestreamtags/app:"+c.tag, asJSON, c.body).want(t, http.StatusNotFound)
	}
	got := e.get(t, "app")
	spec, status := tagsOf(got)
	if !slices.Equal(spec, []string{"kept"}) || !slices.Equal(status, []string{"kept"}) {
		t.Errorf("left are the spec tags %v and the status tags %v, want kept in both", spec, status)
	}
	if got.Generation != 3 {
		t.Errorf("generation %d, want one more for each spec tag that went", got.Generation)
	}
	e.oc(t, http.MethodDelete, "imagestreamtags/none:v1", asJSON, "").want(t, http.StatusNotFound)
	e.oc(t, http.MethodDelete, "imagestreamtags/app", asJSON, "").want(t, http.StatusBadRequest)

	t.Run("dry run", func(t *testing.T) {
		e.oc(t, http.MethodDelete, "imagestreamtags/app:kept?dryRun=All", asJSON, "").want(t, http.StatusOK)
		e.oc(t, http.MethodGet, "imagestreamtags/app:kept", "", "").want(t, http.StatusOK)
	})
	t.Run("preconditions", func(t *testing.T) {
		s := e.get(t, "app")
		for _, p := range []string{`"uid":"another"`, `"resourceVersion":"1"`, fmt.Sprintf(`"uid":%q,"resourceVersion":"1"`, s.UID)} {
			e.oc(t, http.MethodDelete, "imagestreamtags/app:kept", asJSON,
				`{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{`+p+`}}`).want(t, http.StatusConflict)
		}
		e.oc(t, http.MethodDelete, "imagestreamtags/app:kept", asJSON,
			fmt.Sprintf(`{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":%q,"resourceVersion":%q}}`, s.UID, s.ResourceVersion)).want(t, http.StatusOK)
	})
}

// TestOcAnnotate replays "oc annotate istag" and "oc label istag".
func TestOcAnnotate(t *testing.T) {
	t.Parallel()
	e := boot(t, preserve, func(o *launch.Options) { o.Flags = append(o.Flags, "--ignore-legacy-from=oc/") })
	s := stream("app", tag("v3", legacy))
	s.Labels = map[string]string{"team": "a"}
	e.create(t, s)
	e.importStatus(t, "app", "v3", "pushed")
	istag := func(t *testing.T) *imagev1.ImageStreamTag {
		t.Helper()
		it := new(imagev1.ImageStreamTag)
		if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: "app:v3"}, it); err != nil {
			t.Fatal(err)
		}
		return it
	}
	const arch = "importer.image.openshift.io/prefer-arch"

	t.Run("annotate", func(t *testing.T) {
		e.oc(t, http.MethodPatch, "imagestreamtags/app:v3", asPatch, `{"metadata":{"annotations":{"`+arch+`":"arm64"}}}`).want(t, http.StatusOK)
		e.oc(t, http.MethodPatch, "imagestreamtags/app:v3", asPatch, `{"metadata":{"annotations":{"other":"x"}}}`).want(t, http.StatusOK)
		want := map[string]string{arch: "arm64", "other": "x"}
		stored := e.get(t, "app").Spec.Tags[0]
		if diff := cmp.Diff(want, stored.Annotations); diff != "" || stored.ImportPolicy.ImportMode != legacy {
			t.Errorf("mode %s; annotations of the spec tag (-want +got):\n%s", stored.ImportPolicy.ImportMode, diff)
		}
		if diff := cmp.Diff(want, istag(t).Annotations); diff != "" {
			t.Errorf("annotations of the image stream tag (-want +got):\n%s", diff)
		}
		e.oc(t, http.MethodPatch, "imagestreamtags/app:v3", asPatch, `{"metadata":{"annotations":{"other":null}}}`).want(t, http.StatusOK)
		if got := e.get(t, "app").Spec.Tags[0].Annotations; len(got) != 1 || got[arch] != "arm64" {
			t.Errorf("after one is taken away: %v", got)
		}
	})
	t.Run("annotations in the spec tag", func(t *testing.T) {
		e.oc(t, http.MethodPatch, "imagestreamtags/app:v3", asPatch, `{"tag":{"annotations":{"`+arch+`":"s390x"}}}`).want(t, http.StatusOK)
		if it := istag(t); it.Annotations[arch] != "s390x" || it.Tag.Annotations[arch] != "s390x" {
			t.Errorf("%v, %v", it.Annotations, it.Tag.Annotations)
		}
		x := e.oc(t, http.MethodPatch, "imagestreamtags/app:v3", asPatch, `{"metadata":{"annotations":{"a":"1"}},"tag":{"annotations":{"a":"2"}}}`)
		x.want(t, http.StatusUnprocessableEntity)
		if !strings.Contains(x.body, "tag.annotations") {
			t.Error(x.body)
		}
	})
	t.Run("a tag without a spec tag", func(t *testing.T) {
		e.oc(t, http.MethodPatch, "imagestreamtags/app:pushed", asPatch, `{"metadata":{"annotations":{"a":"b"}}}`).want(t, http.StatusBadRequest)
	})
	t.Run("label", func(t *testing.T) {
		before := e.stored(t, "app")
		for _, labels := range []string{`{"x":"y"}`, `{"team":"b"}`, `{"team":null}`} {
			e.oc(t, http.MethodPatch, "imagestreamtags/app:v3", asPatch, `{"metadata":{"labels":`+labels+`}}`).want(t, http.StatusOK, "labels", "imagestream/app")
		}
		e.oc(t, http.MethodPatch, "imagestreamtags/app:v3", asPatch, `{"metadata":{"labels":{"team":"a"}}}`).want(t, http.StatusOK)
		if got := e.stored(t, "app"); got != before {
			t.Errorf("stored (-before +after):\n%s", cmp.Diff(before, got))
		}
		if diff := cmp.Diff(map[string]string{"team": "a"}, istag(t).Labels); diff != "" {
			t.Errorf("labels (-want +got):\n%s", diff)
		}
		labeled := strings.Replace(ocTag("app", "v4", "PreserveOriginal"), `"namespace":"demo"`, `"namespace":"demo","labels":{"x":"y"}`, 1)
		e.oc(t, http.MethodPost, "imagestreamtags", asJSON, labeled).want(t, http.StatusCreated, "labels")
		// "oc tag" knows of no labels, and asks for none to go.
		e.oc(t, http.MethodPut, "imagestreamtags/app:v4", asJSON, ocTag("app", "v4", "PreserveOriginal")).want(t, http.StatusOK)
	})
	t.Run("what a tag has no place for", func(t *testing.T) {
		e.oc(t, http.MethodPatch, "imagestreamtags/app:v3", asPatch, `{"metadata":{"finalizers":["example.com/x"]}}`).want(t, http.StatusUnprocessableEntity)
	})
	t.Run("without the tag", func(t *testing.T) {
		it := istag(t)
		it.Tag, it.Annotations = nil, map[string]string{"only": "this"}
		if err := e.Update(t.Context(), it); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"only": "this"}, it.Tag.Annotations); diff != "" || it.Tag.From == nil {
			t.Errorf("from %v; annotations (-want +got):\n%s", it.Tag.From, diff)
		}
	})
}

// TestOcLegacyWarning holds that oc is told how a tag came to be Legacy on a
// cluster that preserves the original, and what helps.
func TestOcLegacyWarning(t *testing.T) {
	t.Parallel()
	const option = "--ignore-legacy-from=oc/"
	e := boot(t, preserve)
	e.oc(t, http.MethodPut, "imagestreamtags/d:v2", asJSON, ocTag("d", "v2", "Legacy")).want(t, http.StatusNotFound)
	e.oc(t, http.MethodPost, "imagestreamtags", asJSON, ocTag("d", "v2", "Legacy")).want(t, http.StatusCreated, option, "tag.importPolicy.importMode", "--import-mode=PreserveOriginal")
	e.oc(t, http.MethodPut, "imagestreamtags/d:v2", asJSON, ocTag("d", "v2", "Legacy")).want(t, http.StatusOK, option)
	e.oc(t, http.MethodPost, "imagestreamimports", asJSON, ocImport("b", "v1", "Legacy")).want(t, http.StatusCreated, option, "spec.images[0].importPolicy.importMode")
	if got := append(states(e.get(t, "d")), states(e.get(t, "b"))...); got[0].Mode != legacy || got[1].Mode != legacy {
		t.Errorf("%v, want Legacy as it was sent", got)
	}
	// Nothing is odd about the rest.
	e.oc(t, http.MethodPatch, "imagestreamtags/d:v2", asPatch, `{"metadata":{"annotations":{"a":"b"}}}`).want(t, http.StatusOK)
	e.oc(t, http.MethodPost, "imagestreamtags", asJSON, ocTag("d", "v3", "PreserveOriginal")).want(t, http.StatusCreated)
	e.oc(t, http.MethodPost, "imagestreamtags", asJSON, ocTag("d", "v4", "")).want(t, http.StatusCreated)
	by, w := e.clientNamed(t, "openshift-controller-manager/v1.34")
	if err := by.Create(t.Context(), istag("d:v5", legacy)); err != nil || len(w.text) > 0 {
		t.Errorf("another client: %v, warnings %q", err, w.text)
	}

	e.flip(t, legacy)
	e.oc(t, http.MethodPost, "imagestreamtags", asJSON, ocTag("d", "v6", "Legacy")).want(t, http.StatusCreated)
}

// TestOcImport replays imports that leave out what can be left out.
func TestOcImport(t *testing.T) {
	t.Parallel()
	e := boot(t, preserve)
	const path = "imagestreamimports"
	image := func(stream, image string) string {
		return `{"kind":"ImageStreamImport","apiVersion":"image.openshift.io/v1","metadata":{"name":"` + stream + `","namespace":"demo"},"spec":{"import":true,` + image + `},"status":{}}`
	}
	e.oc(t, http.MethodPost, path, asJSON, image("app", `"images":[{"from":{"kind":"DockerImage","name":"quay.example.com/x/y:v1"},"importPolicy":{},"referencePolicy":{"type":""}}]`)).want(t, http.StatusCreated)
	want := []imagev1.TagReference{{
		Name: "v1", From: &corev1.ObjectReference{Kind: "DockerImage", Name: "quay.example.com/x/y:v1"}, Generation: new(int64(1)),
		ImportPolicy:    imagev1.TagImportPolicy{ImportMode: preserve},
		ReferencePolicy: imagev1.TagReferencePolicy{Type: imagev1.SourceTagReferencePolicy},
	}}
	if diff := cmp.Diff(want, e.get(t, "app").Spec.Tags); diff != "" {
		t.Errorf("the tag that the reference names (-want +got):\n%s", diff)
	}
	for name, c := range map[string]struct{ stream, spec, field string }{
		"name":                     {"UPPER", `"images":[{"from":{"kind":"DockerImage","name":"x/y:v1"}}]`, "metadata.name"},
		"kind":                     {"bad", `"images":[{"from":{"kind":"Foo","name":"x/y:v1"}}]`, "spec.images[0].from.kind"},
		"reference":                {"bad", `"images":[{"from":{"kind":"DockerImage","name":"x/Y:v1"}}]`, "spec.images[0].from.name"},
		"no reference":             {"bad", `"images":[{"from":{"kind":"DockerImage","name":""}}]`, "spec.images[0].from.name"},
		"tag":                      {"bad", `"images":[{"from":{"kind":"DockerImage","name":"x/y:v1"},"to":{"name":"a/b"}}]`, "spec.images[0].to.name"},
		"no tag":                   {"bad", `"images":[{"from":{"kind":"DockerImage","name":"x/y:v1"},"to":{"name":""}}]`, "spec.images[0].to.name"},
		"policy":                   {"bad", `"images":[{"from":{"kind":"DockerImage","name":"x/y:v1"},"referencePolicy":{"type":"Nope"}}]`, "spec.images[0].referencePolicy.type"},
		"nothing":                  {"bad", `"images":[]`, "spec.images"},
		"repository's kind":        {"bad", `"repository":{"from":{"kind":"ImageStreamTag","name":"x/y"}}`, "spec.repository.from.kind"},
		"repository with a tag":    {"bad", `"repository":{"from":{"kind":"DockerImage","name":"x/y:v1"}}`, "spec.repository.from.name"},
		"repository with a digest": {"bad", `"repository":{"from":{"kind":"DockerImage","name":"x/y@` + digest + `"}}`, "spec.repository.from.name"},
		"no repository":            {"bad", `"repository":{"from":{"kind":"DockerImage","name":""}}`, "spec.repository.from.name"},
	} {
		t.Run(name, func(t *testing.T) {
			x := e.oc(t, http.MethodPost, path, asJSON, image(c.stream, c.spec))
			var status metav1.Status
			if err := json.Unmarshal([]byte(x.body), &status); err != nil {
				t.Fatal(err)
			}
			wantField(t, x.code, status, c.field)
		})
	}
	if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: "bad"}, new(imagev1.ImageStream)); !apierrors.IsNotFound(err) {
		t.Errorf("a refused import left a stream behind: %v", err)
	}
}

func wantField(t *testing.T, code int, status metav1.Status, field string) {
	t.Helper()
	if code != http.StatusUnprocessableEntity || status.Details == nil ||
		!slices.ContainsFunc(status.Details.Causes, func(c metav1.StatusCause) bool { return c.Field == field }) {
		t.Errorf("%d %s %+v, want 422 for %s", code, status.Message, status.Details, field)
	}
}

// TestOcRequests replays the other requests that were recorded, in their order,
// and holds what the stream has of the tag then.
func TestOcRequests(t *testing.T) {
	t.Parallel()
	e := boot(t, preserve)
	host := startRegistry(t, nil)
	e.trust(t, host)
	for _, tag := range []string{"v2", "v3", "v9"} {
		testimages.Push(t, host+"/x/y:"+tag, testimages.Multi(t, tag, "amd64", "arm64"))
	}
	here := strings.NewReplacer("quay.example.com", host)
	istag := func(name, from, policies string) string {
		_, tag, _ := strings.Cut(name, ":")
		return `{"kind":"ImageStreamTag","apiVersion":"image.openshift.io/v1","metadata":{"name":"` + name + `","namespace":"demo"},
			"tag":{"name":"` + tag + `","annotations":null,"from":` + from + `,` + policies + `},
			"generation":0,"lookupPolicy":{"local":false},"image":{"metadata":{},"dockerImageMetadata":null}}`
	}
	const image = `{"kind":"DockerImage","name":"quay.example.com/x/y:v2"}`
	const source = `"referencePolicy":{"type":"Source"}`
	for _, c := range []struct {
		command, method, path, contentType, body string
		code                                     int
		says                                     []string // of the warning
		stored                                   string   // of the tag in the stream app, as JSON
	}{
		{"oc tag --source=docker H/x/y:v2 app:v2 --scheduled", http.MethodPost, "imagestreamtags", asJSON,
			istag("app:v2", image, `"generation":0,"importPolicy":{"scheduled":true,"importMode":"Legacy"},`+source), http.StatusCreated, []string{"Legacy"},
			`{"name":"v2","annotations":null,"from":` + image + `,"generation":1,"importPolicy":{"scheduled":true,"importMode":"Legacy"},` + source + `}`},
		{"oc tag H/x/y:v3 app:v3 --import-mode=PreserveOriginal --reference-policy=local", http.MethodPost, "imagestreamtags", asJSON,
			istag("app:v3", image, `"generation":0,"importPolicy":{"importMode":"PreserveOriginal"},"referencePolicy":{"type":"Local"}`), http.StatusCreated, nil,
			`{"name":"v3","annotations":null,"from":` + image + `,"generation":2,"importPolicy":{"importMode":"PreserveOriginal"},"referencePolicy":{"type":"Local"}}`},
		{"oc tag --alias app:v2 app:latest", http.MethodPost, "imagestreamtags", asJSON,
			istag("app:latest", `{"kind":"ImageStreamTag","name":"app:v2"}`, `"generation":null,"importPolicy":{"importMode":"Legacy"},`+source), http.StatusCreated, []string{"Legacy"},
			`{"name":"latest","annotations":null,"from":{"kind":"ImageStreamTag","name":"app:v2"},"generation":3,"importPolicy":{"importMode":"Legacy"},` + source + `}`},
		{"oc annotate istag/app:v3", http.MethodPatch, "imagestreamtags/app:v3", asPatch,
			`{"metadata":{"annotations":{"importer.image.openshift.io/prefer-arch":"arm64"}}}`, http.StatusOK, nil,
			`{"name":"v3","annotations":{"importer.image.openshift.io/prefer-arch":"arm64"},"from":` + image + `,"generation":4,"importPolicy":{"importMode":"PreserveOriginal"},"referencePolicy":{"type":"Local"}}`},
		{"oc set image-lookup app", http.MethodPatch, "imagestreams/app", asPatch, `{"spec":{"lookupPolicy":{"local":true}}}`, http.StatusOK, nil, ""},
		{"oc import-image app:v3", http.MethodPost, "imagestreamimports", asJSON, ocImport("app", "v3", "Legacy"), http.StatusCreated, []string{"Legacy"},
			`{"name":"v3","annotations":{"importer.image.openshift.io/prefer-arch":"arm64"},"from":{"kind":"DockerImage","name":"quay.example.com/x/y:v3"},"generation":6,"importPolicy":{"importMode":"Legacy"},"referencePolicy":{"type":"Local"}}`},
		{"oc new-app --dry-run --image=H/x/y:v9", http.MethodPost, "imagestreamimports", asJSON,
			`{"kind":"ImageStreamImport","apiVersion":"image.openshift.io/v1","metadata":{"name":"newapp","namespace":"demo"},
			"spec":{"import":false,"images":[{"from":{"kind":"DockerImage","name":"quay.example.com/x/y:v9"},"importPolicy":{},"referencePolicy":{"type":""}}]},"status":{}}`, http.StatusCreated, nil, ""},
		{"oc tag -d app:v2", http.MethodDelete, "imagestreamtags/app:v2", asJSON, "", http.StatusOK, nil, ""},
	} {
		t.Run(c.command, func(t *testing.T) {
			e.oc(t, c.method, c.path, c.contentType, here.Replace(c.body)).want(t, c.code, c.says...)
			if c.stored == "" {
				return
			}
			var want imagev1.TagReference
			if err := json.Unmarshal([]byte(here.Replace(c.stored)), &want); err != nil {
				t.Fatal(err)
			}
			tags := e.get(t, "app").Spec.Tags
			i := slices.IndexFunc(tags, func(tag imagev1.TagReference) bool { return tag.Name == want.Name })
			if i < 0 {
				t.Fatalf("no tag %s", want.Name)
			}
			if diff := cmp.Diff(want, tags[i]); diff != "" {
				t.Errorf("the tag in the stream (-want +got):\n%s", diff)
			}
		})
	}
	if spec, _ := tagsOf(e.get(t, "app")); !slices.Equal(spec, []string{"v3", "latest"}) || !e.get(t, "app").Spec.LookupPolicy.Local {
		t.Errorf("tags %v, lookup policy %v", spec, e.get(t, "app").Spec.LookupPolicy)
	}
	if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: "newapp"}, new(imagev1.ImageStream)); !apierrors.IsNotFound(err) {
		t.Errorf("a dry run left a stream behind: %v", err)
	}
}
