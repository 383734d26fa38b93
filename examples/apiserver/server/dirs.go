package server

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/polyarch/polyarch/examples/apiserver/internal/rundir"
)

// makeDirs makes the directories of the options, with temporary ones for those that are
// not given, and takes them for this process. What it returns gives them back.
func makeDirs(ctx context.Context, o *Options) (_ func(), err error) {
	var releases []func() error
	release := func() {
		for i := len(releases) - 1; i >= 0; i-- {
			_ = releases[i]()
		}
	}
	defer func() {
		if err != nil {
			release()
		}
	}()
	temp := func() (string, error) {
		dir, remove, err := rundir.Temp()
		if err != nil {
			return "", fmt.Errorf("temporary directory: %w: set TMPDIR to one that you can write to, or give --data-dir and --runtime-dir", err)
		}
		releases = append(releases, remove)
		return dir, nil
	}
	if o.DataDir == "" {
		if o.DataDir, err = temp(); err != nil {
			return nil, err
		}
	}
	if o.RuntimeDir == "" {
		o.RuntimeDir = rundir.In(o.DataDir)
	}
	if o.RuntimeDir == "" {
		if o.RuntimeDir, err = temp(); err != nil {
			return nil, err
		}
	}
	dirs := []struct{ flag, path string }{{"--data-dir", o.DataDir}, {"--runtime-dir", o.RuntimeDir}}
	for i, dir := range dirs {
		if err := os.MkdirAll(dir.path, 0o700); err != nil {
			return nil, fmt.Errorf("%s: %w", dir.flag, remedied(err, dir.path))
		}
		if i == 1 {
			if len(o.EtcdServers) > 0 {
				break // no socket is there
			}
			if err := checkRuntimeDir(dir.path); err != nil {
				return nil, err
			}
			if same(dirs[0].path, dir.path) {
				break
			}
		}
		unlock, err := rundir.Lock(ctx, dir.path)
		if inUse := (*rundir.InUseError)(nil); errors.As(err, &inUse) {
			return nil, fmt.Errorf("%s: %w: stop that one, or choose another directory", dir.flag, err)
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", dir.flag, remedied(err, dir.path))
		}
		releases = append(releases, unlock)
	}
	return release, nil
}

func same(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}
