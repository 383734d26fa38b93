package server

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/embed"

	"github.com/polyarch/polyarch/examples/apiserver/internal/etcdfiles"
	"github.com/polyarch/polyarch/examples/apiserver/internal/rundir"
)

const (
	etcdTimeout      = 30 * time.Second
	etcdCloseTimeout = 5 * time.Second
)

// EtcdEndpoint is where the etcd of a server with that runtime directory
// listens, for those who want to see what is really stored.
func EtcdEndpoint(runtimeDir string) string {
	// A path that is too long ends the server before anybody wants to know.
	socket, _ := rundir.Socket(runtimeDir)
	return "unix://" + socket
}

// An etcd is the embedded one.
type etcd struct {
	dir     string
	embed   *embed.Etcd
	failure <-chan error // what it cannot go on after
}

// checkRuntimeDir tells before anything is written whether etcd can listen there.
func checkRuntimeDir(dir string) error {
	if _, err := rundir.Socket(dir); err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	// The socket has no other guard than its directory.
	if info, err := os.Stat(dir); err != nil {
		return fmt.Errorf("etcd: %w", err)
	} else if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("etcd: others can enter the runtime directory %s (mode %s): choose one of mode 0700 or one that does not exist", dir, info.Mode())
	}
	return nil
}

// isSocket knows the endpoints that are files, as that of our own etcd is.
func isSocket(endpoint string) bool { return strings.HasPrefix(endpoint, "unix") }

// startEtcd runs a one-member etcd that nobody but the owner of runtimeDir can
// reach: it listens on one socket file there and has no peer listener at all.
func startEtcd(ctx context.Context, dataDir, runtimeDir string) (*etcd, error) {
	if err := checkFiles(dataDir); err != nil {
		return nil, fmt.Errorf("etcd: %w", err)
	}
	socket, err := rundir.Socket(runtimeDir)
	if err != nil {
		return nil, fmt.Errorf("etcd: %w", err)
	}
	log := newEtcdLog(dataDir)
	config := embed.NewConfig()
	config.Dir = dataDir
	config.ListenClientUrls = []url.URL{{Scheme: "unix", Path: socket}}
	// The URLs that it advertises stay the default ones, and are mere names:
	// nobody listens there. A unix:// peer URL would bind an abstract socket,
	// which has no owner.
	config.ListenPeerUrls = nil
	// A single member has nobody to wait for: at the default of one second it
	// sleeps that long before it elects itself.
	config.TickMs, config.ElectionMs = 10, 100
	config.ZapLoggerBuilder = embed.NewZapLoggerBuilder(log.logger())

	type result struct {
		embed *embed.Etcd
		err   error
	}
	started := make(chan result, 1)
	go func() {
		// It may wait for a lock for ever, and it may come upon what ends it.
		e, err := embed.StartEtcd(config)
		started <- result{e, err}
	}()
	deadline := time.After(etcdTimeout)
	var running *embed.Etcd
	for ready := (<-chan struct{})(nil); err == nil; {
		select {
		case r := <-started:
			started = nil
			if running, err = r.embed, r.err; err == nil {
				ready = running.Server.ReadyNotify()
			}
		case <-ready:
			return &etcd{dataDir, running, log.failure}, nil
		case err = <-log.failure:
			return nil, err // it is stuck there, and cannot be closed
		case <-deadline:
			err = errors.New("not ready after " + etcdTimeout.String())
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if started != nil {
		// It is not to write on into directories that are given back.
		select {
		case r := <-started:
			running = r.embed
		case <-log.failure:
		case <-time.After(etcdCloseTimeout):
		}
	}
	if running != nil {
		closeEtcd(running)
	}
	return nil, fmt.Errorf("etcd: %w", remedied(err, dataDir))
}

// checkFiles tells what etcd would not tell, or not in one line.
func checkFiles(dir string) error {
	// bbolt waits for its lock without an end.
	db, err := os.Open(filepath.Join(dir, "member", "snap", "db"))
	if err == nil {
		err = syscall.Flock(int(db.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		db.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return fmt.Errorf("%s is in use by another program: stop that one, or choose another --data-dir", dir)
		}
	}
	damage := (*etcdfiles.DamageError)(nil)
	switch err := etcdfiles.Check(dir); {
	case errors.As(err, &damage) && damage.Rebuild != "":
		return fmt.Errorf("%w; nothing was changed: restore a copy of %s, or move %s away, and all is made anew out of the log", err, dir, damage.Rebuild)
	case errors.As(err, &damage):
		return fmt.Errorf("%w; nothing was changed: restore a copy of %s, or move it away to start empty", err, dir)
	default:
		return remedied(err, dir)
	}
}

// Close stops etcd, and keeps a sum of what it leaves.
func (e *etcd) Close() {
	if closeEtcd(e.embed) {
		// Without it less damage is noticed; what is stored is as good.
		_ = etcdfiles.Seal(e.dir)
	}
}

// closeEtcd reports whether etcd ended: one that cannot write hangs.
func closeEtcd(e *embed.Etcd) bool {
	closed := make(chan struct{})
	go func() {
		e.Close()
		close(closed)
	}()
	select {
	case <-closed:
		return true
	case <-time.After(etcdCloseTimeout):
		return false
	}
}

// remedied says what to do about an error of the file system.
func remedied(err error, dir string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w: make room there and start again; all that was acknowledged is stored", err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, os.ErrPermission), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%w: make %s a directory that you can write to, or choose another", err, dir)
	}
	return err
}
