package launch_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/apiserver/server"
)

// TestMain makes the test binary be the apiserver too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "apiserver" {
		if err := server.Main(context.Background(), os.Args[2:], os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, "apiserver:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestSmoke(t *testing.T) {
	start := time.Now()
	s, err := launch.Start(t.Context(), launch.Options{Command: []string{os.Args[0], "apiserver"}, DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("start", time.Since(start))
	for range 3 {
		start = time.Now()
		if err := s.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Log("kill and restart", time.Since(start))
	}
	start = time.Now()
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Log("restart", time.Since(start))
	start = time.Now()
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	t.Log("stop", time.Since(start))
}
