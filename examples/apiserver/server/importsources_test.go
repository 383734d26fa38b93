package server_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/testimages"
)

// configured adds lines to the imagePolicyConfig of an apiserver that is about to
// start.
func configured(t *testing.T, lines string) func(*launch.Options) {
	return func(o *launch.Options) {
		t.Helper()
		file, err := os.OpenFile(o.ConfigFile, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.WriteString(lines); err != nil {
			t.Fatal(err)
		}
	}
}

// testImportRepository imports the tags of a repository, up to the number that is
// configured.
func testImportRepository(t *testing.T, e *env) {
	host := startRegistry(t, nil)
	e.trust(t, host)
	list := testimages.Multi(t, "x", "amd64", "arm64")
	amd64 := testimages.Image(t, "amd64", "x")
	attested := testimages.With(testimages.List(t, amd64), testimages.Attestation(t, amd64))
	for _, tag := range []string{"zzz", "1.9", "latest", "v1.10"} {
		testimages.Push(t, host+"/x/y:"+tag, list)
	}
	testimages.Push(t, host+"/x/y:1.10.0", attested)
	request := func(name, repository string, mode imagev1.ImportModeType) *imagev1.ImageStreamImport {
		return &imagev1.ImageStreamImport{ObjectMeta: metav1.ObjectMeta{Namespace: "demo", Name: name}, Spec: imagev1.ImageStreamImportSpec{
			Import: true, Repository: &imagev1.RepositoryImportSpec{
				From: corev1.ObjectReference{Kind: "DockerImage", Name: host + repository}, ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode},
			},
		}}
	}

	t.Run("looked up", func(t *testing.T) {
		r := request("looked-up", "/x/y", "")
		r.Spec.Import = false
		status := e.doImport(t, r).Status
		if status.Import != nil || len(status.Repository.Images) != 3 || len(e.images(t)) != 0 {
			t.Errorf("%+v", status)
		}
		if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: "looked-up"}, new(imagev1.ImageStream)); !apierrors.IsNotFound(err) {
			t.Error(err)
		}
	})
	t.Run("imported", func(t *testing.T) {
		s := stream("app", tag("v1.10", legacy))
		s.Spec.Tags[0].Annotations = map[string]string{imagev1.ImporterPreferArchAnnotation: "arm64"}
		e.create(t, s)
		status := e.doImport(t, request("app", "/x/y", "")).Status.Repository
		if diff := cmp.Diff([]string{"1.10.0", "zzz"}, status.AdditionalTags); diff != "" || status.Status.Status != metav1.StatusSuccess {
			t.Errorf("status %+v, additional tags (-want +got):\n%s", status.Status, diff)
		}
		got := e.get(t, "app")
		if diff := cmp.Diff([]tagState{{"v1.10", legacy, 2}, {"latest", preserve, 2}, {"1.9", preserve, 2}}, states(got)); diff != "" {
			t.Errorf("tags (-want +got):\n%s", diff)
		}
		for i, want := range []string{testimages.Digest(t, testimages.Image(t, "arm64", "x")), testimages.Digest(t, list), testimages.Digest(t, list)} {
			tag := got.Spec.Tags[i]
			if h := historyOf(t, got, tag.Name); tag.From.Name != host+"/x/y:"+tag.Name || len(h.Images) != 1 || h.Images[0] != want {
				t.Errorf("%s from %s is %v, want %s", tag.Name, tag.From.Name, h.Images, want)
			}
		}
	})
	t.Run("an image that fails", func(t *testing.T) {
		// A tag whose list lacks an image.
		digest := testimages.Entries(t, list)[1]
		down := startRegistry(t, func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet && strings.Contains(r.URL.Path, digest) {
					http.NotFound(w, r)
					return
				}
				next.ServeHTTP(w, r)
			})
		})
		testimages.Push(t, down+"/x/y:good", amd64)
		testimages.Push(t, down+"/x/y:lacking", list)
		r := request("failing", "/x/y", preserve)
		r.Spec.Repository.From.Name, r.Spec.Repository.ImportPolicy.Insecure = down+"/x/y", true
		status := e.doImport(t, r).Status.Repository
		if status.Status.Status != metav1.StatusFailure || status.Status.Message != "1 of the images from this repository failed to import" {
			t.Errorf("%+v", status.Status)
		}
		got := e.get(t, "failing")
		if h := historyOf(t, got, "good"); len(h.Images) != 1 || h.Conditions != nil {
			t.Errorf("good: %+v", h)
		}
		if c := statusOf(t, got, "lacking").Conditions; len(c) != 1 || !strings.Contains(c[0].Message, digest) || !strings.Contains(c[0].Message, "linux/arm64") {
			t.Errorf("lacking: %+v, want that it names the image", c)
		}
	})
	t.Run("a repository that is not there", func(t *testing.T) {
		status := e.doImport(t, request("none", "/x/none", "")).Status
		if status.Repository.Status.Reason != metav1.StatusReasonNotFound || status.Import == nil {
			t.Errorf("%+v", status)
		}
	})
	t.Run("attestations are told of", func(t *testing.T) {
		status := e.doImport(t, importOf("attested", "v1", host+"/x/y:1.10.0", preserve)).Status.Images[0]
		if !strings.Contains(status.Status.Message, "1 of the 2 entries of the manifest list are attestations") || status.Status.Status != metav1.StatusSuccess {
			t.Errorf("%+v", status.Status)
		}
		if names := e.images(t); !slices.Contains(names, testimages.Entries(t, attested)[1]) {
			t.Errorf("the attestation is not stored: %v", names)
		}
	})
}

// testImportSources holds from where may be imported, and with whose credentials.
func testImportSources(t *testing.T, e *env) {
	const secret = "correct-horse-battery-staple"
	open, blocked := startRegistry(t, nil), startRegistry(t, nil)
	private := startRegistry(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, password, _ := r.BasicAuth(); password != secret {
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	e.trust(t, open, private, blocked)
	e.sources(t, func(s *configv1.RegistrySources) { s.BlockedRegistries = []string{blocked + "/x"} })
	const nowhere = "elsewhere.example.com/x/y"
	image := testimages.Image(t, "amd64", "x")
	testimages.Push(t, open+"/x/y:v1", image)
	testimages.Push(t, blocked+"/x/y:v1", image)
	testimages.Push(t, private+"/x/y:v1", image, remote.WithAuth(&authn.Basic{Username: "robot", Password: secret}))

	t.Run("not allowed", func(t *testing.T) {
		for _, from := range []string{nowhere + ":v1", "127.1.0.1:5000/x/y:v1", "docker.io:5000/x/y:v1"} {
			request := importOf("refused", "v1", open+"/x/y:v1", "")
			request.Spec.Images = append(request.Spec.Images, importOf("", "v2", from, "").Spec.Images...)
			wantInvalid(t, e.Create(t.Context(), request), "spec.images[1].from.name", "FieldValueForbidden")
		}
		request := importOf("refused", "v1", open+"/x/y:v1", "")
		request.Spec.Repository = &imagev1.RepositoryImportSpec{From: corev1.ObjectReference{Kind: "DockerImage", Name: nowhere}}
		wantInvalid(t, e.Create(t.Context(), request), "spec.repository.from.name", "FieldValueForbidden")
		s, it := stream("refused", tag("v1", "")), istag("refused:v1", "")
		s.Spec.Tags[0].From.Name, it.Tag.From.Name = nowhere, nowhere
		wantInvalid(t, e.Create(t.Context(), s), "spec.tags[v1].from.name", "FieldValueForbidden")
		wantInvalid(t, e.Create(t.Context(), it), "spec.tags[v1].from.name", "FieldValueForbidden")
		if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: "refused"}, new(imagev1.ImageStream)); !apierrors.IsNotFound(err) {
			t.Errorf("a refused import left a stream behind: %v", err)
		}
		// What is stored already can be changed elsewhere.
		old := stream("stored", tag("v1", ""))
		old.UID, old.Spec.Tags[0].From.Name = "stored", nowhere
		e.store(t, old)
		s = e.get(t, "stored")
		s.Spec.Tags[0].Annotations = map[string]string{"a": "b"}
		if err := e.Update(t.Context(), s); err != nil {
			t.Error(err)
		}
	})
	t.Run("Docker Hub is allowed by its name", func(t *testing.T) {
		s := stream("hub", tag("v1", ""), tag("v2", ""), tag("v3", ""))
		s.Spec.Tags[0].From.Name, s.Spec.Tags[1].From.Name, s.Spec.Tags[2].From.Name = "nginx:v1", "docker.io/library/nginx", "index.docker.io/x/y@"+digest
		e.create(t, s)
	})
	t.Run("blocked", func(t *testing.T) {
		request := importOf("blocked", "v1", blocked+"/x/y:v1", "")
		request.Spec.Images = append(request.Spec.Images, importOf("", "v2", open+"/x/y:v1", "").Spec.Images...)
		status := e.doImport(t, request).Status
		if status.Images[0].Status.Reason != metav1.StatusReasonForbidden || status.Images[1].Image == nil {
			t.Errorf("%+v", status.Images)
		}
		if h := historyOf(t, e.get(t, "blocked"), "v1"); !slices.Equal(h.Conditions, []string{"Forbidden"}) {
			t.Errorf("%+v", h)
		}
	})
	t.Run("credentials of the namespace", func(t *testing.T) {
		auth := base64.StdEncoding.EncodeToString([]byte("robot:" + secret))
		if err := e.Create(t.Context(), &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: "demo", Name: "pull"}, Type: corev1.SecretTypeDockerConfigJson,
			Data: map[string][]byte{corev1.DockerConfigJsonKey: fmt.Appendf(nil, `{"auths":{%q:{"auth":%q}}}`, private, auth)},
		}); err != nil {
			t.Fatal(err)
		}
		status := e.doImport(t, importOf("private", "v1", private+"/x/y:v1", "")).Status
		if status.Images[0].Image == nil {
			t.Errorf("%+v", status.Images[0])
		}
		elsewhere := importOf("private", "v1", private+"/x/y:v1", "")
		elsewhere.Namespace = "elsewhere"
		status = e.doImport(t, elsewhere).Status
		if status.Images[0].Status.Reason != metav1.StatusReasonUnauthorized {
			t.Errorf("with the credentials of another namespace: %+v", status.Images[0])
		}
		stored := e.stored(t, "private")
		if strings.Contains(stored, secret) || strings.Contains(stored, auth) {
			t.Errorf("the stream tells the credentials: %s", stored)
		}
	})
}
