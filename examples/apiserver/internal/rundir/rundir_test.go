package rundir_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/polyarch/polyarch/examples/apiserver/internal/rundir"
)

// TestMain lets copies of this binary be the process that is killed.
func TestMain(m *testing.M) {
	switch os.Getenv("RUNDIR_TEST") {
	case "lock":
		if _, err := rundir.Lock(context.Background(), os.Getenv("DIR")); err != nil {
			panic(err)
		}
		fmt.Println("locked")
	case "temp":
		dir, _, err := rundir.Temp()
		if err != nil {
			panic(err)
		}
		fmt.Println(dir)
	default:
		os.Exit(m.Run())
	}
	time.Sleep(time.Minute)
}

// start runs a copy and returns the line that it says.
func start(t *testing.T, environment ...string) (*exec.Cmd, string) {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), environment...)
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { command.Process.Kill() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return command, strings.TrimSpace(line)
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	other, _ := start(t, "RUNDIR_TEST=lock", "DIR="+dir)
	inUse := (*rundir.InUseError)(nil)
	if _, err := rundir.Lock(t.Context(), dir); !errors.As(err, &inUse) || inUse.Dir != dir || inUse.Process != fmt.Sprint(other.Process.Pid) {
		t.Errorf("got %v, want that process %d uses it", err, other.Process.Pid)
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	other.Wait()
	release, err := rundir.Lock(t.Context(), dir)
	if err != nil {
		t.Fatalf("after a kill: %v", err)
	}
	if _, err := rundir.Lock(t.Context(), dir); !errors.As(err, &inUse) {
		t.Errorf("a second time in one process: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if release, err = rundir.Lock(t.Context(), dir); err != nil {
		t.Errorf("after the release: %v", err)
	} else if err := release(); err != nil {
		t.Error(err)
	}
	if _, err := rundir.Lock(t.Context(), filepath.Join(dir, "none")); err == nil || errors.As(err, &inUse) {
		t.Errorf("no directory: %v", err)
	}
}

func TestTemp(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	entries := func() string {
		found, err := filepath.Glob(filepath.Join(tmp, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(found, " ")
	}
	other, left := start(t, "RUNDIR_TEST=temp")
	stranger := filepath.Join(tmp, "polyarch-apiserver-stranger")
	if err := os.MkdirAll(filepath.Join(stranger, "content"), 0o700); err != nil {
		t.Fatal(err)
	}
	dir, remove, err := rundir.Temp()
	if err != nil {
		t.Fatal(err)
	}
	if got := entries(); !strings.Contains(got, left) || !strings.Contains(got, dir) || !strings.Contains(got, stranger) {
		t.Errorf("there is %s; want that of a process which lives, ours, and one of somebody else's", got)
	}
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	// A directory outlives its maker as long as somebody has its lock.
	release, err := rundir.Lock(t.Context(), left)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	other.Wait()
	for _, want := range []bool{true, false} {
		_, remove, err := rundir.Temp()
		if err != nil {
			t.Fatal(err)
		}
		if err := remove(); err != nil {
			t.Fatal(err)
		}
		if got := entries(); strings.Contains(got, left) != want || !strings.Contains(got, stranger) {
			t.Errorf("there is %s; want %s %v", got, left, want)
		}
		release()
	}
}

// What is removed can be told to be ours until nothing is left, in case of a kill.
func TestTempRemovesItsLockLast(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, remove, err := rundir.Temp()
	if err != nil {
		t.Fatal(err)
	}
	// A directory that is listed, and so might be removed, after the lock.
	sub := ""
	for i := 0; sub == ""; i++ {
		if i == 100 {
			t.Skip("this file system lists the lock last, whatever else is there")
		}
		if err := os.Mkdir(filepath.Join(dir, fmt.Sprint("sub", i)), 0o700); err != nil {
			t.Fatal(err)
		}
		if names := listed(t, dir); names[len(names)-1] != "keep" {
			sub = filepath.Join(dir, names[len(names)-1])
		}
	}
	for i := range 500 {
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprint(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	removed := make(chan error, 1)
	go func() { removed <- remove() }()
	for left := true; left; {
		// In this order: what is left is looked for when the lock was gone already.
		_, lockErr := os.Stat(filepath.Join(dir, "keep"))
		_, subErr := os.Stat(sub)
		if left = subErr == nil; left && lockErr != nil {
			t.Fatal("the lock is gone, and a directory is not")
		}
	}
	if err := <-removed; err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

// listed returns the names in a directory as the file system orders them.
func listed(t *testing.T, dir string) []string {
	t.Helper()
	file, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	names, err := file.Readdirnames(-1)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// Those who make directories while others sweep get one that stays.
func TestTempAtOnce(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 25 {
				dir, remove, err := rundir.Temp()
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
					t.Error(err)
				}
				if err := remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestSocket(t *testing.T) {
	if dir := rundir.In("/data"); dir != "/data/run" {
		t.Errorf("got %q", dir)
	}
	long := "/" + strings.Repeat("x", 100)
	if dir := rundir.In(long); dir != "" {
		t.Errorf("got %q, which is too long", dir)
	}
	if _, err := rundir.Socket(long); err == nil || !strings.Contains(err.Error(), "107") {
		t.Errorf("got %v", err)
	}
}
