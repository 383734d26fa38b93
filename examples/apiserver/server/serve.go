package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/rest"
)

const (
	readyTimeout = 60 * time.Second
	// hooksGrace is what the server's own hooks have that were under way when it was
	// told to stop. They take a second, unless etcd is gone.
	hooksGrace = 3 * time.Second
	// stopTimeout is more than a server takes to stop that stops at all.
	stopTimeout = shutdownGrace + watchGrace + 2*time.Second
)

// serve runs the server, and start when it answers, until ctx ends. If start
// fails, it ends at once.
func serve(ctx context.Context, server *genericapiserver.GenericAPIServer, start func(context.Context) error) error {
	// A server that is told to stop before its own hooks are through kills the
	// process, so until then it is not told.
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	stopped := make(chan error, 1)
	prepared := server.PrepareRun()
	go func() {
		stopped <- prepared.RunWithContext(serving)
		stop()
	}()
	hooks, giveUp := context.WithCancel(serving)
	defer giveUp()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(hooksGrace, giveUp) })()
	if err := await(hooks, server.LoopbackClientConfig, "/livez"); err != nil {
		if ctx.Err() != nil {
			return err // it cannot be told to stop, so it ends with the process
		}
		stop()
		return errors.Join(err, <-stopped)
	}
	err := start(ctx)
	if err == nil {
		select {
		case <-ctx.Done():
		case <-serving.Done():
		}
	}
	stop()
	select {
	case stopErr := <-stopped:
		return errors.Join(err, stopErr)
	case <-time.After(stopTimeout):
		return errors.Join(err, fmt.Errorf("requests were still open %s after the server was told to stop; what was acknowledged is stored", stopTimeout))
	}
}

// await returns when the server says OK at the path.
func await(ctx context.Context, loopback *rest.Config, path string) error {
	client, err := rest.HTTPClientFor(loopback)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, loopback.Host+path, nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err == nil {
			answer, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
			err = errors.New(string(answer))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w; last: %w", path, ctx.Err(), err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
