package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/storage"
)

// scripted is storage that gives the answers of a test, one after the other.
type scripted struct {
	storage.Interface
	asked   []storage.ListOptions
	answers []func(*corev1.ConfigMapList) error
}

func (s *scripted) GetList(_ context.Context, _ string, opts storage.ListOptions, list runtime.Object) error {
	s.asked = append(s.asked, opts)
	if len(s.answers) == 0 {
		return errors.New("asked too often")
	}
	answer := s.answers[0]
	s.answers = s.answers[1:]
	return answer(list.(*corev1.ConfigMapList))
}

// page answers with config maps of those names.
func page(next string, left int64, names ...string) func(*corev1.ConfigMapList) error {
	return func(list *corev1.ConfigMapList) error {
		list.ResourceVersion, list.Continue = "7", next
		if next != "" {
			list.RemainingItemCount = &left
		}
		for _, name := range names {
			list.Items = append(list.Items, corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}})
		}
		return nil
	}
}

func expired(*corev1.ConfigMapList) error { return apierrors.NewResourceExpired("compacted") }

func TestPages(t *testing.T) {
	t.Parallel()
	all := storage.Everything
	all.GetAttrs = func(object runtime.Object) (labels.Set, fields.Set, error) {
		return nil, fields.Set{"metadata.name": object.(*corev1.ConfigMap).Name}, nil
	}
	limited := func(limit int64) storage.SelectionPredicate {
		p := all
		p.Limit = limit
		return p
	}
	selected := func(limit int64) storage.SelectionPredicate {
		p := limited(limit)
		p.Field = fields.OneTermNotEqualSelector("metadata.name", "b")
		return p
	}
	continued := all
	continued.Continue = "one"
	for _, c := range []struct {
		name    string
		opts    storage.ListOptions
		answers []func(*corev1.ConfigMapList) error
		want    []string // names, then the token
		// asked is limit, token, resource version and match of each page.
		asked []string
	}{
		{"one page", storage.ListOptions{Recursive: true, Predicate: all},
			[]func(*corev1.ConfigMapList) error{page("", 0, "a")}, []string{"a", ""}, []string{"500   "}},
		{"three pages", storage.ListOptions{Recursive: true, Predicate: all},
			[]func(*corev1.ConfigMapList) error{page("one", 2, "a"), page("two", 1, "b"), page("", 0, "c")},
			[]string{"a", "b", "c", ""}, []string{"500   ", "500 one  ", "500 two  "}},
		{"nothing", storage.ListOptions{Recursive: true, Predicate: all},
			[]func(*corev1.ConfigMapList) error{page("", 0)}, []string{""}, []string{"500   "}},
		{"not older than, as without a limit", storage.ListOptions{Recursive: true, Predicate: all, ResourceVersion: "5"},
			[]func(*corev1.ConfigMapList) error{page("one", 1, "a"), page("", 0, "b")}, []string{"a", "b", ""}, []string{"500  5 NotOlderThan", "500 one  "}},
		{"exactly that version", storage.ListOptions{Recursive: true, Predicate: all, ResourceVersion: "5", ResourceVersionMatch: metav1.ResourceVersionMatchExact},
			[]func(*corev1.ConfigMapList) error{page("one", 1, "a"), page("", 0, "b")}, []string{"a", "b", ""}, []string{"500  5 Exact", "500 one  "}},
		{"the rest", storage.ListOptions{Recursive: true, Predicate: continued},
			[]func(*corev1.ConfigMapList) error{page("two", 1, "b"), page("", 0, "c")}, []string{"b", "c", ""}, []string{"500 one  ", "500 two  "}},
		{"a selector, applied here", storage.ListOptions{Recursive: true, Predicate: selected(0)},
			[]func(*corev1.ConfigMapList) error{page("one", 1, "a", "b"), page("", 0, "c")}, []string{"a", "c", ""}, []string{"500   ", "500 one  "}},
		{"a long limit", storage.ListOptions{Recursive: true, Predicate: limited(502)},
			[]func(*corev1.ConfigMapList) error{page("one", 500, slices.Repeat([]string{"a"}, 500)...), page("two", 498, "b", "c")},
			append(slices.Repeat([]string{"a"}, 500), "b", "c", "two"), []string{"500   ", "2 one  "}},
		{"a limit, left to storage", storage.ListOptions{Recursive: true, Predicate: limited(10)},
			[]func(*corev1.ConfigMapList) error{page("one", 1, "a")}, []string{"a", "one"}, []string{"10   "}},
		{"a limit and a selector, left to storage", storage.ListOptions{Recursive: true, Predicate: selected(1000), ResourceVersion: "5"},
			[]func(*corev1.ConfigMapList) error{page("one", 1, "a")}, []string{"a", "one"}, []string{"1000  5 "}},
		{"one object, left to storage", storage.ListOptions{Predicate: all},
			[]func(*corev1.ConfigMapList) error{page("", 0, "a")}, []string{"a", ""}, []string{"0   "}},
		{"compacted between pages", storage.ListOptions{Recursive: true, Predicate: all},
			[]func(*corev1.ConfigMapList) error{page("one", 1, "a"), expired, page("", 0, "a", "b")}, []string{"a", "b", ""}, []string{"500   ", "500 one  ", "0   "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			stored := &scripted{answers: c.answers}
			var list corev1.ConfigMapList
			if err := (guardedStorage{Interface: stored}).GetList(t.Context(), "/x", c.opts, &list); err != nil {
				t.Fatal(err)
			}
			var got, asked []string
			for _, item := range list.Items {
				got = append(got, item.Name)
			}
			for _, o := range stored.asked {
				asked = append(asked, fmt.Sprintf("%d %s %s %s", o.Predicate.Limit, o.Predicate.Continue, o.ResourceVersion, o.ResourceVersionMatch))
			}
			if got = append(got, list.Continue); !slices.Equal(got, c.want) || list.ResourceVersion != "7" || list.Items == nil {
				t.Errorf("got %q at %q, want %q at 7", got, list.ResourceVersion, c.want)
			}
			if (list.RemainingItemCount == nil) != (list.Continue == "") {
				t.Errorf("%v objects remain after the token %q", list.RemainingItemCount, list.Continue)
			}
			if !slices.Equal(asked, c.asked) {
				t.Errorf("asked for %q, want %q", asked, c.asked)
			}
		})
	}
}

// TestExpiredToken holds that a token of the client's own, once it is too old, is not
// taken for a new list.
func TestExpiredToken(t *testing.T) {
	t.Parallel()
	predicate := storage.Everything
	predicate.Continue = "old"
	stored := &scripted{answers: []func(*corev1.ConfigMapList) error{expired}}
	err := guardedStorage{Interface: stored}.GetList(t.Context(), "/x", storage.ListOptions{Recursive: true, Predicate: predicate}, &corev1.ConfigMapList{})
	if !apierrors.IsResourceExpired(err) || len(stored.asked) != 1 {
		t.Errorf("got %v after %d questions, want that it has expired", err, len(stored.asked))
	}
}

// TestListBudget holds that long lists wait for one another and for no longer than
// their time, and that a list which ends in whatever way makes room.
func TestListBudget(t *testing.T) {
	t.Parallel()
	b := &listBudget{room: semaphore.NewWeighted(listRoom), wait: 50 * time.Millisecond}
	// serve is a request whose list has that many bytes; meanwhile runs before it ends.
	serve := func(verb string, bytes int64, meanwhile func()) (err error) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r = r.WithContext(request.WithRequestInfo(r.Context(), &request.RequestInfo{Verb: verb}))
		defer func() { _ = recover() }()
		b.tickets(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if err = holdList(r.Context(), bytes); err == nil {
				err = holdList(r.Context(), bytes) // of the same request
			}
			meanwhile()
		})).ServeHTTP(httptest.NewRecorder(), r)
		return err
	}
	nothing := func() {}
	for _, verb := range []string{"list", "deletecollection"} {
		err := serve(verb, 2*listRoom, func() { // the largest there may be is alone
			if err := serve(verb, 1, nothing); !apierrors.IsTooManyRequests(err) {
				t.Errorf("%s beside one that fills the room: %v, want 429", verb, err)
			} else if seconds, ok := apierrors.SuggestsClientDelay(err); !ok || seconds < 1 {
				t.Errorf("%s: no Retry-After", verb)
			}
			if err := serve("watch", listRoom, nothing); err != nil {
				t.Errorf("what is no list: %v", err)
			}
		})
		if err != nil {
			t.Errorf("%s alone: %v", verb, err)
		}
	}
	if err := serve("list", listRoom, func() { panic(http.ErrAbortHandler) }); err != nil {
		t.Error(err)
	}
	if err := serve("list", listRoom/2, func() {
		if err := serve("list", listRoom/2, nothing); err != nil {
			t.Errorf("two that fit: %v", err)
		}
	}); err != nil {
		t.Errorf("after one that panicked: %v", err)
	}
	if b.mu.Lock(); b.held != 0 || b.idle == nil {
		t.Errorf("%d lists are still held, memory to be returned: %v", b.held, b.idle != nil)
	}
	b.mu.Unlock()
}
