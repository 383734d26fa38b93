// Package interrupt tells commands when to end.
package interrupt

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Context returns a context that ends with parent, with an interrupt or SIGTERM,
// and with the "go run" that started this process: go run passes no SIGTERM on,
// so that its program would stay behind without anybody who knows of it. Whoever
// else starts a process may go and leave it running. A second signal ends the
// process as if this package were not there.
func Context(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	if pid := os.Getppid(); isGo(pid) {
		go func() {
			for ctx.Err() == nil && os.Getppid() == pid {
				time.Sleep(100 * time.Millisecond)
			}
			stop()
		}()
	}
	return ctx, stop
}

// isGo reports whether the process is the go command.
func isGo(pid int) bool {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil {
		// Not Linux.
		name, err = exec.Command("ps", "-o", "comm=", "-p", fmt.Sprint(pid)).Output()
	}
	return err == nil && filepath.Base(strings.TrimSpace(string(name))) == "go"
}
