package main

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	imagev1 "github.com/openshift/api/image/v1"
)

func imageStreams() client.ObjectList { return &imagev1.ImageStreamList{} }

// objects are the items of a list.
func objects(t *testing.T, list client.ObjectList) (all []client.Object) {
	t.Helper()
	items, err := meta.ExtractList(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		all = append(all, item.(client.Object))
	}
	return all
}
