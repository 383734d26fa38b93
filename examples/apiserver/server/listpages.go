package server

import (
	"context"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

// listPage is the number of objects in a page, as clients choose it, too.
const listPage = 500

// GetList reads in pages what the client wants in one piece. Otherwise etcd, gRPC and
// its client hold four copies of all bytes before the first object is decoded. All
// pages are of one revision.
func (s guardedStorage) GetList(ctx context.Context, key string, opts storage.ListOptions, list runtime.Object) error {
	wanted := opts.Predicate.Limit
	if !opts.Recursive || wanted > 0 && (wanted <= listPage || !opts.Predicate.Empty()) {
		return s.Interface.GetList(ctx, key, opts, list)
	}
	err := s.getPages(ctx, key, opts, list)
	if apierrors.IsResourceExpired(err) && opts.Predicate.Continue == "" {
		// Somebody has compacted etcd between two pages.
		return s.Interface.GetList(ctx, key, opts, list)
	}
	return err
}

func (s guardedStorage) getPages(ctx context.Context, key string, opts storage.ListOptions, list runtime.Object) error {
	into, err := itemsOf(list)
	if err != nil {
		return err
	}
	items := reflect.MakeSlice(into.Type(), 0, 0) // the list stays as it is until all is there
	m := &measure{}
	read, seen := context.WithValue(ctx, measureKey{}, m), 0
	wanted, selected := opts.Predicate.Limit, opts.Predicate
	// A selector is applied here: storage would read ever larger pages until it has
	// found as many objects as a page has.
	opts.Predicate.Label, opts.Predicate.Field = labels.Everything(), fields.Everything()
	if wanted == 0 && opts.ResourceVersion != "" && opts.ResourceVersionMatch == "" {
		// With a limit, a resource version would be taken for the exact one.
		opts.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	empty := list.DeepCopyObject()
	for {
		opts.Predicate.Limit = listPage
		if wanted > 0 {
			opts.Predicate.Limit = min(listPage, wanted-int64(seen))
		}
		page := empty.DeepCopyObject()
		if err := s.Interface.GetList(read, key, opts, page); err != nil {
			return err
		}
		pageItems, err := itemsOf(page)
		if err != nil {
			return err
		}
		about, err := meta.ListAccessor(page)
		if err != nil {
			return err
		}
		items = appendMatching(items, pageItems, selected)
		seen += pageItems.Len()
		if next := about.GetContinue(); next == "" || wanted > 0 && int64(seen) >= wanted {
			into.Set(items)
			return describeList(list, about)
		} else if opts.Predicate.Continue = next; seen > 0 && seen == pageItems.Len() {
			all := int64(seen)
			if left := about.GetRemainingItemCount(); left != nil {
				all += *left
			}
			if wanted > 0 {
				all = min(all, wanted)
			}
			if err := holdList(ctx, m.read*all/int64(seen)); err != nil {
				return err
			}
		}
		// The token says which revision.
		opts.ResourceVersion, opts.ResourceVersionMatch = "", ""
	}
}

func itemsOf(list runtime.Object) (reflect.Value, error) {
	items, err := meta.GetItemsPtr(list)
	if err != nil {
		return reflect.Value{}, err
	}
	return reflect.ValueOf(items).Elem(), nil
}

func appendMatching(to, from reflect.Value, selected storage.SelectionPredicate) reflect.Value {
	if selected.Empty() {
		return reflect.AppendSlice(to, from)
	}
	for i := range from.Len() {
		object, ok := from.Index(i).Addr().Interface().(runtime.Object)
		// Storage passes over what cannot be matched, too.
		if matches, err := selected.Matches(object); ok && err == nil && matches {
			to = reflect.Append(to, from.Index(i))
		}
	}
	return to
}

// describeList says about the list what its last page says.
func describeList(list runtime.Object, last metav1.ListInterface) error {
	about, err := meta.ListAccessor(list)
	if err != nil {
		return err
	}
	about.SetResourceVersion(last.GetResourceVersion())
	about.SetContinue(last.GetContinue())
	about.SetRemainingItemCount(last.GetRemainingItemCount())
	return nil
}
