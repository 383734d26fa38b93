// Package registry runs an OCI registry inside this process, for tests and
// walkthroughs: the handlers of github.com/distribution/distribution on a free
// loopback port, with everything in memory.
package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/distribution/distribution/v3/configuration"
	"github.com/distribution/distribution/v3/registry/handlers"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/inmemory" // the storage that Start configures
	"github.com/sirupsen/logrus"
)

// Options are how to run a registry. The zero value runs a plain one.
type Options struct {
	// Wrap, if set, gets the registry's handler and returns the one to serve, so
	// that a test can watch requests or cut them off.
	Wrap func(http.Handler) http.Handler
}

// A Registry is a running registry.
type Registry struct {
	// Host is the host and port to use in image names, such as
	// 127.0.0.1:41234. Clients speak plain HTTP to loopback addresses.
	Host string

	app    *handlers.App
	server *http.Server
	served chan error
}

// Start runs a registry until Close. It silences the process-wide logger of
// logrus, which distribution logs to and offers no other handle on.
func Start(opts Options) (*Registry, error) {
	logrus.SetOutput(io.Discard)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("registry: %w", err)
	}
	config := &configuration.Configuration{
		Storage: configuration.Storage{
			"inmemory": configuration.Parameters{},
			"delete":   configuration.Parameters{"enabled": true},
			"maintenance": configuration.Parameters{
				"uploadpurging": map[any]any{"enabled": false},
			},
		},
	}
	config.HTTP.Secret = "loopback"
	r := &Registry{
		Host:   listener.Addr().String(),
		app:    handlers.NewApp(context.Background(), config),
		served: make(chan error, 1),
	}
	var handler http.Handler = r.app
	if opts.Wrap != nil {
		handler = opts.Wrap(handler)
	}
	r.server = &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() { r.served <- r.server.Serve(listener) }()
	return r, nil
}

// Close ends the registry and every connection to it.
func (r *Registry) Close() error {
	err := r.server.Close()
	if served := <-r.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return errors.Join(err, r.app.Shutdown())
}
