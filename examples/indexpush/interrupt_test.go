package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/polyarch/polyarch/examples/internal/registry"
)

// asCommand lets the test binary be the command, so that signals meet a process.
const asCommand = "INDEXPUSH_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestInterruptEndsWithinASecond, with one short line, whether the command waits
// for an answer or between two tries.
func TestInterruptEndsWithinASecond(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	for what, serve := range map[string]http.HandlerFunc{
		"a registry that stalls": func(http.ResponseWriter, *http.Request) { <-hang },
		"between tries":          func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
	} {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			t.Run(what+"/"+signal.String(), func(t *testing.T) {
				asked := make(chan struct{})
				var once sync.Once
				var failing atomic.Bool
				target := startPlain(t, func(next http.Handler) http.Handler {
					return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						if failing.Load() && r.Method == http.MethodPost { // in the midst of it
							once.Do(func() { close(asked) })
							serve(w, r)
							return
						}
						next.ServeHTTP(w, r)
					})
				})
				source := startPlain(t, nil)
				images := build(t, source.Host+"/build")
				failing.Store(true)
				var stdout, stderr bytes.Buffer
				cmd := exec.Command(os.Args[0], append([]string{"--to", target.Host + "/os:4.20"}, images...)...)
				cmd.Env = append(os.Environ(), asCommand+"=1", "DOCKER_CONFIG="+t.TempDir())
				cmd.Stdout, cmd.Stderr = &stdout, &stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				<-asked
				time.Sleep(50 * time.Millisecond) // for a 503 to arrive
				interrupted := time.Now()
				if err := cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				err := cmd.Wait()
				took := time.Since(interrupted)
				var exit *exec.ExitError
				if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
					t.Errorf("%v, want exit code 130", err)
				}
				if took > time.Second {
					t.Errorf("it took %s", took)
				}
				line := stderr.String()
				if strings.Count(line, "\n") != 1 || len(line) > 160 || !strings.HasPrefix(line, "indexpush: interrupted; "+target.Host+"/os:4.20 ") || stdout.Len() > 0 {
					t.Errorf("standard error %q, standard output %q", line, stdout.String())
				}
			})
		}
	}
}

// TestInterruptedDryRun has no tag to speak of.
func TestInterruptedDryRun(t *testing.T) {
	r, err := registry.Start(registry.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if code, _, stderr := executeContext(ctx, "--dry-run", absent(r.Host, "1")); code != exitInterrupted || stderr != "indexpush: interrupted\n" {
		t.Errorf("exit code %d: %q", code, stderr)
	}
}

// TestManyImagesThatFailAlike are not as many lines.
func TestManyImagesThatFailAlike(t *testing.T) {
	r := startPlain(t, nil)
	args := []string{"--to", r.Host + "/os:4.20"}
	for i := range 200 {
		digest := strings.Repeat("0", 62) + string("0123456789abcdef"[i/16]) + string("0123456789abcdef"[i%16])
		args = append(args, r.Host+"/build@sha256:"+digest)
	}
	code, _, stderr := execute(args...)
	if lines := strings.Count(stderr, "\n"); code != exitRegistry || lines != maxComplaints+3 || !strings.Contains(stderr, "indexpush: and 180 more\n") {
		t.Errorf("exit code %d, %d lines:\n%s", code, lines, stderr)
	}
}
