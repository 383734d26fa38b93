package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

// commandEnv makes the test binary be the command, with the API server's program
// and then the arguments that it holds, one a line.
const commandEnv = "POLYARCH_TEST_COMMAND"

// A terminal keeps what a process prints.
type terminal struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all.Write(p)
}

func (t *terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all.String()
}

// await returns the first match once it is printed.
func (t *terminal) await(tb testing.TB, pattern string, patience time.Duration) []string {
	tb.Helper()
	match := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if found := match.FindStringSubmatch(t.String()); found != nil {
			return found
		}
	}
	tb.Fatalf("never printed %s, but\n%s", pattern, t)
	return nil
}

// A run is the command as a process of its own, whose files are all in dir.
type run struct {
	*exec.Cmd
	terminal
	dir string
}

func start(t *testing.T, args ...string) *run {
	t.Helper()
	dir, err := os.MkdirTemp("", "stay-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	r := &run{Cmd: exec.Command(os.Args[0]), dir: dir}
	r.Env = append(os.Environ(), commandEnv+"="+strings.Join(append(testserver.Command(t), args...), "\n"), "TMPDIR="+dir)
	r.Stdout, r.Stderr = &r.terminal, &r.terminal
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// ends waits for the end, and wants that nothing is left, be it a file or a
// process that answers at the address.
func (r *run) ends(t *testing.T, address string, status int) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- r.Wait() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		r.Process.Kill()
		t.Fatalf("does not end:\n%s", &r.terminal)
	}
	if got := r.ProcessState.ExitCode(); got != status {
		t.Errorf("exit status %d, want %d:\n%s", got, status, &r.terminal)
	}
	if left, err := filepath.Glob(filepath.Join(r.dir, "polyarch-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if connection, err := net.Dial("tcp", strings.TrimPrefix(address, "https://")); err == nil {
		connection.Close()
		t.Errorf("%s still answers", address)
	}
}

func connect(t *testing.T, kubeconfig string) (*rest.Config, client.Client) {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(config, client.Options{Scheme: operator.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	return config, c
}

// apiserverPid finds the child that serves the API.
func apiserverPid(t *testing.T, parent int) int {
	t.Helper()
	output, err := exec.Command("pgrep", "-P", strconv.Itoa(parent)).Output()
	if err != nil {
		t.Skip("NOT CHECKED: no pgrep, so the API server was not killed behind the cluster's back")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(output)))
	if err != nil {
		t.Fatalf("children %q, want one", output)
	}
	return pid
}

// TestStay drives "make cluster" the way its users do.
func TestStay(t *testing.T) {
	r := start(t, "-stay")
	kubeconfig := r.await(t, `export KUBECONFIG=(\S+)\n`, 2*time.Minute)[1]
	config, c := connect(t, kubeconfig)

	// Up means that every rollout of the start is through: for the next seconds
	// each single connection is accepted.
	image, cv := &configv1.Image{}, &configv1.ClusterVersion{}
	for began := time.Now(); time.Since(began) < 3*time.Second; time.Sleep(20 * time.Millisecond) {
		if err := c.Get(t.Context(), client.ObjectKey{Name: "cluster"}, image); err != nil {
			t.Fatalf("%s after it was up: %v", time.Since(began), err)
		}
	}
	if image.Status.ImageStreamImportMode != configv1.ImportModeLegacy {
		t.Errorf("the mode is %q, want Legacy", image.Status.ImageStreamImportMode)
	}
	if !strings.Contains(r.terminal.String(), "-ignore-legacy-from=oc/") {
		t.Errorf("nothing is said of the Legacy that oc sends:\n%s", &r.terminal)
	}

	// oc adm upgrade --to-multi-arch, as recorded.
	cv.Name = "version"
	patch := `{"spec":{"desiredUpdate":{"architecture":"Multi","version":"4.20.0","image":"","force":false}}}`
	if err := c.Patch(t.Context(), cv, client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		err := errors.Join(c.Get(t.Context(), client.ObjectKey{Name: "cluster"}, image), c.Get(t.Context(), client.ObjectKey{Name: "version"}, cv))
		if err == nil && image.Status.ImageStreamImportMode == configv1.ImportModePreserveOriginal && cv.Status.History[0].State == configv1.CompletedUpdate {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v; mode %q, history %+v:\n%s", err, image.Status.ImageStreamImportMode, cv.Status.History, &r.terminal)
		}
	}

	// What a manifest asks for is imported, here from where nothing is.
	is := stream("asked", "v1")
	is.Spec.Tags[0].From.Name = "127.0.0.1:1/x/y:v1"
	if err := c.Create(t.Context(), is); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); len(is.Status.Tags) == 0 || len(is.Status.Tags[0].Conditions) == 0; time.Sleep(50 * time.Millisecond) {
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(is), is); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatalf("not imported: %+v\n%s", is.Status, &r.terminal)
		}
	}

	// Ctrl-C is how it is ended.
	if err := r.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	r.ends(t, config.Host, 0)
	if after := r.terminal.String()[strings.Index(r.terminal.String(), "Ctrl-C"):]; strings.Count(after, "\n") > 2 {
		t.Errorf("printed after it was up:\n%s", after)
	}
}

// TestStayNoticesDeadAPIServer kills the API server under a cluster that stays.
func TestStayNoticesDeadAPIServer(t *testing.T) {
	r := start(t, "-stay", "-ignore-legacy-from=oc/")
	kubeconfig := r.await(t, `export KUBECONFIG=(\S+)\n(?s:.*)Ctrl-C`, 2*time.Minute)[1]
	config, _ := connect(t, kubeconfig)
	if strings.Contains(r.terminal.String(), "sends the import mode Legacy unasked") {
		t.Error("the option is given and recommended all the same")
	}
	if err := syscall.Kill(apiserverPid(t, r.Process.Pid), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	r.await(t, `the API server is dead: .*killed`, 10*time.Second)
	r.ends(t, config.Host, 1)
}

// TestDeadOperatorIsNoticed holds that controllers which end by themselves are
// told of, and those that are stopped are not.
func TestDeadOperatorIsNoticed(t *testing.T) {
	w, err := newWorld(t.Context(), &tale{out: &terminal{}}, testserver.Command(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	c := newCluster(w)
	stop, err := w.run(t.Context(), func(context.Context, manager.Manager) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := c.watch(ctx); err != nil {
		t.Errorf("controllers that were stopped: %v", err)
	}
	broken := errors.New("broken")
	stop, err = w.run(t.Context(), func(_ context.Context, mgr manager.Manager) error {
		return mgr.Add(manager.RunnableFunc(func(context.Context) error { return broken }))
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := c.watch(ctx); !errors.Is(err, broken) || !strings.Contains(err.Error(), "operator is dead") {
		t.Errorf("got %v, want that the operator is dead and of what", err)
	}
	if err := stop(); !errors.Is(err, broken) {
		t.Errorf("stop: %v", err)
	}
}

// TestInterruptedStory holds that Ctrl-C ends the demo at once, with one line,
// and leaves nothing behind.
func TestInterruptedStory(t *testing.T) {
	for name, at := range map[string]string{"while it boots": "booting", "in a chapter": ` 3\. .*\n`} {
		t.Run(name, func(t *testing.T) {
			r := start(t, "-only=importmode")
			r.await(t, at, 2*time.Minute)
			kubeconfig, _ := filepath.Glob(filepath.Join(r.dir, "polyarch-*", "apiserver", "kubeconfig"))
			before := time.Now()
			if err := r.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			address := "https://127.0.0.1:1"
			if len(kubeconfig) > 0 {
				config, _ := connect(t, kubeconfig[0])
				address = config.Host
			}
			r.ends(t, address, 130)
			if took := time.Since(before); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
			said := r.terminal.String()
			if !strings.HasSuffix(said, "walkthrough: interrupted\n") {
				t.Errorf("its last words:\n%s", said)
			}
			for _, noise := range []string{"ERROR", "NOT AS EXPECTED", "ends early", "canceled", " steps, "} {
				if strings.Contains(said, noise) {
					t.Errorf("says %q:\n%s", noise, said)
				}
			}
		})
	}
}
