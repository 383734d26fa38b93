package controller_test

import (
	"context"
	"errors"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/examples/ssp/controller"
)

// gone deletes the SSP object, and reports whether it is gone after a reconcile.
func (s *site) gone(t *testing.T) bool {
	t.Helper()
	if err := client.IgnoreNotFound(s.Delete(t.Context(), s.ssp(t, true))); err != nil {
		t.Fatal(err)
	}
	s.reconcile(t)
	err := s.Get(t.Context(), s.key, s.ssp(t, true))
	if client.IgnoreNotFound(err) != nil {
		t.Fatal(err)
	}
	return apierrors.IsNotFound(err)
}

// With the SSP object go its crons and references, and nothing else. It stays
// until they are gone.
func testCleanUp(t *testing.T, start starter) {
	s := start(t, template("fedora", "fedora", "amd64,arm64"))
	s.settle(t)
	others := &cdiv1beta1.DataImportCron{
		ObjectMeta: metav1.ObjectMeta{Namespace: controller.GoldenImages, Name: "mine"}, Spec: template("", "mine", "").Spec,
	}
	s.create(t, others)
	imported := pointsTo("fedora-amd64", "fedora-amd64-0123")
	imported.Labels = map[string]string{"cdi.kubevirt.io/dataImportCron": "fedora-amd64"}
	s.create(t, imported)
	// CDI holds a cron until it has cleaned up itself.
	held := s.crons(t)[0]
	held.Finalizers = []string{"cdi.kubevirt.io/dataImportCronFinalizer"}
	if err := s.Update(t.Context(), &held); err != nil {
		t.Fatal(err)
	}

	// What the cache does not show yet must not be overlooked.
	s.adapter.Client = s.intercepted(t, interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			if _, crons := list.(*cdiv1beta1.DataImportCronList); crons {
				return nil
			}
			return c.List(ctx, list, opts...)
		},
	})
	for range 2 {
		if s.gone(t) {
			t.Fatal("the SSP object is gone before its crons")
		}
		s.expect(t, "CDI holds one", "cron fedora-amd64 manages fedora-amd64", "cron mine manages mine", "DataSource fedora-amd64 has fedora-amd64-0123 of cron fedora-amd64")
	}
	for _, c := range s.crons(t) {
		if c.Name == held.Name {
			c.Finalizers = nil
			if err := s.Update(t.Context(), &c); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !s.gone(t) {
		t.Error("the SSP object is still there")
	}
	s.expect(t, "all gone", "cron mine manages mine", "DataSource fedora-amd64 has fedora-amd64-0123 of cron fedora-amd64")
}

// While something of it cannot be deleted, the SSP object stays and says why.
func testCleanUpThatFails(t *testing.T, start starter) {
	s := start(t, template("fedora", "fedora", "amd64"))
	s.settle(t)
	refused := errors.New("a policy refuses it")
	s.adapter.Client = s.intercepted(t, interceptor.Funcs{
		Delete: func(context.Context, client.WithWatch, client.Object, ...client.DeleteOption) error { return refused },
	})
	if err := s.Delete(t.Context(), s.ssp(t, true)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.adapter.Reconcile(t.Context(), reconcile.Request{NamespacedName: s.key}); !errors.Is(err, refused) {
		t.Errorf("reconcile: %v", err)
	}
	s.expectCondition(t, "False", controller.ReasonWriteFailed)

	s.adapter.Client = s.Client
	s.reconcile(t)
	if !s.gone(t) {
		t.Error("the SSP object is still there")
	}
	s.expect(t, "all gone", "")
}
