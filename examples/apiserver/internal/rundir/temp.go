package rundir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"
)

const (
	tempPrefix = "polyarch-apiserver-"
	// keepName is the lock of the process that made the directory, which need not be
	// the one that uses it.
	keepName = "keep"
)

// Temp makes a temporary directory, and first removes those that processes left behind
// which were killed.
func Temp() (dir string, remove func() error, err error) {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), tempPrefix+"*"))
	for _, dir := range left {
		sweep(dir)
	}
	for {
		if dir, err = os.MkdirTemp("", tempPrefix); err != nil {
			return "", nil, err
		}
		keep := filepath.Join(dir, keepName)
		release, err := tryLock(keep)
		switch {
		case err == nil && exists(keep):
			return dir, func() error {
				err := removeAll(dir)
				_ = release() // a second time it is closed
				return err
			}, nil
		case err == nil:
			_ = release()
		case !errors.Is(err, fileutil.ErrLocked) && !errors.Is(err, fs.ErrNotExist):
			return "", nil, errors.Join(err, os.RemoveAll(dir))
		}
		// Another process took it for one that was left behind. It is gone.
	}
}

// sweep removes a directory of ours that nobody uses. Whoever has just made one, and has
// no lock yet, notices.
func sweep(dir string) {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		return
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Getuid() {
		return
	}
	if !exists(filepath.Join(dir, keepName)) {
		// Not made by Temp, or by one that was killed before it had the lock or while
		// it removed the directory: then it is empty. Others are left alone.
		_ = os.Remove(dir)
		return
	}
	for _, name := range []string{keepName, lockName, filepath.Join("run", lockName)} {
		file := filepath.Join(dir, name)
		if name != keepName && !exists(file) {
			continue
		}
		held, err := fileutil.TryLockFile(file, os.O_RDWR, 0)
		if err != nil {
			return
		}
		defer held.Close()
	}
	_ = removeAll(dir)
}

// removeAll removes a directory of ours, its lock last: what a kill leaves of it is still
// known as ours.
func removeAll(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, entry := range entries {
		if entry.Name() != keepName {
			errs = append(errs, os.RemoveAll(filepath.Join(dir, entry.Name())))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}
