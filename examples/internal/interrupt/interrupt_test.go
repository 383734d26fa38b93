package interrupt_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/polyarch/polyarch/examples/internal/interrupt"
)

// TestMain lets copies of this binary be the program that is to end, and the one
// that started it.
func TestMain(m *testing.M) {
	switch os.Getenv("INTERRUPT_TEST") {
	case "program":
		ctx, stop := interrupt.Context(context.Background())
		defer stop()
		fmt.Println("running", os.Getpid())
		select {
		case <-ctx.Done():
			fmt.Println("ended")
		case <-time.After(time.Minute):
		}
	case "starter":
		program := exec.Command(os.Getenv("PROGRAM"))
		program.Env = append(os.Environ(), "INTERRUPT_TEST=program")
		program.Stdout = os.Stdout
		if err := program.Run(); err != nil {
			panic(err)
		}
	default:
		os.Exit(m.Run())
	}
}

// start runs a copy of this binary under that name, which starts the program.
func start(t *testing.T, name string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	starter := filepath.Join(t.TempDir(), name)
	// A process forked meanwhile would hold the file open for writing, and what is
	// being written cannot be run.
	syscall.ForkLock.RLock()
	err = os.WriteFile(starter, self, 0o700)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(starter)
	command.Env = append(os.Environ(), "INTERRUPT_TEST=starter", "PROGRAM="+os.Args[0])
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	lines.Scan()
	var pid int
	if _, err := fmt.Sscanf(lines.Text(), "running %d", &pid); err != nil {
		t.Fatalf("the program says %q, %v, %v", lines.Text(), err, lines.Err())
	}
	t.Cleanup(func() {
		// The one that is to run on has nobody else who ends it.
		_ = syscall.Kill(pid, syscall.SIGKILL)
		_ = command.Wait()
	})
	return command, lines
}

// TestEndsWithGoRun holds that SIGTERM to go run, which it does not pass on,
// leaves no program behind, and that other programs may go before theirs.
func TestEndsWithGoRun(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]bool{"go": true, "sh": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command, lines := start(t, name)
			if err := command.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			told := make(chan string, 1)
			go func() {
				lines.Scan()
				told <- lines.Text()
			}()
			select {
			case line := <-told:
				if !ends || line != "ended" {
					t.Errorf("the program says %q", line)
				}
			case <-time.After(2 * time.Second):
				if ends {
					t.Error("the program runs on")
				}
			}
		})
	}
}

func TestEndsWithSignals(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			command := exec.Command(os.Args[0])
			command.Env = append(os.Environ(), "INTERRUPT_TEST=program")
			stdout, err := command.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			out := bufio.NewReader(stdout)
			if _, err := out.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(out)
			if err := command.Wait(); err != nil || strings.TrimSpace(string(rest)) != "ended" {
				t.Errorf("%v, %q", err, rest)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}
