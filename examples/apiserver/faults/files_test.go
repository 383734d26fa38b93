package faults_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// state has a sum of each file, to see that nothing changed.
func state(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		sums[file] = fmt.Sprintf("%x of %d bytes", sha256.Sum256(used(content)), len(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// duplicate copies a data directory. What is zero at the end of a file is not written.
func duplicate(t *testing.T, from string) string {
	t.Helper()
	dir := tempDir(t)
	err := filepath.WalkDir(from, func(file string, entry fs.DirEntry, err error) error {
		to := filepath.Join(dir, strings.TrimPrefix(file, from))
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(to, 0o700)
		case !entry.Type().IsRegular():
			return nil // a socket
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, used(content), 0o600); err != nil {
			return err
		}
		return os.Truncate(to, int64(len(content)))
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// used is what comes before the zeros at the end. etcd makes a log 64 MB long before it
// writes to it, of which it is quicker to look at blocks than at bytes.
func used(content []byte) []byte {
	zeros := make([]byte, 64<<10)
	for bytes.HasSuffix(content, zeros) {
		content = content[:len(content)-len(zeros)]
	}
	return bytes.TrimRight(content, "\x00")
}
