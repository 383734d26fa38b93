package controller_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/polyarch/polyarch/examples/ssp/controller"
)

// A node set that is scaled to zero for a while takes no cron with it.
func testGrace(t *testing.T, start starter) {
	s := start(t, none("amd64,arm64"))
	s.adapter.Grace = time.Hour
	both := []string{
		"cron fedora-amd64 manages fedora-amd64", "cron fedora-arm64 manages fedora-arm64", "DataSource fedora leads to fedora-amd64",
	}
	leave := func() {
		t.Helper()
		if err := s.Delete(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "b"}}); err != nil {
			t.Fatal(err)
		}
	}
	// after lets time pass, and expects to be asked to come back within a period.
	after := func(when string, pass, back time.Duration, want ...string) {
		t.Helper()
		s.later += pass
		result, err := s.adapter.Reconcile(t.Context(), reconcile.Request{NamespacedName: s.key})
		if err != nil {
			t.Fatal(err)
		}
		s.expect(t, when, want...)
		if off := back - result.RequeueAfter; off < 0 || off > time.Minute {
			t.Errorf("%s: comes back after %s, want %s", when, result.RequeueAfter, back)
		}
	}
	after("at first", 0, 0, both...)
	s.saw()

	leave()
	after("the last node of arm64 has left", 0, time.Hour, both...)
	s.expectCondition(t, "True", controller.ReasonAsExpected)
	if diff := cmp.Diff([]string{"ArchitectureHeld"}, s.saw()); diff != "" {
		t.Errorf("events, -want +got:\n%s", diff)
	}
	after("most of an hour later", 50*time.Minute, 10*time.Minute, both...)
	s.node(t, "b", "arm64")
	after("it is back", 0, 0, both...)
	leave()
	after("and leaves again", 20*time.Minute, time.Hour, both...)
	s.adapter = s.operator(s.Client)
	s.adapter.Grace = time.Hour
	after("the operator restarts, and begins anew", 50*time.Minute, time.Hour, both...)
	s.saw()
	after("an hour later", 61*time.Minute, 0, both[0], both[2])
	if diff := cmp.Diff([]string{"ArchitectureNotInCluster", controller.EventImagesDeleted}, s.saw()); diff != "" {
		t.Errorf("events, -want +got:\n%s", diff)
	}
}
