package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/polyarch/polyarch/examples/apiserver/server"
)

// apiserverCommand as the first argument makes this executable be the API server.
const apiserverCommand = "apiserver"

// beAPIServer runs the API server and exits, if that is what this process was started
// for. It is the server of examples/apiserver, which beside that collects its garbage
// when it is told to, so that its memory can be measured without what is garbage.
func beAPIServer(ctx context.Context) {
	if len(os.Args) < 2 || os.Args[1] != apiserverCommand {
		return
	}
	collect := make(chan os.Signal, 1)
	signal.Notify(collect, collectSignal)
	go func() {
		for range collect {
			debug.FreeOSMemory()
		}
	}()
	if err := server.Main(ctx, os.Args[2:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "apiserver: %v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}

const collectSignal = syscall.SIGUSR1
