// Command etcdmember runs one member of an etcd cluster until it is interrupted,
// so that tests have processes to kill and to stall. Its flags are etcd's own:
// what the tests start it with, etcd can be started with.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	etcdflags "go.etcd.io/etcd/pkg/v3/flags"
	"go.etcd.io/etcd/server/v3/embed"

	"github.com/polyarch/polyarch/examples/internal/interrupt"
)

func main() {
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	err := run(ctx, os.Args[1:])
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "etcdmember:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends, and says on standard output when it has joined its
// cluster.
func run(ctx context.Context, args []string) error {
	config := embed.NewConfig()
	flags := flag.NewFlagSet("etcdmember", flag.ContinueOnError)
	config.AddFlags(flags)
	withStdin := flags.Bool("exit-with-stdin", false, "stop at the end of standard input, that is with the process that holds its other end")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	// Those that are lists do not reach the configuration by themselves: the
	// command etcd copies them, too (server/etcdmain/config.go, configFromCmdLine).
	config.ListenClientUrls = etcdflags.UniqueURLsFromFlag(flags, "listen-client-urls")
	config.AdvertiseClientUrls = etcdflags.UniqueURLsFromFlag(flags, "advertise-client-urls")
	config.ListenPeerUrls = etcdflags.UniqueURLsFromFlag(flags, "listen-peer-urls")
	config.AdvertisePeerUrls = etcdflags.UniqueURLsFromFlag(flags, "initial-advertise-peer-urls")
	config.LogOutputs = []string{"stderr"}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if *withStdin {
		go func() {
			io.Copy(io.Discard, os.Stdin)
			cancel()
		}()
	}
	return serve(ctx, config)
}

func serve(ctx context.Context, config *embed.Config) error {
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	defer etcd.Close()
	joined := etcd.Server.ReadyNotify()
	for {
		select {
		case <-joined:
			fmt.Println("ready")
			joined = nil
		case err := <-etcd.Err():
			return err
		case <-etcd.Server.StopNotify():
			return errors.New("the member stopped by itself")
		case <-ctx.Done():
			return nil
		}
	}
}
