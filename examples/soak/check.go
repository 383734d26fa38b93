package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// servedAsStored is the invariant that a read shows what etcd holds.
const servedAsStored = "a read shows what is stored"

// streams reads all streams that writers write.
func streams(ctx context.Context, c client.Client) (map[string]*stream, error) {
	var list imagev1.ImageStreamList
	if err := c.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return nil, err
	}
	all := map[string]*stream{}
	for i := range list.Items {
		all[list.Items[i].Name] = read(&list.Items[i])
	}
	return all, nil
}

// storedStreams reads them past the API server.
func storedStreams(ctx context.Context, etcd *clientv3.Client) (map[string]*stream, int64, error) {
	prefix := launch.StoragePrefix + "/image.openshift.io/imagestreams/" + namespace + "/"
	answer, err := etcd.Get(ctx, prefix, clientv3.WithPrefix())
	if err != nil {
		return nil, 0, err
	}
	all := map[string]*stream{}
	for _, kv := range answer.Kvs {
		is := &imagev1.ImageStream{}
		if err := json.Unmarshal(kv.Value, is); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", kv.Key, err)
		}
		is.ResourceVersion = strconv.FormatInt(kv.ModRevision, 10)
		all[strings.TrimPrefix(string(kv.Key), prefix)] = read(is)
	}
	return all, answer.Header.Revision, nil
}

// compareServed holds what the API server shows against what is stored.
func compareServed(served, stored map[string]*stream) (wrong []violation) {
	names := maps.Clone(served)
	maps.Copy(names, stored)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !same(served[name], stored[name]) {
			wrong = append(wrong, violation{servedAsStored, name, "imagestream", fmt.Sprintf("%+v", stored[name]), fmt.Sprintf("%+v", served[name])})
		}
	}
	return wrong
}

// pointsToImages is the invariant that whatever a tag points to is there.
const pointsToImages = "the image of a tag is stored, with all that its list lists"

// compareImages looks for the image of each tag, and for the images of its list. Lists
// has the digests that a list lists.
func compareImages(stored map[string]*stream, images map[string]bool, lists map[string][]string) (wrong []violation) {
	for _, name := range slices.Sorted(maps.Keys(stored)) {
		for _, t := range slices.Sorted(maps.Keys(stored[name].tags)) {
			image := stored[name].tags[t].image
			if image == "" {
				continue
			}
			for _, digest := range append([]string{image}, lists[image]...) {
				if !images[digest] {
					wrong = append(wrong, violation{pointsToImages, name, "status.tags[" + t + "]", digest, "no such image"})
				}
			}
		}
	}
	return wrong
}

// check holds all invariants while nothing is written, and takes the samples.
func (s *soak) check(ctx context.Context) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.server.mu.Lock() // so that it is not ended in the middle
	defer s.server.mu.Unlock()
	s.checks++

	// etcd carries out a write that it has given up on for being late, later. What is
	// written here goes through the same log: what comes before it and got no answer is
	// in the store by then, or will never be.
	if _, err := s.etcd.Put(ctx, "/soak/barrier", ""); err != nil {
		return err
	}
	stored, revision, err := storedStreams(ctx, s.etcd)
	if err != nil {
		return err
	}
	served, err := streams(ctx, s.api)
	if err != nil {
		return err
	}
	s.violate(compareServed(served, stored)...)
	wrong, _ := s.journal.settle(stored)
	s.violate(wrong...)
	var list imagev1.ImageList
	if err := s.api.List(ctx, &list); err != nil {
		return err
	}
	images, lists := map[string]bool{}, map[string][]string{}
	for i := range list.Items {
		images[list.Items[i].Name] = true
	}
	for _, c := range s.catalogs {
		maps.Copy(lists, c.children)
	}
	s.violate(compareImages(stored, images, lists)...)
	if err := s.checkAudit(ctx, stored); err != nil {
		return err
	}
	// Events are all that would grow without end, and history: an API server compacts
	// only every five minutes, and not if it is killed before.
	for _, ns := range []string{metav1.NamespaceDefault, namespace, buildplan.Namespace, ssp.GoldenImages} {
		if err := s.api.DeleteAllOf(ctx, &corev1.Event{}, client.InNamespace(ns)); err != nil {
			return err
		}
	}
	if revision > s.compacted {
		if _, err := s.etcd.Compact(ctx, revision, clientv3.WithCompactPhysical()); err != nil {
			return err
		}
		s.compacted = revision
	}
	return s.sample(ctx)
}
