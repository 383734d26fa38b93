package launch

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A child is one run of the process.
type child struct {
	command *exec.Cmd
	stdin   io.Closer // held open: the child ends when its other end goes away
	ready   chan struct{}
	exited  chan struct{}
	err     error       // of the exit; to be read after exited
	ending  atomic.Bool // it was asked to
}

func (s *Server) spawn() (*child, error) {
	// A kill leaves the socket behind, Stop takes its directory away.
	if err := os.MkdirAll(s.options.RuntimeDir, 0o700); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(s.LogFile(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	args := append(slices.Clone(s.options.Command[1:]),
		"--data-dir="+s.options.DataDir,
		"--runtime-dir="+s.options.RuntimeDir,
		"--kubeconfig-out="+s.Kubeconfig(),
		"--secure-port="+s.port,
		"--exit-with-stdin",
	)
	if s.options.ConfigFile != "" {
		args = append(args, "--config="+s.options.ConfigFile)
	}
	for _, dir := range s.options.CRDDirs {
		args = append(args, "--crds="+dir)
	}
	for _, endpoint := range s.options.EtcdServers {
		args = append(args, "--etcd-servers="+endpoint)
	}
	command := exec.Command(s.options.Command[0], append(args, s.options.Flags...)...)
	command.Stderr = log
	// A Ctrl-C at the terminal goes to the whole foreground group; when the
	// apiserver ends is for its parent to say.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	c := &child{command: command, stdin: stdin, ready: make(chan struct{}), exited: make(chan struct{})}
	go c.follow(stdout)
	return c, nil
}

// follow waits for the line that says that all is served, and then for the end.
func (c *child) follow(stdout io.Reader) {
	lines, ready := bufio.NewScanner(stdout), false
	for lines.Scan() {
		if !ready && strings.HasPrefix(lines.Text(), "export KUBECONFIG=") {
			ready = true
			close(c.ready)
		}
	}
	c.err = c.command.Wait()
	close(c.exited)
}

// report tells of a child that was ready and ends though nobody asked it to.
func (s *Server) report(c *child) {
	<-c.exited
	if c.ending.Load() {
		return
	}
	how := "exit status 0"
	if c.err != nil {
		how = c.err.Error()
	}
	select {
	case s.died <- fmt.Errorf("launch: the apiserver ended by itself: %s\n%s", how, s.tail()):
	default: // nobody has taken the last one yet
	}
}

// end sends the signal and waits; a process that is still there then is killed.
func (s *Server) end(signal syscall.Signal, timeout time.Duration) error {
	c := s.child
	if c == nil {
		return nil
	}
	s.child = nil
	defer c.stdin.Close()
	c.ending.Store(true)
	// Signalling a process that has ended already is no trouble.
	_ = c.command.Process.Signal(signal)
	select {
	case <-c.exited:
		if signal != syscall.SIGKILL && c.err != nil {
			return fmt.Errorf("launch: the apiserver ended with: %w\n%s", c.err, s.tail())
		}
		return nil
	case <-time.After(timeout):
	}
	_ = c.command.Process.Kill()
	<-c.exited
	return fmt.Errorf("launch: the apiserver did not end within %s of %s and was killed\n%s", timeout, signal, s.tail())
}
