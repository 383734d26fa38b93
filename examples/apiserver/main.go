// Command apiserver runs the reference apiserver of package server until it is
// interrupted.
//
//	go run ./apiserver [--data-dir dir] [--config file] ...
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/polyarch/polyarch/examples/apiserver/server"
)

func main() {
	err := server.Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
}
