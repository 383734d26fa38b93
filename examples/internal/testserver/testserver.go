// Package testserver gives the tests of the adapters a real API server.
package testserver

import (
	"fmt"
	"io"
	"os"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/program"
)

// Main is for TestMain: it runs the tests, and then stops the API servers that they
// shared. Clients keep to themselves what they log while a test cuts connections,
// which would bury what tests say.
func Main(m *testing.M) {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	status := m.Run()
	if err := free.stop(); err != nil {
		fmt.Fprintln(os.Stderr, "testserver:", err)
		status = max(status, 1)
	}
	os.Exit(status)
}

// built is the API server's program. The tests of adapters run it without the race
// detector, which slows it several times: with RACE=all the server's own tests have that.
var built = sync.OnceValues(func() (string, error) { return program.Build("apiserver") })

// Command is the command line that runs the API server.
func Command(t *testing.T) []string {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return []string{program}
}

// Options say what to run.
type Options struct {
	Command []string // the command line
	Config  []byte   // of the configuration file; empty is an empty one
	CRDDirs []string // directories of definitions beside the server's
	Flags   []string // further flags
}

// emptyConfig is a configuration that says nothing.
const emptyConfig = "apiVersion: openshiftcontrolplane.config.openshift.io/v1\nkind: OpenShiftAPIServerConfig\n"

// Start gives the test an API server of its own until the test ends, with the
// definitions in crdDirs beside the server's. It may be one that an earlier test
// had: emptied, it is there at once.
func Start(t *testing.T, crdDirs ...string) *launch.Server {
	t.Helper()
	s, _ := StartWith(t, Options{Command: Command(t), CRDDirs: crdDirs})
	return s
}

// StartWith is Start with more to say. It also returns the path of the server's
// configuration file, which the test may change.
func StartWith(t *testing.T, o Options) (s *launch.Server, configFile string) {
	t.Helper()
	if len(o.Config) == 0 {
		o.Config = []byte(emptyConfig)
	}
	kind, err := kindOf(o)
	if err != nil {
		t.Fatal(err)
	}
	one := free.take(kind)
	if one == nil {
		if one, err = boot(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		one.kind = kind
	}
	t.Cleanup(func() {
		if err := one.release(); err != nil {
			t.Error(err)
		}
	})
	return one.Server, one.configFile()
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
