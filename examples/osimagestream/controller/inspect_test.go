package controller_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/osimagestream/controller"
	"github.com/polyarch/polyarch/osimagestream"
)

// digestOf returns the digest of a pull spec.
func digestOf(pullSpec string) string {
	_, digest, _ := strings.Cut(pullSpec, "@")
	return digest
}

// TestInspectionFails holds that a registry which does not answer for one image
// moves no cluster to another stream, nor an object to another release, and that
// nothing is made of what the rest of the images would make.
func TestInspectionFails(t *testing.T) {
	s := newSite(t, osimagestream.OKD)
	broken := ""
	s.refuse = func(w http.ResponseWriter, req *http.Request) bool {
		if broken == "" || !strings.Contains(req.URL.Path, digestOf(broken)) {
			return false
		}
		http.Error(w, "try again later", http.StatusBadRequest) // which the client does not repeat
		return true
	}
	tags := func(release string) map[string]string {
		label := func(labels map[string]string) map[string]string {
			labels["release"] = release
			return labels
		}
		return map[string]string{
			"centos-10-coreos": s.push(t, "os", label(osLabels("centos-10"))), "centos-10-coreos-extensions": s.push(t, "ext", label(extLabels("centos-10"))),
			"centos-11-coreos": s.push(t, "os", label(osLabels("centos-11"))), "centos-11-coreos-extensions": s.push(t, "ext", label(extLabels("centos-11"))),
		}
	}
	first := tags("1")
	s.release(t, 1, first)

	broken = first["centos-10-coreos"]
	if err := s.look(t); err == nil || !strings.Contains(err.Error(), broken) {
		t.Errorf("not told to look again for %s: %v", broken, err)
	}
	if o := s.singleton(t.Context(), t); o != nil {
		t.Fatalf("created before all was seen: %+v", o)
	}
	broken = ""
	s.reconcile(t)
	o := s.singleton(t.Context(), t)
	diff(t, "all was seen", "centos-10 centos-10: centos-10", streamNames(o))

	second := tags("2")
	s.release(t, 2, second)
	for tag := range second {
		broken = second[tag]
		s.restart("next") // the new release's operator, which knows no image yet
		if err := s.look(t); err == nil {
			t.Errorf("%s: not told to look again", tag)
		}
		diff(t, "without "+tag, o, s.singleton(t.Context(), t))
	}
	if !s.saw(osimagestream.FindingIncomplete) {
		t.Error("not reported")
	}
	broken = ""
	s.reconcile(t)
	end := s.singleton(t.Context(), t)
	diff(t, "annotation", "next", end.Annotations[osimagestream.AnnotationReleaseVersion])
	diff(t, "image", second["centos-10-coreos"], string(end.Status.AvailableStreams[0].OSImage))
	diff(t, "all was seen again", "centos-10 centos-10: centos-10", streamNames(end))

	// The release itself cannot be read: the ConfigMap does not take its place.
	clear(s.streams.Releases)
	if err := s.Create(t.Context(), configMap(first["centos-11-coreos"], first["centos-11-coreos-extensions"])); err != nil {
		t.Fatal(err)
	}
	if err := s.look(t); err == nil {
		t.Error("not told to look again for the release")
	}
	diff(t, "without the release", end, s.singleton(t.Context(), t))
}

func configMap(os, extensions string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: controller.Namespace, Name: osimagestream.ConfigMapName},
		Data:       map[string]string{"baseOSContainerImage": os, "baseOSExtensionsContainerImage": extensions},
	}
}

// TestInspectsOnce holds that images are read when the payload changes, and events
// recorded when there is something new to say.
func TestInspectsOnce(t *testing.T) {
	s := newSite(t, osimagestream.OKD)
	tags := map[string]string{
		"stream-coreos": s.push(t, "os", osLabels("centos-10")), "stream-coreos-extensions": s.push(t, "ext", extLabels("centos-10")),
		"centos-11-coreos": s.push(t, "os", osLabels("centos-11")), // half a pair, which is a finding
	}
	s.release(t, 1, tags)
	s.requests = nil
	s.reconcile(t)
	diff(t, "requests for three images", 3, len(s.requests))
	if !s.saw(osimagestream.FindingIncompletePair) {
		t.Error("the incomplete pair is not reported")
	}
	for range 3 {
		s.reconcile(t)
	}
	diff(t, "requests for nothing new", 3, len(s.requests))
	diff(t, "events of nothing new", 0, len(s.events.Events))

	tags["centos-11-coreos-extensions"] = s.push(t, "ext", extLabels("centos-11"))
	s.release(t, 2, tags)
	s.requests = nil
	s.reconcile(t)
	diff(t, "requests for one image that is new", 1, len(s.requests))
}

// TestPullSecret holds that the registry gets the cluster's credentials, the most
// specific ones, and that those of another path are not sent.
func TestPullSecret(t *testing.T) {
	s := newSite(t, osimagestream.OKD)
	os, ext := s.push(t, "os", osLabels("centos-10")), s.push(t, "ext", extLabels("centos-10"))
	s.release(t, 1, map[string]string{"stream-coreos": os, "stream-coreos-extensions": ext})
	s.refuse = func(w http.ResponseWriter, req *http.Request) bool {
		user, password, _ := req.BasicAuth()
		if user == "cluster" && password == "secret" {
			return false
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="registry"`)
		http.Error(w, `{"errors":[{"code":"UNAUTHORIZED"}]}`, http.StatusUnauthorized)
		return true
	}
	if err := s.look(t); err == nil || !strings.Contains(err.Error(), "UNAUTHORIZED") {
		t.Errorf("no pull secret: %v", err)
	}

	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: controller.PullSecret.Namespace, Name: controller.PullSecret.Name}, Type: corev1.SecretTypeDockerConfigJson}
	secret.Data = auths(nil)
	for _, o := range []client.Object{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: secret.Namespace}}, secret} {
		if err := s.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name    string
		data    map[string][]byte
		refused string
	}{
		{"no entry", auths(nil), "UNAUTHORIZED"},
		{"another path", auths(map[string]string{s.host + "/okd/o": "cluster:secret", s.host + "/elsewhere": "cluster:secret"}), "UNAUTHORIZED"},
		{"wrong", auths(map[string]string{s.host: "cluster:wrong"}), "UNAUTHORIZED"},
		{"no JSON", map[string][]byte{corev1.DockerConfigJsonKey: []byte("cluster:secret")}, "openshift-config/pull-secret"},
		{"the registry", auths(map[string]string{s.host: "cluster:secret"}), ""},
		{"the path before the registry", auths(map[string]string{s.host: "cluster:wrong", s.host + "/okd": "cluster:secret"}), ""},
	} {
		secret.Data = tc.data
		if err := s.Update(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		labels, err := s.streams.Labels(t.Context(), os)
		if tc.refused == "" && (err != nil || labels[osimagestream.LabelStream] != "centos-10") {
			t.Errorf("%s: %v, %v", tc.name, labels, err)
		}
		if tc.refused != "" && (err == nil || !strings.Contains(err.Error(), tc.refused) || strings.Contains(err.Error(), "cluster:")) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	s.reconcile(t)
	diff(t, "with credentials", "centos-10 centos-10: centos-10", streamNames(s.singleton(t.Context(), t)))
}

// auths is the content of a pull secret: user:password by registry.
func auths(entries map[string]string) map[string][]byte {
	var file struct {
		Auths map[string]map[string]string `json:"auths"`
	}
	file.Auths = map[string]map[string]string{}
	for at, credentials := range entries {
		file.Auths[at] = map[string]string{"auth": base64.StdEncoding.EncodeToString([]byte(credentials))}
	}
	data, err := json.Marshal(file)
	if err != nil {
		panic(err)
	}
	return map[string][]byte{corev1.DockerConfigJsonKey: data}
}

// TestWatchesItsConfigMapOnly runs the controller, and holds that it asks the API
// server for one ConfigMap and no Secret, and follows that one.
func TestWatchesItsConfigMapOnly(t *testing.T) {
	s := newSite(t, osimagestream.OKD)
	os, ext := s.push(t, "os", osLabels("centos-10")), s.push(t, "ext", extLabels("centos-10"))
	s.release(t, 1, map[string]string{})

	cfg := rest.CopyConfig(s.config)
	var lock sync.Mutex
	var asked []string // for lists and watches
	cfg.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(req *http.Request) (*http.Response, error) {
			lock.Lock()
			defer lock.Unlock()
			if u := req.URL; strings.HasSuffix(u.Path, "/configmaps") || strings.HasSuffix(u.Path, "/secrets") {
				asked = append(asked, u.Path+" "+u.Query().Get("fieldSelector"))
			}
			return next.RoundTrip(req)
		})
	})
	mgr, err := operator.NewManager(cfg, s.Scheme())
	if err != nil {
		t.Fatal(err)
	}
	s.streams.Client, s.streams.Live = mgr.GetClient(), mgr.GetAPIReader()
	s.streams.Labels = controller.Registry{Secrets: mgr.GetAPIReader()}.Labels
	if err := s.streams.SetupWithManager(mgr); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- mgr.Start(ctx) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()

	elsewhere := configMap(os, ext)
	elsewhere.Namespace = "default"
	another := configMap(os, ext)
	another.Name = "another"
	for _, o := range []client.Object{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}}, elsewhere, another, configMap(os, ext)} {
		if err := s.Create(ctx, o); err != nil && !apierrors.IsAlreadyExists(err) {
			t.Fatal(err)
		}
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		if o := s.singleton(ctx, t); o != nil && len(o.Annotations) > 0 {
			diff(t, "followed", "centos-10 centos-10: centos-10", streamNames(o))
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the ConfigMap is not followed")
		}
		time.Sleep(20 * time.Millisecond)
	}
	lock.Lock()
	defer lock.Unlock()
	if len(asked) == 0 {
		t.Error("no ConfigMap is watched")
	}
	for _, a := range asked {
		if want := "/api/v1/namespaces/" + controller.Namespace + "/configmaps metadata.name=" + osimagestream.ConfigMapName; a != want {
			t.Errorf("asked for %s, want %s", a, want)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
