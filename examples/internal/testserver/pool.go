package testserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
)

// A shared server goes from test to test. It has no watch cache, so what is taken
// out of its storage is gone for its clients at once.
type shared struct {
	*launch.Server
	kind        string
	dir         string
	config      []byte // what is in its configuration file
	pid         int
	etcd        *clientv3.Client
	definitions map[string]int64 // keys and revisions of what it came up with
}

// definitionsPrefix begins the keys of the definitions, which stay.
const definitionsPrefix = launch.StoragePrefix + "/apiextensions.k8s.io/customresourcedefinitions/"

// etcdTimeout is ample for requests to a local socket.
const etcdTimeout = 30 * time.Second

func boot(ctx context.Context, o Options) (*shared, error) {
	dir, err := os.MkdirTemp("", "testserver-")
	if err != nil {
		return nil, err
	}
	s := &shared{dir: dir, config: o.Config}
	if err = os.WriteFile(s.configFile(), o.Config, 0o600); err == nil {
		s.Server, err = launch.Start(ctx, launch.Options{
			Command: o.Command, DataDir: filepath.Join(dir, "data"), ConfigFile: s.configFile(), CRDDirs: o.CRDDirs, Flags: o.Flags,
		})
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s.pid = s.Pid()
	if s.etcd, err = s.Etcd(); err == nil {
		s.definitions, err = s.defined()
	}
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

func (s *shared) configFile() string { return filepath.Join(s.dir, "config.yaml") }

// release empties the server for the next test. One that ended or started anew, or
// whose configuration or definitions are no longer those that it came up with, is
// stopped instead.
func (s *shared) release() error {
	config, err := os.ReadFile(s.configFile())
	if err != nil || !bytes.Equal(config, s.config) || s.Pid() != s.pid {
		return errors.Join(err, s.stop())
	}
	definitions, err := s.defined()
	if err != nil {
		return errors.Join(err, s.stop())
	}
	if !maps.Equal(definitions, s.definitions) {
		return s.stop()
	}
	ctx, cancel := context.WithTimeout(context.Background(), etcdTimeout)
	defer cancel()
	for _, around := range [][2]string{
		{launch.StoragePrefix + "/", definitionsPrefix},
		{clientv3.GetPrefixRangeEnd(definitionsPrefix), clientv3.GetPrefixRangeEnd(launch.StoragePrefix + "/")},
	} {
		if _, err := s.etcd.Delete(ctx, around[0], clientv3.WithRange(around[1])); err != nil {
			return errors.Join(fmt.Errorf("emptying the API server's storage: %w", err), s.stop())
		}
	}
	free.put(s)
	return nil
}

func (s *shared) defined() (map[string]int64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), etcdTimeout)
	defer cancel()
	got, err := s.etcd.Get(ctx, definitionsPrefix, clientv3.WithPrefix(), clientv3.WithKeysOnly())
	if err != nil {
		return nil, fmt.Errorf("reading the API server's storage: %w", err)
	}
	revisions := map[string]int64{}
	for _, kv := range got.Kvs {
		revisions[string(kv.Key)] = kv.ModRevision
	}
	return revisions, nil
}

func (s *shared) stop() error {
	var errs []error
	if s.etcd != nil {
		errs = append(errs, s.etcd.Close())
	}
	return errors.Join(append(errs, s.Stop(), os.RemoveAll(s.dir))...)
}

// free are the servers that no test has.
var free pool

type pool struct {
	mu      sync.Mutex
	servers []*shared
}

// take returns nil if none of the kind is free.
func (p *pool) take(kind string) *shared {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, s := range p.servers {
		if s.kind == kind {
			p.servers = slices.Delete(p.servers, i, i+1)
			return s
		}
	}
	return nil
}

func (p *pool) put(s *shared) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.servers = append(p.servers, s)
}

func (p *pool) stop() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, s := range p.servers {
		errs = append(errs, s.stop())
	}
	p.servers = nil
	return errors.Join(errs...)
}

// kindOf is the same for options of the same meaning, wherever the definitions are.
func kindOf(o Options) (string, error) {
	var kind strings.Builder
	fmt.Fprintf(&kind, "%q %q %q\n", o.Command, o.Config, o.Flags)
	for _, dir := range o.CRDDirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&kind, "%x\n", sha256.Sum256(content))
		}
	}
	return kind.String(), nil
}
