package faults_test

import (
	"context"
	"sync"
	"testing"

	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A journal has what was acknowledged, and what was asked for besides: the value of an
// annotation by stream.
type journal struct {
	mu                  sync.Mutex
	acknowledged, asked map[string]string
}

func newJournal() *journal {
	return &journal{acknowledged: map[string]string{}, asked: map[string]string{}}
}

func stream(name, value string) *imagev1.ImageStream {
	return &imagev1.ImageStream{
		ObjectMeta: metav1.ObjectMeta{Namespace: "demo", Name: name, Annotations: map[string]string{"value": value}},
		Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{{
			Name: "a", From: &corev1.ObjectReference{Kind: "DockerImage", Name: "quay.example.com/x/y:a"},
		}}},
	}
}

// create asks for a stream, and notes the answer.
func (j *journal) create(ctx context.Context, c client.Client, name, value string) error {
	j.mu.Lock()
	j.asked[name] = value
	j.mu.Unlock()
	err := c.Create(ctx, stream(name, value))
	if err == nil {
		j.mu.Lock()
		j.acknowledged[name] = value
		j.mu.Unlock()
	}
	return err
}

// check wants all that was acknowledged, and nothing that nobody asked for.
func (j *journal) check(t *testing.T, c client.Client) {
	t.Helper()
	var list imagev1.ImageStreamList
	if err := c.List(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for i := range list.Items {
		found[list.Items[i].Name] = list.Items[i].Annotations["value"]
	}
	if len(j.acknowledged) == 0 {
		t.Error("nothing was acknowledged, so nothing is shown")
	}
	for name, value := range j.acknowledged {
		if got, ok := found[name]; !ok || got != value {
			t.Errorf("%s was acknowledged, and is there %v, as %.20q", name, ok, got)
		}
	}
	for name := range found {
		if _, ok := j.asked[name]; !ok {
			t.Errorf("%s is there and nobody asked for it", name)
		}
	}
}
