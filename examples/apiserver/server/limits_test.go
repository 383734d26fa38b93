package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/testimages"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

// TestLimits has an apiserver for what clients can overdo.
func TestLimits(t *testing.T) {
	t.Parallel()
	// Megabytes of JSON take the race detector minutes.
	e := boot(t, legacy, func(o *launch.Options) { o.Command = testserver.Command(t) })
	t.Run("large objects", func(t *testing.T) { testLargeObjects(t, e) })
	t.Run("large bodies", func(t *testing.T) { testLargeBodies(t, e) })
	t.Run("growing objects", func(t *testing.T) { testGrowingObjects(t, e) })
	t.Run("large imports", func(t *testing.T) { testLargeImports(t, e) })
	t.Run("wrong tokens", func(t *testing.T) { testWrongTokens(t, e) }) // stops the server
}

// fat is a tag of about that size.
func fat(name string, size int) imagev1.TagReference {
	reference := tag(name, legacy)
	reference.Annotations = map[string]string{"fat": strings.Repeat("x", size)}
	return reference
}

// patch is a merge patch.
func patch(content string, args ...any) client.Patch {
	return client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, content, args...))
}

// tooLarge wants 422 and a message with both sizes, in words of the server itself.
func tooLarge(t *testing.T, what string, err error) {
	t.Helper()
	status, ok := err.(apierrors.APIStatus)
	if !ok || status.Status().Code != http.StatusUnprocessableEntity || !apierrors.IsInvalid(err) {
		t.Errorf("%s: %.300v, want 422", what, err)
		return
	}
	message := status.Status().Message
	if !strings.Contains(message, "too large to be stored") || !strings.Contains(message, "1572864") || strings.Contains(message, "rpc error") || len(message) > 500 {
		t.Errorf("%s: %q does not say the limit in plain words", what, message)
	}
}

func testLargeObjects(t *testing.T, e *env) {
	ctx := t.Context()
	thin := e.create(t, stream("thin", tag("a", legacy)))
	before := e.stored(t, "thin")
	// etcd refuses the first size, its client the second.
	for _, size := range []int{1_600_000, 2_500_000} {
		filling := strings.Repeat("x", size)
		large := thin.DeepCopy()
		large.Spec.Tags = append(large.Spec.Tags, fat("b", size))
		imported := thin.DeepCopy()
		imported.Status.Tags = []imagev1.NamedTagEventList{{Tag: "a", Items: []imagev1.TagEvent{{Created: metav1.Now(), DockerImageReference: filling}}}}
		applied := stream("thin", fat("b", size))
		applied.TypeMeta = metav1.TypeMeta{APIVersion: "image.openshift.io/v1", Kind: "ImageStream"}
		appliedBytes, err := json.Marshal(applied)
		if err != nil {
			t.Fatal(err)
		}
		jsonPatch := fmt.Appendf(nil, `[{"op": "add", "path": "/spec/tags/0/annotations", "value": {"fat": %q}}]`, filling)
		for what, err := range map[string]error{
			"create":              e.Create(ctx, stream("fat", fat("a", size))),
			"update":              e.Update(ctx, large),
			"merge patch":         e.Patch(ctx, thin.DeepCopy(), patch(`{"spec": {"lookupPolicy": {"local": true}, "dockerImageRepository": "quay.example.com/x/y", "tags": [{"name": "a", "annotations": {"fat": %q}}]}}`, filling)),
			"JSON patch":          e.Patch(ctx, thin.DeepCopy(), client.RawPatch("application/json-patch+json", jsonPatch)),
			"apply":               e.Patch(ctx, stream("thin"), client.RawPatch("application/apply-patch+yaml", appliedBytes), client.FieldOwner("test"), client.ForceOwnership),
			"apply of a new one":  e.Patch(ctx, stream("fat"), client.RawPatch("application/apply-patch+yaml", []byte(strings.Replace(string(appliedBytes), "thin", "fat", 1))), client.FieldOwner("test")),
			"status":              e.Status().Update(ctx, imported),
			"config map":          e.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "demo", Name: "fat"}, Data: map[string]string{"fat": filling}}),
			"custom resource":     e.Create(ctx, &mcfgv1.MachineConfig{ObjectMeta: metav1.ObjectMeta{Name: "fat"}, Spec: mcfgv1.MachineConfigSpec{Config: runtime.RawExtension{Raw: fmt.Appendf(nil, `{"fat": %q}`, filling)}}}),
			"resource definition": e.Create(ctx, fatDefinition(filling)),
		} {
			tooLarge(t, fmt.Sprintf("%s of %d bytes", what, size), err)
		}
	}
	if after := e.stored(t, "thin"); after != before {
		t.Errorf("what was refused changed the stream: %.300s", after)
	}
	if err := e.Get(ctx, client.ObjectKey{Namespace: "demo", Name: "fat"}, stream("")); !apierrors.IsNotFound(err) {
		t.Errorf("a stream that was refused: %v, want 404", err)
	}
}

func tagObject(name string, reference imagev1.TagReference) *imagev1.ImageStreamTag {
	return &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Namespace: "demo", Name: name, Annotations: reference.Annotations}, Tag: &reference}
}

func fatDefinition(filling string) client.Object {
	preserve := true
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "fats.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: apiextensionsv1.ClusterScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "fats", Singular: "fat", Kind: "Fat", ListKind: "FatList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{
				OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", Description: filling, XPreserveUnknownFields: &preserve},
			}}},
		},
	}
}

// testLargeBodies sends more than a request may have.
func testLargeBodies(t *testing.T, e *env) {
	e.create(t, stream("body", tag("a", legacy)))
	body := fmt.Sprintf(`{"apiVersion": "image.openshift.io/v1", "kind": "ImageStream", "metadata": {"name": "body", "namespace": "demo", "labels": {"x": "%s"}}}`, strings.Repeat("x", 4<<20))
	const streams = "/apis/image.openshift.io/v1/namespaces/demo/imagestreams"
	for _, c := range []struct{ method, path, contentType string }{
		{http.MethodPost, streams, "application/json"},
		{http.MethodPut, streams + "/body", "application/json"},
		{http.MethodPatch, streams + "/body", "application/merge-patch+json"},
		{http.MethodPatch, streams + "/body?fieldManager=x", "application/apply-patch+yaml"},
		{http.MethodPost, "/apis/image.openshift.io/v1/namespaces/demo/imagestreamimports", "application/json"},
		{http.MethodPost, "/apis/machineconfiguration.openshift.io/v1/machineconfigs", "application/json"},
	} {
		code, answer := sendAs(t, e.Config(), c.method, c.path, c.contentType, body)
		if code != http.StatusRequestEntityTooLarge || !strings.Contains(answer, "limit is 3145728") {
			t.Errorf("%s %s: %d %.300s, want 413 and the limit", c.method, c.path, code, answer)
		}
	}
}

// testGrowingObjects adds to a stream, by tags and by events, until it is full.
func testGrowingObjects(t *testing.T, e *env) {
	const step, most = 250_000, 10 // an image stream tag may have no more annotations
	add := map[string]func(name string) error{
		"by tags": func(name string) error { return e.Create(t.Context(), tagObject("tags:"+name, fat(name, step))) },
		"by events": func(name string) error {
			s := e.get(t, "events")
			s.Status.Tags = append(s.Status.Tags, imagev1.NamedTagEventList{Tag: name, Items: []imagev1.TagEvent{{Created: metav1.Now(), DockerImageReference: strings.Repeat("x", step)}}})
			return e.Status().Update(t.Context(), s)
		},
	}
	e.create(t, stream("tags"))
	e.create(t, stream("events"))
	for how, grow := range add {
		var err error
		grown := 0
		for ; grown < most && err == nil; grown++ {
			err = grow(fmt.Sprintf("t%d", grown))
		}
		tooLarge(t, how, err)
		s := e.get(t, strings.TrimPrefix(how, "by "))
		if got := len(s.Spec.Tags) + len(s.Status.Tags); got != grown-1 || got < 3 {
			t.Errorf("%s: the stream has %d of them, want the %d that were taken", how, got, grown-1)
		}
		// It is full, and not stuck.
		if err := e.Patch(t.Context(), s, patch(`{"spec": {"tags": null}, "metadata": {"labels": {"still": "alive"}}}`)); err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
}

// testLargeImports imports into a full stream, and an image that is too large to be
// stored.
func testLargeImports(t *testing.T, e *env) {
	host := startRegistry(t, nil)
	e.trust(t, host)
	small := testimages.Image(t, "amd64", "small")
	config, err := small.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	config = config.DeepCopy()
	config.Config.Labels = map[string]string{"fat": strings.Repeat("x", 2_000_000)}
	large, err := mutate.ConfigFile(small, config)
	if err != nil {
		t.Fatal(err)
	}
	for name, image := range map[string]v1.Image{"small": small, "large": large} {
		testimages.Push(t, host+"/x/y:"+name, image)
	}

	full := e.create(t, stream("full", fat("a", 1_400_000)))
	full.Status.Tags = []imagev1.NamedTagEventList{{Tag: "a", Items: []imagev1.TagEvent{{Created: metav1.Now(), DockerImageReference: strings.Repeat("x", 160_000)}}}}
	if err := e.Status().Update(t.Context(), full); err != nil {
		t.Fatal(err)
	}
	before := e.stored(t, "full")
	request := importOf("full", "b", host+"/x/y:small", legacy)
	for i := range 100 {
		request.Spec.Images = append(request.Spec.Images, importOf("full", fmt.Sprintf("b%d", i), host+"/x/y:small", legacy).Spec.Images...)
	}
	tooLarge(t, "import into a full stream", e.Create(t.Context(), request))
	if e.stored(t, "full") != before {
		t.Error("what was refused changed the stream")
	}

	request = importOf("mixed", "large", host+"/x/y:large", legacy)
	request.Spec.Images = append(request.Spec.Images, importOf("mixed", "small", host+"/x/y:small", legacy).Spec.Images...)
	e.doImport(t, request)
	status := request.Status.Images[0].Status
	tooLarge(t, "an image", &apierrors.StatusError{ErrStatus: status})
	if got := request.Status.Images[1].Status.Status; got != metav1.StatusSuccess || request.Status.Images[1].Image == nil {
		t.Errorf("the other image: %q, want Success", got)
	}
	for _, history := range e.get(t, "mixed").Status.Tags {
		if failed := len(history.Conditions) == 1 && history.Conditions[0].Message == status.Message; failed != (history.Tag == "large") || failed == (len(history.Items) == 1) {
			t.Errorf("tag %s has the events %v and the conditions %v", history.Tag, history.Items, history.Conditions)
		}
	}
}

// testWrongTokens sends a thousand of them, and stops the server to see the whole log.
func testWrongTokens(t *testing.T, e *env) {
	const requests = 1000
	config := e.Config()
	config.BearerToken = strings.Repeat("0", len(config.BearerToken))
	config.NextProtos = []string{"http/1.1"} // of which a refusal does not end the connection
	before := logLines(t, e)
	c, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseIdleConnections()
	for range requests {
		response, err := c.Get(config.Host + "/apis/image.openshift.io/v1/imagestreams")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusUnauthorized {
			t.Fatalf("got %s, want 401", response.Status)
		}
	}
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	lines := logLines(t, e)[len(before):]
	if len(lines) > 3 {
		t.Errorf("%d wrong tokens made %d lines of log, the first ones %q", requests, len(lines), lines[:3])
	}
	log := strings.Join(lines, "\n")
	if !strings.Contains(log, "requests=999") || !strings.Contains(log, `"127.0.0.1"`) || strings.Contains(log, config.BearerToken) {
		t.Errorf("the log does not tell of all %d requests, of who sent them, or tells the token:\n%s", requests, log)
	}
}

func logLines(t *testing.T, e *env) []string {
	t.Helper()
	content, err := os.ReadFile(e.LogFile())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(content)), "\n")
}
