package testserver_test

import (
	"os"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

func TestMain(m *testing.M) { testserver.Main(m) }

func objects() []client.Object {
	return []client.Object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "somewhere"}},
		&configv1.Image{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}},
	}
}

// Tests one after another have one server, and none sees what another left.
func TestServersAreEmptied(t *testing.T) {
	var pid int
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			s := testserver.Start(t)
			if pid != 0 && s.Pid() != pid {
				t.Error("it is another server")
			}
			pid = s.Pid()
			c := testserver.Client(t, s, operator.Scheme())
			for _, o := range objects() {
				if err := c.Get(t.Context(), client.ObjectKeyFromObject(o), o); !apierrors.IsNotFound(err) {
					t.Errorf("%T is there already: %v", o, err)
				}
				if err := c.Create(t.Context(), o); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// One whose configuration a test changed, or that a test started anew, is nobody's.
func TestServersAreAsTheyCameUp(t *testing.T) {
	var pid int
	for name, change := range map[string]func(*testing.T, *launch.Server, string){
		"configured": func(t *testing.T, _ *launch.Server, file string) {
			if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
				t.Error(err)
			}
		},
		"started anew": func(t *testing.T, s *launch.Server, _ string) {
			if err := s.Restart(t.Context()); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, file := testserver.StartWith(t, testserver.Options{Command: testserver.Command(t)})
			change(t, s, file)
			pid = s.Pid()
		})
		t.Run("after "+name, func(t *testing.T) {
			if s := testserver.Start(t); s.Pid() == pid {
				t.Error("it is the same server")
			}
		})
	}
}

// Two tests at the same time have two, and who ended or has other definitions goes
// to nobody else.
func TestServersAreNotShared(t *testing.T) {
	var ended int
	t.Run("at the same time", func(t *testing.T) {
		one, other := testserver.Start(t), testserver.Start(t)
		if one.Pid() == other.Pid() {
			t.Error("it is the same server")
		}
		ended = one.Pid()
		if err := one.Stop(); err != nil {
			t.Error(err)
		}
		definition := &metav1.PartialObjectMetadata{
			TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
			ObjectMeta: metav1.ObjectMeta{Name: "images.config.openshift.io"},
		}
		if err := testserver.Client(t, other, operator.Scheme()).Delete(t.Context(), definition); err != nil {
			t.Error(err)
		}
	})
	s := testserver.Start(t)
	if s.Pid() == ended {
		t.Error("it is the one that ended")
	}
	if err := testserver.Client(t, s, operator.Scheme()).Create(t.Context(), objects()[1]); err != nil {
		t.Errorf("it has not all definitions: %v", err)
	}
}
