package server

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
)

// Watch reads in pages what a watch begins with, if it begins with all that is there:
// storage would read 10,000 objects at a time, and hold them until the client has them.
// A page is a long list's first one, which needs no room (listbudget.go).
func (s guardedStorage) Watch(ctx context.Context, key string, opts storage.ListOptions) (watch.Interface, error) {
	if !opts.Recursive || !beginsWithAll(opts) {
		return s.Interface.Watch(ctx, key, opts)
	}
	ctx, stop := context.WithCancel(ctx)
	w := &pagedWatch{storage: s, key: key, opts: opts, stop: stop, events: make(chan watch.Event)}
	page, err := w.page(ctx, "")
	if err != nil {
		stop()
		return nil, err
	}
	go w.run(ctx, page)
	return w, nil
}

// beginsWithAll is areInitialEventsRequired of k8s.io/apiserver v0.36.6
// (pkg/storage/etcd3/watcher.go).
func beginsWithAll(opts storage.ListOptions) bool {
	if opts.SendInitialEvents != nil {
		return *opts.SendInitialEvents
	}
	return opts.ResourceVersion == "" || opts.ResourceVersion == "0"
}

// A pagedWatch tells of what is there, and then of what happens.
type pagedWatch struct {
	storage guardedStorage
	key     string
	opts    storage.ListOptions
	stop    context.CancelFunc
	events  chan watch.Event
}

func (w *pagedWatch) Stop()                          { w.stop() }
func (w *pagedWatch) ResultChan() <-chan watch.Event { return w.events }

// page reads some of what is there, of one revision in all pages.
func (w *pagedWatch) page(ctx context.Context, next string) (runtime.Object, error) {
	opts := storage.ListOptions{Recursive: true, Predicate: w.opts.Predicate}
	opts.Predicate.Label, opts.Predicate.Field = labels.Everything(), fields.Everything()
	opts.Predicate.Limit, opts.Predicate.Continue = listPage, next
	page := w.storage.newList()
	return page, w.storage.Interface.GetList(ctx, w.key, opts, page)
}

func (w *pagedWatch) run(ctx context.Context, page runtime.Object) {
	defer close(w.events)
	defer w.stop()
	err := w.tell(ctx, page)
	if err == nil || ctx.Err() != nil {
		return
	}
	status, ok := err.(apierrors.APIStatus)
	if !ok {
		status = apierrors.NewInternalError(err)
	}
	answer := status.Status()
	w.send(ctx, watch.Event{Type: watch.Error, Object: &answer})
}

// tell sends pages from that one on, the bookmark that ends them, and what follows.
func (w *pagedWatch) tell(ctx context.Context, page runtime.Object) error {
	for pages := 1; ; pages++ {
		about, err := meta.ListAccessor(page)
		if err != nil {
			return err
		}
		items, err := itemsOf(page)
		if err != nil {
			return err
		}
		matching := appendMatching(items.Slice(0, 0), items, w.opts.Predicate)
		for i := range matching.Len() {
			w.send(ctx, watch.Event{Type: watch.Added, Object: matching.Index(i).Addr().Interface().(runtime.Object)})
		}
		if about.GetContinue() == "" {
			if pages > 1 {
				watchBegun(ctx)
			}
			return w.follow(ctx, about.GetResourceVersion())
		}
		if page, err = w.page(ctx, about.GetContinue()); err != nil {
			return err
		}
	}
}

// follow passes on what happens after that version.
func (w *pagedWatch) follow(ctx context.Context, version string) error {
	opts := w.opts
	opts.ResourceVersion, opts.ResourceVersionMatch, opts.SendInitialEvents = version, "", nil
	then, err := w.storage.Interface.Watch(ctx, w.key, opts)
	if err != nil {
		return err
	}
	defer then.Stop()
	if w.opts.SendInitialEvents != nil && w.opts.Predicate.AllowWatchBookmarks {
		end := w.storage.newObject()
		if err := storage.AnnotateInitialEventsEndBookmark(end); err != nil {
			return err
		}
		about, err := meta.Accessor(end)
		if err != nil {
			return err
		}
		about.SetResourceVersion(version)
		w.send(ctx, watch.Event{Type: watch.Bookmark, Object: end})
	}
	for {
		select {
		case event, ok := <-then.ResultChan():
			if !ok {
				return nil
			}
			w.send(ctx, event)
		case <-ctx.Done():
			return nil
		}
	}
}

// send waits for the client, or for its end.
func (w *pagedWatch) send(ctx context.Context, event watch.Event) {
	select {
	case w.events <- event:
	case <-ctx.Done():
	}
}
