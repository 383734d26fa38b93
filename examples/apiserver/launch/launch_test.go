package launch_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

// TestMain makes the test binary be a program that misbehaves, and a parent that
// dies.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 {
		os.Exit(m.Run())
	}
	switch os.Args[1] {
	case "mute":
		fmt.Fprintln(os.Stderr, "I say nothing")
		time.Sleep(time.Hour)
	case "parent":
		s, err := launch.Start(context.Background(), launch.Options{Command: os.Args[3:], DataDir: os.Args[2]})
		if err != nil {
			panic(err)
		}
		fmt.Println(s.Config().Host)
		time.Sleep(time.Hour)
	default:
		os.Exit(m.Run())
	}
}

func start(t *testing.T, options launch.Options) *launch.Server {
	t.Helper()
	if options.Command == nil {
		options.Command = testserver.Command(t)
	}
	if options.DataDir == "" {
		options.DataDir = t.TempDir()
	}
	s, err := launch.Start(t.Context(), options)
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

// ready asks with a config that a client got earlier.
func ready(config *rest.Config) error {
	c, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	response, err := c.Get(config.Host + "/readyz")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return nil
}

func TestLife(t *testing.T) {
	t.Parallel()
	s := start(t, launch.Options{})
	config := s.Config()
	wantReady := func(when string) {
		t.Helper()
		if err := ready(config); err != nil || !s.Running() {
			t.Errorf("%s: %v, running %v", when, err, s.Running())
		}
	}
	wantReady("after Start")
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantReady("after Restart, with the same credentials")
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if ready(config) == nil || s.Running() {
		t.Error("after Kill it is there")
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantReady("after Kill and Restart")
	for range 2 {
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
		if ready(config) == nil || s.Running() {
			t.Error("after Stop it is there")
		}
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantReady("after Stop and Restart")
}

// TestDied holds that an end that nobody asked for is told, and no other.
func TestDied(t *testing.T) {
	t.Parallel()
	s, err := launch.Start(t.Context(), launch.Options{Command: testserver.Command(t), DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, asked := range []func() error{
		func() error { return s.Restart(t.Context()) }, s.Kill, func() error { return s.Restart(t.Context()) },
	} {
		if err := asked(); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case err := <-s.Died():
		t.Fatalf("told of an end that was asked for: %v", err)
	default:
	}
	if err := syscall.Kill(s.Pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-s.Died():
		if !strings.Contains(err.Error(), "killed") || !strings.Contains(err.Error(), s.LogFile()) {
			t.Errorf("got %v, want how it ended and the log", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("nobody is told")
	}
	if s.Running() || s.Pid() != 0 {
		t.Errorf("running %v, process %d", s.Running(), s.Pid())
	}
	if err := s.Stop(); err == nil {
		t.Error("Stop does not tell that it had ended badly")
	}
}

// TestTakesUp holds that another Start on the same directory goes on with the
// data and the credentials of the first.
func TestTakesUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, launch.Options{DataDir: dir})
	token := first.Config().BearerToken
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	second := start(t, launch.Options{DataDir: dir})
	if second.Config().BearerToken != token {
		t.Error("the token changed")
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	t.Run("a server that ends tells why", func(t *testing.T) {
		_, err := launch.Start(t.Context(), launch.Options{Command: testserver.Command(t), DataDir: t.TempDir(), ConfigFile: "/nonexistent/config.yaml"})
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(err.Error(), "/nonexistent/config.yaml") {
			t.Errorf("got %v, want exit code 1 and the end of the log", err)
		}
	})
	t.Run("a server that is never ready", func(t *testing.T) {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			// As soon as it has said what it says, patience ends.
			for ctx.Err() == nil {
				if log, _ := os.ReadFile(filepath.Join(dir, "apiserver.log")); len(log) > 0 {
					cancel()
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
		_, err := launch.Start(ctx, launch.Options{Command: []string{os.Args[0], "mute"}, DataDir: dir})
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "I say nothing") {
			t.Errorf("got %v, want that it was given up and the end of the log", err)
		}
	})
	t.Run("no such program", func(t *testing.T) {
		if _, err := launch.Start(t.Context(), launch.Options{Command: []string{filepath.Join(t.TempDir(), "x")}, DataDir: t.TempDir()}); err == nil {
			t.Error("no error")
		}
	})
	t.Run("no directory", func(t *testing.T) {
		if _, err := launch.Start(t.Context(), launch.Options{}); err == nil {
			t.Error("no error")
		}
	})
	t.Run("a configuration that turns bad", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "config.yaml")
		good := "apiVersion: openshiftcontrolplane.config.openshift.io/v1\nkind: OpenShiftAPIServerConfig\n"
		write := func(content string) {
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(good)
		s := start(t, launch.Options{ConfigFile: file})
		config := s.Config()
		write(good + "imagePolicyConfig: {imageStreamImportMode: Both}\n")
		if err := s.Restart(t.Context()); err == nil || !strings.Contains(err.Error(), "Both") || s.Running() {
			t.Errorf("got %v, running %v; want the log's reason", err, s.Running())
		}
		write(good)
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := ready(config); err != nil {
			t.Errorf("with a good configuration again: %v", err)
		}
	})
}

// TestDiesWithParent kills the process that launched the server.
func TestDiesWithParent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	parent := exec.Command(os.Args[0], append([]string{"parent", dir}, testserver.Command(t)...)...)
	stdout, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	host, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, stdout)
	parent.Wait()
	address := strings.TrimPrefix(strings.TrimSpace(host), "https://")
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		connection, err := net.Dial("tcp", address)
		if errors.Is(err, syscall.ECONNREFUSED) {
			return
		}
		if err == nil {
			connection.Close()
		}
		if time.Now().After(deadline) {
			t.Fatalf("the apiserver at %s outlives its parent: %v", address, err)
		}
	}
}
