package atomicfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/polyarch/polyarch/examples/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, []byte("before, and longer than after"), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := atomicfile.Write(file, []byte("after")); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(file)
		if err != nil || string(content) != "after" {
			t.Errorf("%q, %v", content, err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v; want mode 0600", info.Mode(), err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left beside it: %v, %v", left, err)
	}
	if err := atomicfile.Write(filepath.Join(dir, "none", "config"), nil); err == nil {
		t.Error("a directory that is not there: no error")
	}
}

// A reader that comes while the file is replaced sees the one or the other.
func TestReadersSeeWholeContent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	contents := [][]byte{bytes.Repeat([]byte("a"), 1<<16), bytes.Repeat([]byte("b"), 1<<15)}
	if err := atomicfile.Write(file, contents[0]); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		var err error
		for n := 0; n < 100 && err == nil; n++ {
			err = atomicfile.Write(file, contents[n%2])
		}
		done <- err
	}()
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
		got, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(got, contents[0]) && !bytes.Equal(got, contents[1]) {
			t.Fatalf("read %d bytes of neither content, %v", len(got), err)
		}
	}
}
