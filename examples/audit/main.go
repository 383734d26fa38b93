// Command audit tells, of a running cluster or a must-gather, which payload and which
// architectures there are, where the import mode of image streams lags, what cannot run
// where, what a change would do, and how all that is mended:
//
//	go run -C examples ./audit
//	go run -C examples ./audit --must-gather must-gather.tar.gz --what-if payload=multi
//
// It reads and never writes. docs/users/audit.md is for administrators, docs/audit.md has
// the codes, the schema of the JSON and the exit status.
package main

import (
	"context"
	"os"

	"github.com/polyarch/polyarch/examples/audit/command"
	"github.com/polyarch/polyarch/examples/internal/interrupt"
)

func main() {
	ctx, stop := interrupt.Context(context.Background())
	status := command.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
