// Package launch runs the reference apiserver as a child process that can be
// stopped, killed and restarted while its clients keep their credentials: the
// port, the certificate and the token stay, and so do the data.
package launch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/polyarch/polyarch/examples/apiserver/internal/rundir"
)

// Options says what to run. Only DataDir has to be set.
type Options struct {
	// Command is the program and the arguments before the apiserver's own flags,
	// together what calls server.Main. The default is the running program
	// without arguments.
	Command []string
	// DataDir is where the data, the credentials and the log are kept. What an
	// earlier server left there is taken up.
	DataDir string
	// RuntimeDir is where etcd's socket is; its path has to be short. The
	// default is run in DataDir or, if that path is too long, a temporary directory,
	// which Stop removes, or the next Start if there was no Stop.
	RuntimeDir string
	// ConfigFile is the OpenShiftAPIServerConfig; it is read at every start.
	ConfigFile string
	// CRDDirs are directories of further CustomResourceDefinitions.
	CRDDirs []string
	// EtcdServers are endpoints of a running etcd, instead of an embedded one.
	EtcdServers []string
	// Flags are further flags of the apiserver.
	Flags []string
}

// StoragePrefix begins every key in the storage that Etcd connects to. It is
// server.StoragePrefix, for those who do not link the server.
const StoragePrefix = "/registry"

const (
	// startTimeout holds for a server on a busy machine, and with data that a
	// kill left to be recovered.
	startTimeout = 90 * time.Second
	// stopTimeout is what the apiserver allows its clients, and ample.
	stopTimeout = 30 * time.Second
	// exitTimeout holds for a process whose end is not up to it.
	exitTimeout = 10 * time.Second
	// logTail is how much of the log an error shows.
	logTail = 4 << 10
)

// A Server is an apiserver in a child process. Its methods may be called from
// several goroutines.
type Server struct {
	options    Options
	removeTemp func() error // nil: there is no temporary directory
	config     *rest.Config // set by the first start
	died       chan error

	mu    sync.Mutex
	child *child // nil when none runs
	port  string // "0" until the first start
}

// Start runs an apiserver and returns when it is ready. It ends with Stop, with
// Kill, or with the calling process, whichever comes first; ctx only bounds the
// start.
func Start(ctx context.Context, options Options) (*Server, error) {
	s := &Server{options: options, port: "0", died: make(chan error, 1)}
	if err := s.prepare(); err != nil {
		return nil, fmt.Errorf("launch: %w", err)
	}
	err := s.start(ctx)
	if err == nil {
		s.config, err = clientConfig(s.Kubeconfig())
	}
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (s *Server) prepare() error {
	o := &s.options
	if o.DataDir == "" {
		return errors.New("Options.DataDir is empty")
	}
	if len(o.Command) == 0 {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		o.Command = []string{self}
	}
	if err := os.MkdirAll(o.DataDir, 0o700); err != nil {
		return err
	}
	if o.RuntimeDir == "" {
		o.RuntimeDir = rundir.In(o.DataDir)
	}
	if o.RuntimeDir == "" {
		temp, remove, err := rundir.Temp()
		if err != nil {
			return err
		}
		o.RuntimeDir, s.removeTemp = filepath.Join(temp, "run"), remove
	}
	return nil
}

// Kubeconfig returns the path of the kubeconfig, which holds for all starts.
func (s *Server) Kubeconfig() string { return filepath.Join(s.options.DataDir, "kubeconfig") }

// LogFile returns the path of the log of all starts.
func (s *Server) LogFile() string { return filepath.Join(s.options.DataDir, "apiserver.log") }

// Config returns what a client connects with, for all starts. It does not limit
// how fast a client asks.
func (s *Server) Config() *rest.Config { return rest.CopyConfig(s.config) }

// Etcd connects to the storage, for those who want to see what is really stored
// or to store what no request could. The caller closes the client.
func (s *Server) Etcd() (*clientv3.Client, error) {
	endpoints := s.options.EtcdServers
	if len(endpoints) == 0 {
		endpoints = []string{"unix://" + filepath.Join(s.options.RuntimeDir, "etcd.sock")}
	}
	// Its errors say all that it would log, and the terminal is the caller's.
	return clientv3.New(clientv3.Config{Endpoints: endpoints, DialTimeout: exitTimeout, Logger: zap.NewNop()})
}

// Restart stops the server, if it runs, and starts it again on the same data
// with the same port, certificate and token. The configuration file is read
// again: this is what a rollout comes to. If the server had ended badly by
// itself, that is the error, and nothing is started: a Restart after it does.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.end(syscall.SIGTERM, stopTimeout); err != nil {
		return err
	}
	return s.start(ctx)
}

// Stop asks the server to end, and waits until it has. It reports a server that
// ended badly, and one that had to be killed. Stopping twice is no error.
func (s *Server) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.end(syscall.SIGTERM, stopTimeout)
	if s.removeTemp != nil {
		err = errors.Join(err, s.removeTemp())
	}
	return err
}

// Kill ends the server without notice, by SIGKILL. Restart goes on from what it
// left.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end(syscall.SIGKILL, exitTimeout)
}

// Running reports whether the child process runs.
func (s *Server) Running() bool { return s.Pid() != 0 }

// Pid returns the process ID of the child, 0 if none runs.
func (s *Server) Pid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.child == nil {
		return 0
	}
	select {
	case <-s.child.exited:
		return 0
	default:
		return s.child.command.Process.Pid
	}
}

// Died returns the channel that tells of an apiserver which was ready and then
// ended though nobody had asked for it by Stop, Kill or Restart, with the end of
// its log. One such end is kept for whoever looks later.
func (s *Server) Died() <-chan error { return s.died }

func (s *Server) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	c, err := s.spawn()
	if err != nil {
		return fmt.Errorf("launch: %w", err)
	}
	s.child = c
	select {
	case <-c.ready:
		err = s.learnPort()
	case <-c.exited:
		err = fmt.Errorf("the apiserver ended before it was ready: %w", c.err)
		if c.err == nil {
			err = errors.New("the apiserver ended before it was ready")
		}
	case <-ctx.Done():
		err = fmt.Errorf("the apiserver is not ready: %w", ctx.Err())
	}
	if err == nil {
		go s.report(c)
		return nil
	}
	err = fmt.Errorf("launch: %w\n%s", err, s.tail())
	return errors.Join(err, s.end(syscall.SIGKILL, exitTimeout))
}

func (s *Server) learnPort() error {
	config, err := clientConfig(s.Kubeconfig())
	if err != nil {
		return err
	}
	u, err := url.Parse(config.Host)
	if err != nil {
		return err
	}
	_, s.port, err = net.SplitHostPort(u.Host)
	return err
}

func clientConfig(kubeconfig string) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("launch: %w", err)
	}
	config.QPS = -1
	return config, nil
}

// tail returns the end of the log, for errors.
func (s *Server) tail() string {
	content, err := os.ReadFile(s.LogFile())
	if err != nil {
		return err.Error()
	}
	if len(content) > logTail {
		content = content[len(content)-logTail:]
	}
	return fmt.Sprintf("%s:\n%s", s.LogFile(), strings.TrimSpace(string(content)))
}
