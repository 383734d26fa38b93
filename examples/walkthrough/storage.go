package main

import (
	"context"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/polyarch/polyarch/examples/apiserver/server"
)

// A record is an object as it stands in etcd.
type record struct {
	Value    string
	Revision int64 // of the last write
}

// key returns where an object is stored: group, resource, namespace if it has
// one, name.
func key(parts ...string) string {
	k := server.StoragePrefix
	for _, p := range parts {
		k += "/" + p
	}
	return k
}

// stored reads an object from etcd, past the API server.
func (w *world) stored(ctx context.Context, key string) (record, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	resp, err := w.etcd.Get(ctx, key)
	if err != nil {
		return record{}, err
	}
	if len(resp.Kvs) != 1 {
		return record{}, fmt.Errorf("etcd holds no %s", key)
	}
	return record{string(resp.Kvs[0].Value), resp.Kvs[0].ModRevision}, nil
}

// mustStored is stored within a step; a failure makes the step not as expected.
func (w *world) mustStored(ctx context.Context, s *step, key string) record {
	r, err := w.stored(ctx, key)
	if err != nil {
		s.ok = false
		s.note("%v", err)
	}
	return r
}

// rewrite changes an object in etcd, past the API server and all its checks.
func (w *world) rewrite(ctx context.Context, key string, edit func(stored string) string) error {
	was, err := w.stored(ctx, key)
	if err != nil {
		return err
	}
	now := edit(was.Value)
	if now == was.Value {
		return fmt.Errorf("%s: nothing to rewrite in %s", key, was.Value)
	}
	_, err = w.etcd.Put(ctx, key, now)
	return err
}

// history returns what read finds in every state that the object had in etcd
// after revision, oldest first, with repetitions left out.
func (w *world) history(ctx context.Context, key string, revision int64, read func([]byte) (string, error)) ([]string, error) {
	last, err := w.stored(ctx, key)
	if err != nil {
		return nil, err
	}
	var values []string
	if last.Revision <= revision {
		return values, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for resp := range w.etcd.Watch(ctx, key, clientv3.WithRev(revision+1)) {
		if err := resp.Err(); err != nil {
			return nil, err
		}
		for _, e := range resp.Events {
			v, err := read(e.Kv.Value)
			if err != nil {
				return nil, err
			}
			if len(values) == 0 || values[len(values)-1] != v {
				values = append(values, v)
			}
			if e.Kv.ModRevision >= last.Revision {
				return values, nil
			}
		}
	}
	return nil, ctx.Err()
}

// settle gives operators that ought to do nothing the time to do it. What they
// did meanwhile is in the history of the objects, so that nothing is missed.
func (w *world) settle(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Second):
		return nil
	}
}
