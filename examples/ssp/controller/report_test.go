package controller_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/ssp/controller"
)

// without returns a client for which a namespace does not exist: the reference
// apiserver asks for none, a cluster does.
func (s *site) without(t *testing.T, namespace string) client.Client {
	t.Helper()
	return s.intercepted(t, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.CreateOption) error {
			if obj.GetNamespace() == namespace {
				return apierrors.NewNotFound(corev1.Resource("namespaces"), namespace)
			}
			return c.Create(ctx, obj, opts...)
		},
	})
}

// One template in a namespace that is missing stops no other, and is told.
func testWriteFailures(t *testing.T, start starter) {
	s := start(t)
	lost := template("lost", "lost", "amd64,arm64")
	lost.Namespace = "nowhere"
	s.change(t, true, lost, template("fedora", "fedora", "amd64,arm64"))
	s.adapter = s.operator(s.without(t, "nowhere"))
	others := []string{
		"cron fedora-amd64 manages fedora-amd64",
		"cron fedora-arm64 manages fedora-arm64",
		"DataSource fedora leads to fedora-amd64",
	}
	for range 2 {
		if _, err := s.adapter.Reconcile(t.Context(), reconcile.Request{NamespacedName: s.key}); !apierrors.IsNotFound(err) {
			t.Errorf("reconcile: %v; want it to be tried again", err)
		}
		s.expect(t, "one namespace is missing", others...)
		s.expectCondition(t, "False", controller.ReasonWriteFailed)
		if _, _, message := s.condition(t); !strings.Contains(message, `Create DataSource nowhere/lost: namespaces "nowhere" not found`) {
			t.Errorf("the condition does not say what failed: %s", message)
		}
	}
	if diff := cmp.Diff([]string{"WriteFailed", "WriteFailed", "WriteFailed"}, s.saw()); diff != "" {
		t.Errorf("events, each told once, -want +got:\n%s", diff)
	}

	s.adapter.Client = s.Client
	s.settle(t)
	s.expect(t, "it is there",
		"cron lost-amd64 manages lost-amd64", "cron lost-arm64 manages lost-arm64", others[0], others[1],
		"DataSource lost leads to lost-amd64", others[2])
	s.expectCondition(t, "True", controller.ReasonAsExpected)
}

// forty templates, each with something to tell.
func forty() []dictexpand.Template {
	var all []dictexpand.Template
	for i := range 40 {
		all = append(all, template(fmt.Sprintf("t%02d", i), fmt.Sprintf("m%02d", i), "amd64,riscv64"))
	}
	return all
}

// What was told is not told again because something else changed, nor because the
// operator started anew.
func testEventsOnChange(t *testing.T, start starter) {
	all := forty()
	s := start(t, all...)
	s.settle(t)
	if told := s.saw(); len(told) != 40 {
		t.Fatalf("%d events at first, want one for each template", len(told))
	}
	s.change(t, true, append(all, template("new", "new", "adm64"))...)
	s.settle(t)
	if diff := cmp.Diff([]string{"ArchitectureUnsupported", "NoCompatibleArchitecture", "TemplatesBlocked"}, s.saw()); diff != "" {
		t.Errorf("events of one template more, -want +got:\n%s", diff)
	}
	s.adapter = s.operator(s.Client)
	s.settle(t)
	if told := s.saw(); len(told) > 0 {
		t.Errorf("%d events after a restart", len(told))
	}
	s.change(t, true, all...)
	s.settle(t)
	s.change(t, true, append(all, template("new", "new", "adm64"))...)
	s.settle(t)
	if told := s.saw(); len(told) != 3 {
		t.Errorf("%d events of what is back, want 3: %s", len(told), told)
	}
}

// However much there is to tell, the condition stays readable, and says which
// generation it is about.
func testBoundedMessage(t *testing.T, start starter) {
	s := start(t, forty()...)
	s.settle(t)
	_, _, message := s.condition(t)
	lines := strings.Split(message, "\n")
	if len(lines) != 11 || lines[10] != "and 30 more" {
		t.Errorf("a message of %d lines, which ends %q", len(lines), lines[len(lines)-1])
	}

	// An API server may say more than fits into an event.
	long := strings.Repeat("ä", 5000)
	s.change(t, true, template("x", "x", long), template("y", "y", "amd64"))
	s.adapter.Client = s.intercepted(t, interceptor.Funcs{
		Create: func(context.Context, client.WithWatch, client.Object, ...client.CreateOption) error {
			return errors.New(long)
		},
	})
	if _, err := s.adapter.Reconcile(t.Context(), reconcile.Request{NamespacedName: s.key}); err == nil {
		t.Fatal("no write failed")
	}
	_, _, message = s.condition(t)
	if !strings.Contains(message, "ä …") {
		t.Errorf("what was cut is not marked: %s", message)
	}
	for line := range strings.Lines(message) {
		if len(line) > 1024+1 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	close(s.events.Events)
	for e := range s.events.Events {
		if len(e) > 1024+64 { // type and reason stand in front
			t.Errorf("an event of %d bytes", len(e))
		}
	}

	u := s.get(t)
	all, _, err := unstructured.NestedSlice(u.Object, "status", "conditions")
	if err != nil || len(all) != 1 {
		t.Fatalf("conditions %v, %v", all, err)
	}
	if got := all[0].(map[string]any)["observedGeneration"]; got != u.GetGeneration() || u.GetGeneration() < 2 {
		t.Errorf("observedGeneration %v, want %d", got, u.GetGeneration())
	}
}
