package ha_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"testing"
	"time"

	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	namespace = "demo"
	// pace is between two writes of a writer: what the test is about are the moments
	// of faults, not how much goes through.
	pace = 50 * time.Millisecond
	// attemptTimeout is when a writer gives a request up and asks the other server. The
	// servers themselves give a member of etcd up much earlier.
	attemptTimeout = 30 * time.Second
)

// A writer makes image streams, one after another, and does with each all that
// writes tags. It asks the servers in turn, as through a load balancer, and the next
// one after a failure.
type writer struct {
	*testing.T
	name    string
	servers []*apiServer
	journal *journal
	image   string // to import
	turn    int
}

// An operation does one thing through a server, and may find it done by an attempt
// whose answer was lost. It returns the tags that it was shown.
type operation func(ctx context.Context, s *apiServer) ([]imagev1.TagReference, error)

// startWriters runs writers until the function that is returned is called.
func startWriters(t *testing.T, servers []*apiServer, j *journal, image string, n int) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for i := range n {
		w := &writer{T: t, name: fmt.Sprintf("w%d", i), servers: servers, journal: j, image: image, turn: i}
		group.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				w.writeStream(ctx, fmt.Sprintf("%s-%d", w.name, n))
			}
		})
	}
	return func() {
		cancel()
		group.Wait()
	}
}

// writeStream has a client that names modes, and clients that know of none.
func (w *writer) writeStream(ctx context.Context, stream string) {
	key := client.ObjectKey{Namespace: namespace, Name: stream}
	given := map[string]mode{"legacy": legacy, "preserve": preserve}

	w.do(ctx, stream, []string{"plain", "legacy", "preserve"}, given, func(ctx context.Context, s *apiServer) ([]imagev1.TagReference, error) {
		object := &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: stream}}
		object.Spec.Tags = []imagev1.TagReference{reference("plain", ""), reference("legacy", legacy), reference("preserve", preserve)}
		err := s.Create(ctx, object)
		if apierrors.IsAlreadyExists(err) {
			err = s.Get(ctx, key, object)
		}
		return object.Spec.Tags, err
	})
	w.do(ctx, stream, []string{"added"}, nil, func(ctx context.Context, s *apiServer) ([]imagev1.TagReference, error) {
		object := new(imagev1.ImageStream)
		if err := s.Get(ctx, key, object); err != nil {
			return nil, err
		}
		if len(find(object.Spec.Tags, "added")) > 0 {
			return object.Spec.Tags, nil
		}
		object.Spec.Tags = append(object.Spec.Tags, reference("added", ""))
		err := s.Update(ctx, object)
		return object.Spec.Tags, err
	})
	w.do(ctx, stream, []string{"istag"}, nil, func(ctx context.Context, s *apiServer) ([]imagev1.TagReference, error) {
		object := imageStreamTag(stream, "istag")
		tag := reference("", "")
		object.Tag = &tag
		err := s.Create(ctx, object)
		if apierrors.IsAlreadyExists(err) {
			err = s.Get(ctx, client.ObjectKeyFromObject(object), object)
		}
		return []imagev1.TagReference{*object.Tag}, err
	})
	w.do(ctx, stream, nil, nil, func(ctx context.Context, s *apiServer) ([]imagev1.TagReference, error) {
		object := imageStreamTag(stream, "plain")
		if err := s.Get(ctx, client.ObjectKeyFromObject(object), object); err != nil {
			return nil, err
		}
		object.Tag.ImportPolicy.ImportMode = "" // this client does not know the field
		object.Tag.Annotations = map[string]string{"description": "updated"}
		err := s.Update(ctx, object)
		return []imagev1.TagReference{*object.Tag}, err
	})
	w.do(ctx, stream, []string{"imported"}, nil, func(ctx context.Context, s *apiServer) ([]imagev1.TagReference, error) {
		object := &imagev1.ImageStreamImport{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: stream}}
		object.Spec.Import = true
		object.Spec.Images = []imagev1.ImageImportSpec{{
			From: corev1.ObjectReference{Kind: "DockerImage", Name: w.image}, To: &corev1.LocalObjectReference{Name: "imported"},
			ImportPolicy: imagev1.TagImportPolicy{Insecure: true},
		}}
		if err := s.Create(ctx, object); err != nil {
			return nil, err
		}
		if status := object.Status.Images[0].Status; status.Status != metav1.StatusSuccess {
			w.Errorf("%s: import into %s: %s", s.name, stream, status.Message)
		}
		return object.Status.Import.Spec.Tags, nil
	})
	w.journal.askToRemove(stream, "added")
	if w.do(ctx, stream, nil, nil, func(ctx context.Context, s *apiServer) ([]imagev1.TagReference, error) {
		return nil, client.IgnoreNotFound(s.Delete(ctx, imageStreamTag(stream, "added")))
	}) {
		w.journal.removed(stream, "added")
	}
}

// do carries the operation out, by one server or the other, and writes down what was
// acknowledged. Tags are those that it makes, under the modes that are given. It
// reports whether it was done before ctx ended.
func (w *writer) do(ctx context.Context, stream string, tags []string, given map[string]mode, run operation) bool {
	w.journal.ask(stream, tags...)
	var possible []mode
	for ; ctx.Err() == nil; time.Sleep(pace) {
		s := w.servers[w.turn%len(w.servers)]
		w.turn++
		before := s.modesNow()
		attempt, cancel := context.WithTimeout(ctx, attemptTimeout)
		shown, err := run(attempt, s)
		cancel()
		possible = union(possible, before, s.modesNow())
		if err != nil {
			if ctx.Err() == nil && !isRetriable(err) {
				w.Errorf("%s: %s: a client would not try again after: %v", s.name, stream, err)
			}
			continue
		}
		w.journal.answered(s)
		for _, tag := range shown {
			for _, problem := range w.journal.acknowledge(s.name, stream, tag.Name, tag.ImportPolicy.ImportMode, given[tag.Name], possible) {
				w.Error(problem)
			}
		}
		return true
	}
	return false
}

// isRetriable knows what says that another attempt may succeed.
func isRetriable(err error) bool {
	return apierrors.IsServerTimeout(err) || apierrors.IsTimeout(err) || apierrors.IsTooManyRequests(err) || apierrors.IsServiceUnavailable(err) ||
		apierrors.IsConflict(err) || errors.As(err, new(*url.Error)) || errors.Is(err, context.DeadlineExceeded)
}

func reference(name string, m mode) imagev1.TagReference {
	return imagev1.TagReference{
		Name: name, From: &corev1.ObjectReference{Kind: "DockerImage", Name: "registry.example.com/image:latest"},
		ImportPolicy: imagev1.TagImportPolicy{ImportMode: m},
	}
}

func imageStreamTag(stream, tag string) *imagev1.ImageStreamTag {
	return &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: stream + ":" + tag}}
}

func find(tags []imagev1.TagReference, name string) []imagev1.TagReference {
	for i := range tags {
		if tags[i].Name == name {
			return tags[i : i+1]
		}
	}
	return nil
}

func union(sets ...[]mode) []mode {
	var all []mode
	for _, set := range sets {
		for _, m := range set {
			if len(all) == 0 || all[0] != m && all[len(all)-1] != m {
				all = append(all, m)
			}
		}
	}
	return all
}
