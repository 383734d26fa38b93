package faults_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSecond starts servers on what a first one uses, which serves on.
func TestSecond(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	first := start(t, "--data-dir="+dir)
	c, j := first.client(t), newJournal()
	if err := j.create(t.Context(), c, "before", "1"); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	const nobody = "127.0.0.1:1" // listens there
	t.Run("meanwhile", func(t *testing.T) {
		for _, c := range []struct {
			name string
			args []string
			says []string
		}{
			{"one data directory", []string{"--data-dir=" + dir}, []string{"--data-dir", dir, fmt.Sprintf("process %d", first.Process.Pid), "stop that one, or choose another"}},
			{"one runtime directory", []string{"--runtime-dir=" + filepath.Join(dir, "run")}, []string{"--runtime-dir", fmt.Sprintf("process %d", first.Process.Pid), "stop that one, or choose another"}},
			{"one port", []string{"--secure-port=" + port}, []string{"--secure-port", port, "choose another port"}},
			{"a file as data directory", []string{"--data-dir=" + file}, []string{"--data-dir", file, "choose another"}},
			{"a data directory below a file", []string{"--data-dir=" + file + "/x"}, []string{"--data-dir", file, "choose another"}},
			{"no configuration", []string{"--config=" + file + ".yaml"}, []string{"--config", file + ".yaml", "leave the flag out"}},
			{"a bad configuration", []string{"--config=" + file}, []string{"--config", file}},
			{"etcd not reachable", []string{"--etcd-servers=http://" + nobody}, []string{"--etcd-servers", nobody, "is the member running there?"}},
		} {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				start(t, c.args...).refuses(t, c.says...)
			})
		}
	})
	if err := j.create(t.Context(), c, "after", "2"); err != nil {
		t.Errorf("the first server: %v", err)
	}
	j.check(t, c)
	first.stop(t)
}

// mount mounts a tmpfs of that size until the test ends.
func mount(t *testing.T, size string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("##### SKIPPED: only root can mount a small file system #####")
	}
	dir := tempDir(t)
	if output, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size+",mode=0700", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("##### SKIPPED: a small file system cannot be mounted here: %v %s #####", err, output)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func remount(t *testing.T, dir, options string) {
	t.Helper()
	if output, err := exec.Command("mount", "-o", "remount,"+options, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// TestFullDisk fills the disk in the middle of writes, and then makes room.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := mount(t, "152m") // two logs of 64 MB, of which etcd makes the second beforehand, and a database
	p := start(t, "--data-dir="+dir)
	c, j := p.client(t), newJournal()
	large := strings.Repeat("x", 150<<10)
	var err error
	for n := 0; err == nil && n < 1000; n++ {
		err = j.create(t.Context(), c, fmt.Sprintf("s-%d", n), large)
	}
	if err == nil {
		t.Fatal("the disk is not full")
	}
	t.Logf("%d writes were acknowledged; then: %v", len(j.acknowledged), err)
	p.refuses(t, "no space left on device", "make room there and start again")
	// Still full.
	start(t, "--data-dir="+dir).refuses(t, "no space left on device", "make room there")
	remount(t, dir, "size=300m")
	p = start(t, "--data-dir="+dir)
	c = p.client(t)
	j.check(t, c)
	if err := j.create(t.Context(), c, "after", "1"); err != nil {
		t.Error(err)
	}
	p.stop(t)
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	dir := mount(t, "200m")
	remount(t, dir, "ro")
	start(t, "--data-dir="+dir).refuses(t, "read-only file system", "choose another")
	start(t, "--data-dir="+dir+"/x").refuses(t, "--data-dir", "read-only file system", "choose another")
	start(t, "--runtime-dir="+dir).refuses(t, "read-only file system", "choose another")
	startIn(t, filepath.Join(dir, "tmp")).refuses(t, "TMPDIR", "--data-dir")
	remount(t, dir, "rw")
	p := start(t, "--data-dir="+dir)
	c, j := p.client(t), newJournal()
	if err := j.create(t.Context(), c, "one", "1"); err != nil {
		t.Fatal(err)
	}
	p.stop(t)
	remount(t, dir, "ro")
	before := state(t, dir)
	start(t, "--data-dir="+dir).refuses(t, "read-only file system", "choose another")
	if after := state(t, dir); len(after) != len(before) {
		t.Errorf("it was %v and is %v", before, after)
	}
}

// TestTemporary kills servers that had no directory given: the next one removes what is
// left, and its own.
func TestTemporary(t *testing.T) {
	t.Parallel()
	tmp := tempDir(t)
	killed := startIn(t, tmp)
	killed.client(t)
	killed.signal(t, syscall.SIGKILL)
	killed.wait(t)
	if left, err := filepath.Glob(filepath.Join(tmp, "*")); err != nil || len(left) != 1 {
		t.Fatalf("%v, %v; want what the kill left", left, err)
	}
	p := startIn(t, tmp)
	p.client(t)
	p.stop(t)
	p.nothingLeft(t)
}
