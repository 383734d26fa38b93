package server

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
)

// watched is scripted storage that can be watched.
type watched struct {
	scripted
	events  *watch.FakeWatcher
	follows []storage.ListOptions
}

func (s *watched) Watch(_ context.Context, _ string, opts storage.ListOptions) (watch.Interface, error) {
	s.follows = append(s.follows, opts)
	return s.events, nil
}

func newWatched(answers ...func(*corev1.ConfigMapList) error) (*watched, guardedStorage) {
	s := &watched{scripted: scripted{answers: answers}, events: watch.NewFake()}
	return s, guardedStorage{
		Interface: s,
		newObject: func() runtime.Object { return new(corev1.ConfigMap) },
		newList:   func() runtime.Object { return new(corev1.ConfigMapList) },
	}
}

// TestWatchPages holds that a watch which begins with all that is there reads no more
// than a page at a time, and tells what storage would.
func TestWatchPages(t *testing.T) {
	t.Parallel()
	all := storage.Everything
	all.AllowWatchBookmarks = true
	all.GetAttrs = func(object runtime.Object) (labels.Set, fields.Set, error) {
		return nil, fields.Set{"metadata.name": object.(*corev1.ConfigMap).Name}, nil
	}
	selected, unmarked := all, all
	selected.Field = fields.OneTermNotEqualSelector("metadata.name", "b")
	unmarked.AllowWatchBookmarks = false
	yes, no := true, false
	two := []func(*corev1.ConfigMapList) error{page("one", 2, "a", "b"), page("", 0, "c")}
	both := []string{"500 ", "500 one"}
	for _, c := range []struct {
		name    string
		opts    storage.ListOptions
		answers []func(*corev1.ConfigMapList) error
		want    []string // before what follows
		asked   []string // limit and token of each page
		follows string   // resource version and whether all is wanted again
	}{
		{"from nowhere", storage.ListOptions{Recursive: true, Predicate: all}, two, []string{"ADDED a", "ADDED b", "ADDED c"}, both, "7 false"},
		{"from zero", storage.ListOptions{Recursive: true, Predicate: all, ResourceVersion: "0"}, two, []string{"ADDED a", "ADDED b", "ADDED c"}, both, "7 false"},
		{"nothing is there", storage.ListOptions{Recursive: true, Predicate: all}, []func(*corev1.ConfigMapList) error{page("", 0)}, nil, both[:1], "7 false"},
		{"a selector, applied here", storage.ListOptions{Recursive: true, Predicate: selected}, two, []string{"ADDED a", "ADDED c"}, both, "7 false"},
		{"all is asked for", storage.ListOptions{Recursive: true, Predicate: all, ResourceVersion: "5", ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan, SendInitialEvents: &yes},
			two, []string{"ADDED a", "ADDED b", "ADDED c", "BOOKMARK 7 true"}, both, "7 false"},
		{"all, without bookmarks", storage.ListOptions{Recursive: true, Predicate: unmarked, SendInitialEvents: &yes}, two, []string{"ADDED a", "ADDED b", "ADDED c"}, both, "7 false"},
		{"only what is new, left to storage", storage.ListOptions{Recursive: true, Predicate: all, SendInitialEvents: &no}, nil, nil, nil, " true"},
		{"from a version on, left to storage", storage.ListOptions{Recursive: true, Predicate: all, ResourceVersion: "5"}, nil, nil, nil, "5 false"},
		{"one object, left to storage", storage.ListOptions{Predicate: all}, nil, nil, nil, " false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			stored, guarded := newWatched(c.answers...)
			w, err := guarded.Watch(t.Context(), "/x", c.opts)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Stop()
			go func() {
				stored.events.Modify(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "then"}})
				stored.events.Stop()
			}()
			var got, asked []string
			for event := range w.ResultChan() {
				object := event.Object.(*corev1.ConfigMap)
				line := fmt.Sprintf("%s %s", event.Type, object.Name)
				if event.Type == watch.Bookmark {
					line = fmt.Sprintf("%s %s %s", event.Type, object.ResourceVersion, object.Annotations[metav1.InitialEventsAnnotationKey])
				}
				got = append(got, line)
			}
			if want := append(slices.Clone(c.want), "MODIFIED then"); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			for _, o := range stored.asked {
				asked = append(asked, fmt.Sprintf("%d %s", o.Predicate.Limit, o.Predicate.Continue))
			}
			if !slices.Equal(asked, c.asked) {
				t.Errorf("asked for %q, want %q", asked, c.asked)
			}
			if len(stored.follows) != 1 || fmt.Sprint(stored.follows[0].ResourceVersion, " ", stored.follows[0].SendInitialEvents != nil) != c.follows {
				t.Errorf("goes on with %+v, want %q", stored.follows, c.follows)
			}
		})
	}
}

// TestWatchPagesEnd holds that a watch ends with what ends its pages, and with its client.
func TestWatchPagesEnd(t *testing.T) {
	t.Parallel()
	from := storage.ListOptions{Recursive: true, Predicate: storage.Everything}
	_, guarded := newWatched(expired)
	if _, err := guarded.Watch(t.Context(), "/x", from); !apierrors.IsResourceExpired(err) {
		t.Errorf("the first page fails: %v", err)
	}

	_, guarded = newWatched(page("one", 1, "a"), expired)
	w, err := guarded.Watch(t.Context(), "/x", from)
	if err != nil {
		t.Fatal(err)
	}
	var last watch.Event
	for event := range w.ResultChan() {
		last = event
	}
	if last.Type != watch.Error || !apierrors.IsResourceExpired(apierrors.FromObject(last.Object)) {
		t.Errorf("compacted between two pages: the last event is %+v", last)
	}

	for name, end := range map[string]func(watch.Interface, context.CancelFunc){
		"stopped":          func(w watch.Interface, _ context.CancelFunc) { w.Stop() },
		"the request ends": func(_ watch.Interface, cancel context.CancelFunc) { cancel() },
	} {
		_, guarded = newWatched(page("", 0, "a", "b", "c"))
		ctx, cancel := context.WithCancel(t.Context())
		if w, err = guarded.Watch(ctx, "/x", from); err != nil {
			t.Fatal(err)
		}
		<-w.ResultChan()
		end(w, cancel)
		timeout := time.After(30 * time.Second)
		for open := true; open; {
			select {
			case _, open = <-w.ResultChan():
			case <-timeout:
				t.Fatalf("%s, and it does not end", name)
			}
		}
		cancel()
	}
}
