// Package rundir has directories that one process at a time uses, and temporary ones
// that do not outlive the next start.
package rundir

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"
)

const (
	lockName = "lock"
	// patience is for the process before, which may be about to end.
	patience = 2 * time.Second
	// maxSocketPath is what the kernel's sockaddr_un holds beside the final NUL.
	maxSocketPath = 107
	socketName    = "etcd.sock"
)

// An InUseError says that another process has the lock of a directory.
type InUseError struct {
	Dir string
	// Process is the ID that the other process left in the lock, "" if none is there.
	Process string
}

func (e *InUseError) Error() string {
	if e.Process == "" {
		return e.Dir + " is in use by another process"
	}
	return fmt.Sprintf("%s is in use by process %s", e.Dir, e.Process)
}

// Lock takes the directory for this process, until release or the end of the process,
// however it ends: the lock is the kernel's, and the file that stays behind locks nobody
// out. The error is an [*InUseError] if another process has it, or this one.
func Lock(ctx context.Context, dir string) (release func() error, err error) {
	for deadline := time.Now().Add(patience); ; {
		release, err = tryLock(filepath.Join(dir, lockName))
		if !errors.Is(err, fileutil.ErrLocked) {
			return release, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			process, _ := os.ReadFile(filepath.Join(dir, lockName))
			return nil, &InUseError{Dir: dir, Process: strings.TrimSpace(string(process))}
		}
	}
}

func tryLock(name string) (release func() error, err error) {
	file, err := fileutil.TryLockFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	// Only for the message of others. A full disk is no reason not to start.
	if err := file.Truncate(0); err == nil {
		_, _ = fmt.Fprintln(file, os.Getpid())
	}
	return file.Close, nil
}

// Socket is where etcd listens that has the runtime directory. Too long a path is an
// error.
func Socket(dir string) (string, error) {
	socket := filepath.Join(dir, socketName)
	if len(socket) > maxSocketPath {
		return "", fmt.Errorf("the socket path %q has %d bytes, at most %d fit: choose a shorter --runtime-dir", socket, len(socket), maxSocketPath)
	}
	return socket, nil
}

// In is the runtime directory within a data directory, "" if its path is too long.
func In(dataDir string) string {
	dir := filepath.Join(dataDir, "run")
	if _, err := Socket(dir); err != nil {
		return ""
	}
	return dir
}
