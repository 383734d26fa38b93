package server_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/api/image/docker10"
	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/examples/internal/testimages"
)

// startRegistry runs a registry until the test ends.
func startRegistry(t *testing.T, wrap func(http.Handler) http.Handler) string {
	t.Helper()
	r, err := registry.Start(registry.Options{Wrap: wrap})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r.Host
}

// trust marks registries as insecure, as those of tests are, which speak plain HTTP.
func (e *env) trust(t *testing.T, hosts ...string) {
	t.Helper()
	e.sources(t, func(s *configv1.RegistrySources) { s.InsecureRegistries = append(s.InsecureRegistries, hosts...) })
}

// sources changes what the cluster says of registries.
func (e *env) sources(t *testing.T, change func(*configv1.RegistrySources)) {
	t.Helper()
	config := &configv1.Image{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}
	err := e.Get(t.Context(), client.ObjectKeyFromObject(config), config)
	change(&config.Spec.RegistrySources)
	if apierrors.IsNotFound(err) {
		err = e.Create(t.Context(), config)
	} else if err == nil {
		err = e.Update(t.Context(), config)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestImports has an apiserver for all that can do with the same.
func TestImports(t *testing.T) {
	t.Parallel()
	e := boot(t, legacy, func(o *launch.Options) { o.Flags = append(o.Flags, "--import-platform=linux/arm64") },
		configured(t, "  allowedRegistriesForImport:\n  - domainName: docker.io\n  - domainName: quay.example.com\n  - domainName: 127.0.*:*\n    insecure: true\n"))
	t.Run("modes", func(t *testing.T) { testImport(t, e) }) // counts the images, so it comes first
	t.Run("events", func(t *testing.T) { testTagEvents(t, e) })
	t.Run("following tags", func(t *testing.T) { testFollowingTags(t, e) })
	t.Run("while the stream changes", func(t *testing.T) { testWhileTheStreamChanges(t, e) })
	t.Run("sources", func(t *testing.T) { testImportSources(t, e) })
}

// importOf makes what "oc import-image" sends for one image.
func importOf(stream, tag, image string, mode imagev1.ImportModeType) *imagev1.ImageStreamImport {
	return &imagev1.ImageStreamImport{
		ObjectMeta: metav1.ObjectMeta{Namespace: "demo", Name: stream},
		Spec: imagev1.ImageStreamImportSpec{Import: true, Images: []imagev1.ImageImportSpec{{
			From: corev1.ObjectReference{Kind: "DockerImage", Name: image}, To: &corev1.LocalObjectReference{Name: tag},
			ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode}, ReferencePolicy: imagev1.TagReferencePolicy{Type: imagev1.SourceTagReferencePolicy},
		}}},
	}
}

func (e *env) doImport(t *testing.T, request *imagev1.ImageStreamImport) *imagev1.ImageStreamImport {
	t.Helper()
	if err := e.Create(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	return request
}

// images returns the names of all that are stored.
func (e *env) images(t *testing.T) []string {
	t.Helper()
	var list imagev1.ImageList
	if err := e.List(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, image := range list.Items {
		if image.DockerImageManifest != "" || image.DockerImageConfig != "" {
			t.Errorf("the image %s is stored with its bytes", image.Name)
		}
		names = append(names, image.Name)
	}
	slices.Sort(names)
	return names
}

func sorted(names ...string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// testImport imports one list in both modes, and reads what is stored in every way.
func testImport(t *testing.T, e *env) {
	host := startRegistry(t, nil)
	e.trust(t, host)
	amd64, arm64 := testimages.Image(t, "amd64", "x"), testimages.Image(t, "arm64", "x")
	list := testimages.List(t, amd64, arm64)
	testimages.Push(t, host+"/x/y:v1", list)
	listDigest, amd64Digest, arm64Digest := testimages.Digest(t, list), testimages.Digest(t, amd64), testimages.Digest(t, arm64)

	t.Run("import: false stores nothing", func(t *testing.T) {
		request := importOf("looked-up", "v1", host+"/x/y:v1", preserve)
		request.Spec.Import, request.Spec.Images[0].IncludeManifest = false, true
		status := e.doImport(t, request).Status
		if status.Import != nil || len(e.images(t)) != 0 {
			t.Errorf("status.import %v, images %v", status.Import, e.images(t))
		}
		if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: "looked-up"}, new(imagev1.ImageStream)); !apierrors.IsNotFound(err) {
			t.Errorf("the stream: %v", err)
		}
		got := status.Images[0]
		if got.Status.Status != metav1.StatusSuccess || got.Tag != "v1" || got.Image.Name != listDigest || len(got.Manifests) != 2 || got.Image.DockerImageManifest == "" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("Legacy", func(t *testing.T) {
		answer := e.doImport(t, importOf("app", "v1", host+"/x/y:v1", legacy))
		if diff := cmp.Diff([]string{arm64Digest}, e.images(t)); diff != "" {
			t.Errorf("images (-want +got):\n%s", diff)
		}
		stream := e.get(t, "app")
		event := stream.Status.Tags[0].Items[0]
		if event.Image != arm64Digest || event.DockerImageReference != host+"/x/y@"+arm64Digest || event.Generation != 1 || event.Created.IsZero() {
			t.Errorf("event %+v", event)
		}
		if stream.Annotations[imagev1.DockerImageRepositoryCheckAnnotation] == "" {
			t.Error("the annotation of the check is missing")
		}
		if answer.Status.Import.ResourceVersion != stream.ResourceVersion || answer.Status.Images[0].Image.DockerImageManifest != "" {
			t.Errorf("answer %+v", answer.Status)
		}
	})
	t.Run("PreserveOriginal", func(t *testing.T) {
		e.doImport(t, importOf("app", "all", host+"/x/y:v1", preserve))
		if diff := cmp.Diff(sorted(listDigest, amd64Digest, arm64Digest), e.images(t)); diff != "" {
			t.Errorf("images (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]tagState{{"v1", legacy, 1}, {"all", preserve, 2}}, states(e.get(t, "app"))); diff != "" {
			t.Errorf("spec tags (-want +got):\n%s", diff)
		}
		if event := statusOf(t, e.get(t, "app"), "all").Items[0]; event.Image != listDigest || event.Generation != 2 {
			t.Errorf("event %+v", event)
		}
	})
	t.Run("both modes of one digest", func(t *testing.T) {
		request := importOf("both", "one", host+"/x/y@"+listDigest, legacy)
		request.Spec.Images = append(request.Spec.Images, importOf("", "all", host+"/x/y@"+listDigest, preserve).Spec.Images...)
		status := e.doImport(t, request).Status
		if status.Images[0].Image.Name != arm64Digest || status.Images[1].Image.Name != listDigest || status.Images[0].Tag != "" {
			t.Errorf("%s and %s", status.Images[0].Image.Name, status.Images[1].Image.Name)
		}
	})
	t.Run("image stream tags show their images", func(t *testing.T) {
		for tag, want := range map[string]string{"app:v1": arm64Digest, "app:all": listDigest} {
			var it imagev1.ImageStreamTag
			if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: tag}, &it); err != nil {
				t.Fatal(err)
			}
			var metadata docker10.DockerImage
			if err := json.Unmarshal(it.Image.DockerImageMetadata.Raw, &metadata); err != nil {
				t.Fatal(err)
			}
			if it.Image.Name != want || it.Image.DockerImageReference != host+"/x/y@"+want || metadata.Kind != "DockerImage" {
				t.Errorf("%s: %+v", tag, it.Image)
			}
			if layers := len(it.Image.DockerImageLayers); (layers == 0) != (tag == "app:all") || (len(it.Image.DockerImageManifests) == 0) != (tag == "app:v1") {
				t.Errorf("%s: %d layers, manifests %v", tag, layers, it.Image.DockerImageManifests)
			}
		}
	})
	t.Run("image stream images", func(t *testing.T) {
		_, hex, _ := strings.Cut(amd64Digest, ":")
		for id, want := range map[string]string{listDigest: listDigest, amd64Digest: amd64Digest, hex[:12]: amd64Digest, arm64Digest: arm64Digest} {
			var image imagev1.ImageStreamImage
			if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: "app@" + id}, &image); err != nil {
				t.Fatal(err)
			}
			if image.Image.Name != want || image.Name != "app@"+id {
				t.Errorf("%s: %s %s", id, image.Name, image.Image.Name)
			}
		}
		e.doImport(t, importOf("single", "v1", host+"/x/y:v1", legacy))
		for name, want := range map[string]func(error) bool{
			"single@" + amd64Digest: apierrors.IsNotFound, "none@" + amd64Digest: apierrors.IsNotFound, "app@sha256:": apierrors.IsConflict, "app": apierrors.IsBadRequest,
		} {
			if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: name}, new(imagev1.ImageStreamImage)); !want(err) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("images are watched", func(t *testing.T) {
		watching, err := client.NewWithWatch(e.Config(), client.Options{Scheme: testScheme(t)})
		if err != nil {
			t.Fatal(err)
		}
		w, err := watching.Watch(t.Context(), &imagev1.ImageList{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Stop()
		// What is there comes first.
		for range e.images(t) {
			<-w.ResultChan()
		}
		pushed := testimages.Image(t, "arm64", "watched")
		testimages.Push(t, host+"/x/y:watched", pushed)
		e.doImport(t, importOf("watched", "v1", host+"/x/y:watched", legacy))
		if event := <-w.ResultChan(); event.Type != watch.Added || event.Object.(*imagev1.Image).Name != testimages.Digest(t, pushed) {
			t.Errorf("%+v", event)
		}
	})
	t.Run("images are read and deleted, and not written", func(t *testing.T) {
		image := &imagev1.Image{ObjectMeta: metav1.ObjectMeta{Name: "sha256:0"}}
		if err := e.Create(t.Context(), image); !apierrors.IsMethodNotSupported(err) {
			t.Errorf("create: %v", err)
		}
		image.Name = amd64Digest
		if err := e.Delete(t.Context(), image); err != nil {
			t.Fatal(err)
		}
		if names := e.images(t); slices.Contains(names, amd64Digest) {
			t.Errorf("left: %v", names)
		}
		e.doImport(t, importOf("app", "all", host+"/x/y:v1", preserve))
		if names := e.images(t); !slices.Contains(names, amd64Digest) {
			t.Errorf("imported again: %v", names)
		}
	})
	t.Run("dry run", func(t *testing.T) {
		testimages.Push(t, host+"/x/y:dry", testimages.Image(t, "arm64", "dry"))
		before := e.images(t)
		if err := e.Create(t.Context(), importOf("dry", "v1", host+"/x/y:dry", legacy), client.DryRunAll); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, e.images(t)); diff != "" {
			t.Errorf("images (-before +after):\n%s", diff)
		}
	})
	t.Run("preferred platform", func(t *testing.T) {
		s := stream("preferring", tag("v1", legacy))
		s.Spec.Tags[0].Annotations = map[string]string{imagev1.ImporterPreferArchAnnotation: "amd64"}
		e.create(t, s)
		request := importOf("preferring", "v1", host+"/x/y:v1", legacy)
		request.Spec.Images = append(request.Spec.Images, importOf("", "other", host+"/x/y:v1", legacy).Spec.Images...)
		status := e.doImport(t, request).Status
		if status.Images[0].Image.Name != amd64Digest || status.Images[1].Image.Name != arm64Digest {
			t.Errorf("%s and %s", status.Images[0].Image.Name, status.Images[1].Image.Name)
		}
		got := e.get(t, "preferring").Spec.Tags[0]
		if !maps.Equal(got.Annotations, s.Spec.Tags[0].Annotations) || got.From.Name != host+"/x/y:v1" {
			t.Errorf("spec tag %+v", got)
		}
	})
}

func statusOf(t *testing.T, s *imagev1.ImageStream, tag string) imagev1.NamedTagEventList {
	t.Helper()
	for _, list := range s.Status.Tags {
		if list.Tag == tag {
			return list
		}
	}
	return imagev1.NamedTagEventList{}
}
