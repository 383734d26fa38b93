package server_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// from makes a tag of another kind than tag does.
func from(kind, name string) imagev1.TagReference {
	t := tag("a", "")
	t.From = &corev1.ObjectReference{Kind: kind, Name: name}
	return t
}

func with(t imagev1.TagReference, change func(*imagev1.TagReference)) imagev1.TagReference {
	change(&t)
	return t
}

// TestNamesAndContent holds what openshift-apiserver refuses, and what it takes.
func TestNamesAndContent(t *testing.T) {
	t.Parallel()
	e := boot(t, preserve)
	e.create(t, stream("other", tag("v1", "")))
	e.importStatus(t, "other", "v1")
	long := strings.Repeat("a", 300)
	named := func(name string) *imagev1.ImageStream { return stream(name, tag("a", "")) }
	one := func(tag imagev1.TagReference) *imagev1.ImageStream { return stream("one", tag) }
	of := func(repository string) *imagev1.ImageStream {
		s := stream("one")
		s.Spec.DockerImageRepository = repository
		return s
	}
	const tagAt = "spec.tags[a]"
	for name, c := range map[string]struct {
		stream *imagev1.ImageStream
		field  string // empty: it is taken
	}{
		"stream in upper case":                 {named("UPPER"), "metadata.name"},
		"stream with a colon":                  {named("a:b"), "metadata.name"},
		"stream with a blank":                  {named("a b"), "metadata.name"},
		"stream with two dots":                 {named("a..b"), "metadata.name"},
		"stream of 300 characters":             {named(long), "metadata.name"},
		"stream, namespace/name of 256":        {named(long[:251]), "metadata.name"},
		"stream, namespace/name of 255":        {named(long[:250]), ""},
		"stream with a dot and a dash":         {named("a.b-c"), ""},
		"tag above its stream":                 {one(tag("../../y", "")), "spec.tags[0].name"},
		"tag with a slash":                     {one(tag("a/b", "")), "spec.tags[0].name"},
		"tag with a colon":                     {one(tag("a:b", "")), "spec.tags[0].name"},
		"tag with an at sign":                  {one(tag("a@b", "")), "spec.tags[0].name"},
		"tag of 129 characters":                {one(with(from("DockerImage", "x/y"), func(t *imagev1.TagReference) { t.Name = long[:129] })), "spec.tags[0].name"},
		"tag of 128 characters":                {one(with(from("DockerImage", "x/y"), func(t *imagev1.TagReference) { t.Name = long[:128] })), ""},
		"tag in upper case, with a dot":        {one(tag("V1.2_3-x", "")), ""},
		"kind that is none":                    {one(from("Foo", "x/y:v1")), tagAt + ".from.kind"},
		"no kind":                              {one(from("", "x/y:v1")), tagAt + ".from.kind"},
		"no name":                              {one(from("DockerImage", "")), tagAt + ".from.name"},
		"reference in upper case":              {one(from("DockerImage", "quay.example.com/X/y:v1")), tagAt + ".from.name"},
		"reference with a blank":               {one(from("DockerImage", "x/y :v1")), tagAt + ".from.name"},
		"reference with tag and digest":        {one(from("DockerImage", "quay.example.com:5000/x/y:v1@"+digest)), ""},
		"two colons in a tag's name":           {one(from("ImageStreamTag", "a:b:c")), tagAt + ".from.name"},
		"two at signs in an image's name":      {one(from("ImageStreamImage", "a@b@c")), tagAt + ".from.name"},
		"image of a stream":                    {one(from("ImageStreamImage", "other@"+digest)), ""},
		"image that the stream does not have":  {one(from("ImageStreamImage", "other@sha256:ffff")), tagAt + ".from.name"},
		"tag of a stream, without an image":    {one(from("ImageStreamTag", "other:v2")), ""},
		"tag of no stream":                     {one(from("ImageStreamTag", "none:v1")), tagAt + ".from.name"},
		"another tag, scheduled":               {one(with(from("ImageStreamTag", "b"), func(t *imagev1.TagReference) { t.ImportPolicy.Scheduled = true })), tagAt + ".importPolicy.scheduled"},
		"image, scheduled":                     {one(with(tag("a", ""), func(t *imagev1.TagReference) { t.ImportPolicy.Scheduled = true })), ""},
		"reference policy that is none":        {one(with(tag("a", ""), func(t *imagev1.TagReference) { t.ReferencePolicy.Type = "Nope" })), tagAt + ".referencePolicy.type"},
		"local reference policy":               {one(with(tag("a", ""), func(t *imagev1.TagReference) { t.ReferencePolicy.Type = "Local" })), ""},
		"repository":                           {of("quay.example.com/x/y"), ""},
		"repository with a tag":                {of("quay.example.com/x/y:v1"), "spec.dockerImageRepository"},
		"repository with a digest":             {of("quay.example.com/x/y@" + digest), "spec.dockerImageRepository"},
		"repository that is no reference":      {of("https://quay.example.com/x/y"), "spec.dockerImageRepository"},
		"repository of half a million letters": {of(strings.Repeat("A", 500_000)), "spec.dockerImageRepository"},
	} {
		t.Run(name, func(t *testing.T) {
			err := e.Create(t.Context(), c.stream, client.DryRunAll)
			if c.field == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var status apierrors.APIStatus
			if !errors.As(err, &status) {
				t.Fatalf("got %v, want a refusal", err)
			}
			wantField(t, int(status.Status().Code), status.Status(), c.field)
			for _, cause := range status.Status().Details.Causes {
				if len(cause.Message) > 400 {
					t.Errorf("a message of %d bytes", len(cause.Message))
				}
			}
		})
	}
	for name, field := range map[string]string{"UPPER:v1": "metadata.name", "x:a%2Fb": "metadata.name", "x:-a": "metadata.name", "x:a@b": "metadata.name", "x:": "metadata.name"} {
		t.Run("image stream tag "+name, func(t *testing.T) {
			it := istag(name, "")
			it.Tag.Name, it.Tag.From.Name = "v1", "x/y:v1"
			wantInvalid(t, e.Create(t.Context(), it), field, metav1.CauseTypeFieldValueInvalid)
		})
	}
	t.Run("image stream tag, content", func(t *testing.T) {
		it := istag("x:v1", "")
		it.Tag.From.Kind = "Foo"
		wantInvalid(t, e.Create(t.Context(), it), "tag.from.kind", metav1.CauseTypeFieldValueRequired)
		it = istag("x:v1", "")
		it.Tag.ReferencePolicy.Type = "Nope"
		wantInvalid(t, e.Create(t.Context(), it), "tag.referencePolicy.type", metav1.CauseTypeFieldValueInvalid)
	})
}

// TestReferencePolicy holds that an omitted policy is Source, and that nothing
// which is stored without one is written for that.
func TestReferencePolicy(t *testing.T) {
	t.Parallel()
	e := boot(t, legacy)
	without := func(name string) imagev1.TagReference {
		return with(tag(name, legacy), func(t *imagev1.TagReference) { t.ReferencePolicy.Type = "" })
	}
	if got := e.create(t, stream("new", without("a"))).Spec.Tags[0].ReferencePolicy.Type; got != "Source" {
		t.Errorf("a stream: %q, want Source", got)
	}
	it := istag("tagged:v1", "")
	it.Tag.ReferencePolicy.Type = ""
	if err := e.Create(t.Context(), it); err != nil || it.Tag.ReferencePolicy.Type != "Source" {
		t.Errorf("an image stream tag: %v, %q, want Source", err, it.Tag.ReferencePolicy.Type)
	}

	old := stream("ancient", with(without("a"), func(t *imagev1.TagReference) { t.Generation = new(int64(1)) }))
	old.UID, old.Generation = "ancient", 1
	e.store(t, old)
	before := e.stored(t, "ancient")
	s := e.get(t, "ancient")
	s.Spec.Tags[0].ReferencePolicy.Type = ""
	if err := e.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	// Only the server ends a value with a newline.
	if got := strings.TrimSpace(e.stored(t, "ancient")); got != before {
		t.Errorf("stored without a policy (-before +after):\n%s", cmp.Diff(before, got))
	}
	s.Spec.Tags[0].ReferencePolicy.Type = "Source"
	if err := e.Update(t.Context(), s); err != nil || s.Generation != 1 {
		t.Errorf("%v; generation %d for a policy that means the same, want 1", err, s.Generation)
	}
	s.Spec.Tags[0].ReferencePolicy.Type = "Local"
	if err := e.Update(t.Context(), s); err != nil || s.Generation != 2 {
		t.Errorf("%v; generation %d for another policy, want 2", err, s.Generation)
	}
}

// TestStoredFlaws holds that a stream with flaws of old can be changed, and that
// a changed tag is held to the rules.
func TestStoredFlaws(t *testing.T) {
	t.Parallel()
	e := boot(t, legacy)
	flawed := stream("UPPER", tag("a/b", legacy), from("Foo", "X"), with(tag("c", legacy), func(t *imagev1.TagReference) { t.ReferencePolicy.Type = "Nope" }))
	flawed.UID, flawed.Spec.DockerImageRepository = "flawed", "https://x"
	e.store(t, flawed)
	s := e.get(t, "UPPER")
	s.Spec.LookupPolicy.Local = true
	s.Spec.Tags = append(s.Spec.Tags, tag("new", ""))
	if err := e.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	s.Spec.Tags[1].From.Name = "Y"
	wantInvalid(t, e.Update(t.Context(), s), "spec.tags[a].from.kind", metav1.CauseTypeFieldValueRequired)
	it := new(imagev1.ImageStreamTag)
	if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: "UPPER:c"}, it); err != nil {
		t.Fatal(err)
	}
	it.Annotations = map[string]string{"x": "y"}
	if err := e.Update(t.Context(), it); err != nil {
		t.Errorf("an annotation beside a stored flaw: %v", err)
	}
}

// TestUnconditionalUpdate holds that who writes has read.
func TestUnconditionalUpdate(t *testing.T) {
	t.Parallel()
	e := boot(t, legacy)
	s := e.create(t, stream("a", tag("a", "")))
	before := e.stored(t, "a")
	for _, path := range []string{"imagestreams/a", "imagestreams/a/status"} {
		blind := s.DeepCopy()
		blind.ResourceVersion, blind.Spec.Tags = "", nil
		blind.TypeMeta = metav1.TypeMeta{APIVersion: "image.openshift.io/v1", Kind: "ImageStream"}
		body, err := json.Marshal(blind)
		if err != nil {
			t.Fatal(err)
		}
		code, answer := e.do(t, http.MethodPut, imageAPI+path, string(body))
		if code != http.StatusUnprocessableEntity || !strings.Contains(answer, "metadata.resourceVersion") {
			t.Errorf("%s: %d %s, want 422 for metadata.resourceVersion", path, code, answer)
		}
	}
	if got := e.stored(t, "a"); got != before {
		t.Errorf("stored after it was refused: %s, want %s", got, before)
	}
}
