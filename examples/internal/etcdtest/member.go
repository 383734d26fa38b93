package etcdtest

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/polyarch/polyarch/examples/internal/program"
)

// startTimeout and stopTimeout hold for a busy machine.
const (
	startTimeout = 90 * time.Second
	stopTimeout  = 30 * time.Second
)

// A Member is one member of a cluster, whose process can end and come back.
type Member struct {
	Name     string
	Endpoint string // URL for clients

	flags   []string
	logFile string

	command *exec.Cmd
	stdin   io.Closer
	ready   chan struct{}
	exited  chan struct{}
}

var built = sync.OnceValues(func() (string, error) { return program.Build("internal/etcdmember") })

// Start runs the member on the data that it has, and does not wait for it.
func (m *Member) Start(t *testing.T) {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.OpenFile(m.logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	m.command = exec.Command(program, m.flags...)
	m.command.Stderr = log
	m.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a Ctrl-C is for the test alone
	stdout, err := m.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if m.stdin, err = m.command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := m.command.Start(); err != nil {
		t.Fatal(err)
	}
	ready, exited, command := make(chan struct{}), make(chan struct{}), m.command
	m.ready, m.exited = ready, exited
	go func() {
		defer close(exited)
		if bufio.NewScanner(stdout).Scan() {
			close(ready)
		}
		_ = command.Wait() // how it ended is in its log
	}()
}

// WaitReady returns when the member has joined its cluster.
func (m *Member) WaitReady(t *testing.T) {
	t.Helper()
	select {
	case <-m.ready:
	case <-m.exited:
		t.Fatalf("%s ended before it was ready:\n%s", m.Name, m.Log(t))
	case <-time.After(startTimeout):
		t.Fatalf("%s is not ready after %s:\n%s", m.Name, startTimeout, m.Log(t))
	}
}

// Kill ends the member by SIGKILL.
func (m *Member) Kill(t *testing.T) {
	t.Helper()
	m.end(t, syscall.SIGKILL)
}

// Stop ends the member by SIGTERM.
func (m *Member) Stop(t *testing.T) {
	t.Helper()
	m.end(t, syscall.SIGTERM)
}

// Stall stops the member's clock: it holds its connections and answers nobody.
func (m *Member) Stall(t *testing.T) {
	t.Helper()
	m.signal(t, syscall.SIGSTOP)
}

// Continue ends what Stall began.
func (m *Member) Continue(t *testing.T) {
	t.Helper()
	m.signal(t, syscall.SIGCONT)
}

func (m *Member) signal(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if err := m.command.Process.Signal(signal); err != nil {
		t.Errorf("%s: %s: %v", m.Name, signal, err)
	}
}

func (m *Member) end(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if m.command == nil {
		return
	}
	defer m.stdin.Close()
	m.signal(t, signal)
	m.command = nil
	select {
	case <-m.exited:
	case <-time.After(stopTimeout):
		t.Errorf("%s did not end within %s of %s:\n%s", m.Name, stopTimeout, signal, m.Log(t))
	}
}

// Log returns the end of what the member has logged.
func (m *Member) Log(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(m.logFile)
	if err != nil {
		t.Error(err)
	}
	lines := bytes.SplitAfter(content, []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-20):], nil))
}
