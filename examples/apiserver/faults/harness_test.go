// Package faults_test breaks real reference API servers: their data, their directories,
// their disk, their etcd, and the processes themselves. Each one ends in time, with a
// line that names the cause and the remedy, or serves on; and what it had acknowledged
// is there afterwards.
package faults_test

import (
	"bufio"
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	imagev1 "github.com/openshift/api/image/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/internal/testserver"
)

// TestMain lets more tests run at a time than there are processors: servers mostly wait,
// for one another, for ports and for members of etcd.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	testserver.Main(m)
}

// endsWithin is how long a server has to end.
const endsWithin = 10 * time.Second

// all is set at night: every line of the start, and every signal at each.
var all = os.Getenv("FAULTS") == "all"

// plainStart is what a plain start took, here and now.
var (
	plainStart time.Duration
	calibrated sync.Once
)

// limit is endsWithin on a machine that starts a server within two seconds, as an idle
// one does, and as many times that as a start takes longer in the same run.
func limit() time.Duration {
	return time.Duration(float64(endsWithin) * max(1, plainStart.Seconds()/2))
}

var openshiftAPIDir = sync.OnceValue(func() string {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/openshift/api").Output()
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(dir))
})

// A process is one run of the program.
type process struct {
	*exec.Cmd
	tmp    string        // its TMPDIR, by which it and its children are known
	lines  chan string   // of standard error, until it ends
	ready  chan string   // the kubeconfig, once
	ended  chan struct{} // after which err and output are to be read
	err    error
	output bytes.Buffer // standard error
}

// start runs the program. Nothing of it is left when the test ends.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	return startIn(t, tempDir(t), args...)
}

// tempDir has a path that is short enough for a socket.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "faults-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func startIn(t *testing.T, tmp string, args ...string) *process {
	t.Helper()
	calibrated.Do(func() {
		testserver.Command(t) // may have to build it
		openshiftAPIDir()
		plainStart = time.Minute // for this one
		began := time.Now()
		p := run(t, tempDir(t))
		p.client(t)
		plainStart = time.Since(began)
		p.stop(t)
		t.Logf("a plain start takes %s, so a server has %s to end", plainStart.Round(time.Millisecond), limit())
	})
	return run(t, tmp, args...)
}

func run(t *testing.T, tmp string, args ...string) *process {
	t.Helper()
	p := &process{tmp: tmp, lines: make(chan string, 1000), ready: make(chan string, 1), ended: make(chan struct{})}
	p.Cmd = exec.Command(testserver.Command(t)[0], append([]string{"--openshift-api-dir=" + openshiftAPIDir()}, args...)...)
	p.Env = append(os.Environ(), "TMPDIR="+tmp)
	stderr, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.Process.Kill()
		<-p.ended
	})
	go func() {
		var group sync.WaitGroup
		group.Go(func() {
			for out := bufio.NewScanner(stdout); out.Scan(); {
				if file, ok := strings.CutPrefix(out.Text(), "export KUBECONFIG="); ok {
					p.ready <- file
				}
			}
		})
		for lines := bufio.NewScanner(io.TeeReader(stderr, &p.output)); lines.Scan(); {
			select {
			case p.lines <- lines.Text():
			default:
			}
		}
		group.Wait()
		p.err = p.Wait()
		close(p.lines)
		close(p.ended)
	}()
	return p
}

// read waits until the server has said so many lines, or is ready.
func (p *process) read(t *testing.T, lines int) {
	t.Helper()
	for range lines {
		select {
		case <-p.lines:
		case file := <-p.ready: // it says no more by itself
			p.ready <- file
			return
		case <-p.ended:
			t.Fatalf("ended: %v\n%.4000s", p.err, p.output.String())
		}
	}
}

// makes waits until the server has made a file or directory within its temporary one.
func (p *process) makes(t *testing.T, path string) {
	t.Helper()
	for {
		if found, err := filepath.Glob(filepath.Join(p.tmp, "*", path)); err != nil || len(found) > 0 {
			return
		}
		select {
		case <-p.ended:
			t.Fatalf("ended: %v\n%.4000s", p.err, p.output.String())
		case <-time.After(time.Millisecond):
		}
	}
}

// wait waits for the end, and for the processes and directories that go with it.
func (p *process) wait(t *testing.T) {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(limit()):
		t.Fatalf("the server has not ended within %s", limit())
	}
	for deadline := time.Now().Add(limit()); ; time.Sleep(20 * time.Millisecond) {
		left := children(p.tmp)
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("processes are left: %v", left)
		}
	}
}

// refuses wants that the server ends with one line that says all that.
func (p *process) refuses(t *testing.T, says ...string) {
	t.Helper()
	p.wait(t)
	if code := p.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	output := strings.TrimSpace(p.output.String())
	if !strings.HasPrefix(output, "apiserver: ") || strings.Contains(output, "\n") {
		t.Errorf("does not say one line:\n%.2000s", output)
	}
	for _, s := range says {
		if !strings.Contains(output, s) {
			t.Errorf("does not say %q: %s", s, output)
		}
	}
	p.nothingLeft(t)
}

func (p *process) nothingLeft(t *testing.T) {
	t.Helper()
	if left, err := filepath.Glob(filepath.Join(p.tmp, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// client waits until all is served.
func (p *process) client(t *testing.T, change ...func(*rest.Config)) client.Client {
	t.Helper()
	select {
	case kubeconfig := <-p.ready:
		config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
		if err != nil {
			t.Fatal(err)
		}
		config.QPS = -1
		for _, f := range change {
			f(config)
		}
		scheme := runtime.NewScheme()
		if err := imagev1.Install(scheme); err != nil {
			t.Fatal(err)
		}
		c, err := client.New(config, client.Options{Scheme: scheme})
		if err != nil {
			t.Fatal(err)
		}
		return c
	case <-p.ended:
		t.Fatalf("the server ended: %v\n%.4000s", p.err, p.output.String())
	case <-time.After(9 * limit()):
		t.Fatal("the server is not ready")
	}
	return nil
}

// stop ends it in good order.
func (p *process) stop(t *testing.T) {
	t.Helper()
	p.signal(t, syscall.SIGTERM)
	p.wait(t)
	if p.err != nil {
		t.Errorf("ended with %v\n%.4000s", p.err, p.output.String())
	}
}

func (p *process) signal(t *testing.T, signal syscall.Signal) {
	t.Helper()
	// It may have ended by then, which the caller sees.
	_ = p.Process.Signal(signal)
}

// children are the processes that have the TMPDIR.
func children(tmp string) []string {
	var found []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		environment, err := os.ReadFile(file)
		if err == nil && bytes.Contains(environment, []byte("TMPDIR="+tmp+"\x00")) {
			name, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			found = append(found, string(bytes.ReplaceAll(name, []byte{0}, []byte{' '})))
		}
	}
	return found
}
