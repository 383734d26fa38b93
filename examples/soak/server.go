package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/apiserver/server"
	"github.com/polyarch/polyarch/examples/internal/atomicfile"
)

// A testedServer is the API server as a child process, of which it is known at any
// time which import mode it runs with.
type testedServer struct {
	*launch.Server
	config string // file
	// collects says that the program collects its garbage when it is told to.
	collects bool

	mu   sync.Mutex // held while a run ends and the next begins
	mode imagev1.ImportModeType
	runs runs
}

// startServer starts an API server that keeps all it has below dir.
func startServer(ctx context.Context, dir string, mode imagev1.ImportModeType, options launch.Options) (*testedServer, error) {
	// The server would ask the go command at each start.
	openshift, err := server.OpenShiftAPIDir(ctx)
	if err != nil {
		return nil, err
	}
	s := &testedServer{config: filepath.Join(dir, "config.yaml"), mode: mode}
	if err := s.configure(mode); err != nil {
		return nil, err
	}
	if options.Command == nil {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		options.Command = []string{self, apiserverCommand}
		s.collects = true
	}
	options.DataDir = filepath.Join(dir, "data")
	options.RuntimeDir = filepath.Join(dir, "run")
	options.ConfigFile = s.config
	options.Flags = append(options.Flags, "--openshift-api-dir="+openshift)
	s.runs.begin(mode, time.Now())
	s.Server, err = launch.Start(ctx, options)
	s.runs.ready(time.Now())
	return s, err
}

// configure sets the mode of the next run.
func (s *testedServer) configure(mode imagev1.ImportModeType) error {
	content := fmt.Sprintf("apiVersion: openshiftcontrolplane.config.openshift.io/v1\nkind: OpenShiftAPIServerConfig\nimagePolicyConfig:\n  imageStreamImportMode: %q\n", mode)
	if err := atomicfile.Write(s.config, []byte(content)); err != nil {
		return err
	}
	s.mode = mode
	return nil
}

// current is the mode that the server has, or will have when it is there again.
func (s *testedServer) current() imagev1.ImportModeType {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mode
}

// next ends the run by Stop or Kill, whichever is given, and starts the next one with a
// mode; the empty one is the one it has. Between them, meanwhile is called, if given.
func (s *testedServer) next(ctx context.Context, end func() error, mode imagev1.ImportModeType, meanwhile func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if mode == "" {
		mode = s.mode
	}
	s.runs.ending(time.Now())
	bad := end() // it is over all the same
	s.runs.over(time.Now())
	if err := s.configure(mode); err != nil {
		return err
	}
	s.runs.begin(mode, time.Now())
	if meanwhile != nil {
		if err := meanwhile(); err != nil {
			return errors.Join(bad, err)
		}
	}
	err := s.Restart(ctx)
	s.runs.ready(time.Now())
	return errors.Join(bad, err)
}

// runs are the last runs of the server, oldest first.
type runs struct {
	mu  sync.Mutex
	all []run
}

// A run is one life of the process. It may have been killed during its start and
// started again, with the same mode. Times are zero as long as they have not come.
type run struct {
	mode                       imagev1.ImportModeType
	began, ready, ending, over time.Time
}

// kept is how many runs are remembered: no request is as old as that.
const kept = 64

func (r *runs) begin(mode imagev1.ImportModeType, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all[max(0, len(r.all)-kept):], run{mode: mode, began: now})
}

func (r *runs) ready(now time.Time)  { r.last(func(run *run) { run.ready = now }) }
func (r *runs) ending(now time.Time) { r.last(func(run *run) { run.ending = now }) }
func (r *runs) over(now time.Time)   { r.last(func(run *run) { run.over = now }) }

func (r *runs) last(edit func(*run)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	edit(&r.all[len(r.all)-1])
}

// served reports whether the server was there all the time between the two, so that an
// error has no excuse.
func (r *runs) served(sent, answered time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, run := range r.all {
		if !run.ready.IsZero() && !run.ready.After(sent) && (run.ending.IsZero() || run.ending.After(answered)) {
			return true
		}
	}
	return false
}

// serves reports whether a server is there now.
func (r *runs) serves() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	run := r.all[len(r.all)-1]
	return !run.ready.IsZero() && run.ending.IsZero()
}

// modes are those that a request can have met which was sent and answered at these
// times: one, unless the server began anew with another in between.
func (r *runs) modes(sent, answered time.Time) []imagev1.ImportModeType {
	r.mu.Lock()
	defer r.mu.Unlock()
	var modes []imagev1.ImportModeType
	for _, run := range r.all {
		if run.began.Before(answered) && (run.over.IsZero() || run.over.After(sent)) && !slices.Contains(modes, run.mode) {
			modes = append(modes, run.mode)
		}
	}
	return modes
}
