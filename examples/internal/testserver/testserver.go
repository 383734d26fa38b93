// Package testserver gives the tests of the adapters a real API server.
package testserver

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/apiserver/server"
)

const command = "apiserver"

// Main is for TestMain: it makes the test binary be the API server that Start
// starts, and runs the tests otherwise.
func Main(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == command {
		if err := server.Main(context.Background(), os.Args[2:], os.Stdout, os.Stderr); err != nil {
			fmt.Fprintf(os.Stderr, "apiserver: %v\n", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// What clients log while a test cuts connections would bury what tests say.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// Start runs an API server until the test ends, with the definitions in crdDirs
// beside its own.
func Start(t *testing.T, crdDirs ...string) *launch.Server {
	t.Helper()
	s, err := launch.Start(t.Context(), launch.Options{
		Command: []string{os.Args[0], command}, DataDir: t.TempDir(), CRDDirs: crdDirs,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Client returns a client without a cache.
func Client(t *testing.T, s *launch.Server, scheme *runtime.Scheme) client.Client {
	t.Helper()
	c, err := client.New(s.Config(), client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
