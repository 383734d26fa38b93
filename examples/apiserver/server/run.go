package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/client-go/rest"

	"github.com/polyarch/polyarch/importmode"
)

const readyTimeout = 60 * time.Second

// Run serves until ctx ends. When everything is served, it writes the
// kubeconfig and calls ready with its path.
func Run(ctx context.Context, o Options, ready func(kubeconfig string)) (err error) {
	started := false
	defer func() {
		if !started && ctx.Err() != nil {
			err = nil // what fails because it is told to stop has not failed
		}
	}()
	// What is wrong with the request is to show before anything is touched.
	if err := o.Validate(); err != nil {
		return err
	}
	config, err := readConfig(o.ConfigFile)
	if err != nil {
		return err
	}
	cluster, err := importmode.Configure(config.ImagePolicyConfig)
	if err != nil {
		return fmt.Errorf("--config %s: %w", o.ConfigFile, err)
	}
	imports, err := newImports(o, config.ImagePolicyConfig)
	if err != nil {
		return fmt.Errorf("--config %s: %w", o.ConfigFile, err)
	}
	crds, err := readCRDs(ctx, o)
	if err != nil {
		return err
	}
	if len(o.EtcdServers) > 0 {
		if err := checkEtcd(ctx, o); err != nil {
			return err
		}
	}

	for _, dir := range []*string{&o.DataDir, &o.RuntimeDir} {
		if *dir == "" {
			if *dir, err = os.MkdirTemp("", "polyarch-"); err != nil {
				return err
			}
			defer os.RemoveAll(*dir)
		}
		if err := os.MkdirAll(*dir, 0o700); err != nil {
			return err
		}
	}
	if o.KubeconfigOut == "" {
		o.KubeconfigOut = filepath.Join(o.DataDir, "kubeconfig")
	}
	if o.KubeconfigOut, err = filepath.Abs(o.KubeconfigOut); err != nil {
		return err
	}
	bind := net.ParseIP(o.BindAddress)
	id, err := loadIdentity(o.DataDir, bind)
	if err != nil {
		return err
	}
	serving, err := servingCertificate(o, id)
	if err != nil {
		return err
	}
	listener, err := listen(ctx, net.JoinHostPort(o.BindAddress, strconv.Itoa(o.SecurePort)))
	if err != nil {
		return err
	}
	defer listener.Close()

	if len(o.EtcdServers) == 0 {
		etcd, err := startEtcd(ctx, filepath.Join(o.DataDir, "etcd"), o.RuntimeDir)
		if err != nil {
			return err
		}
		defer etcd.Close()
		o.EtcdServers = []string{EtcdEndpoint(o.RuntimeDir)}
	}

	server, err := assemble(o, imports, cluster, listener, id, serving)
	if err != nil {
		return err
	}
	var crdsInstalled atomic.Bool
	err = server.AddReadyzChecks(healthz.NamedCheck("crds-installed", func(*http.Request) error {
		if !crdsInstalled.Load() {
			return errors.New("not yet")
		}
		return nil
	}))
	if err != nil {
		return err
	}

	return serve(ctx, server, func() error {
		if err := installCRDs(ctx, server.LoopbackClientConfig, crds); err != nil {
			return err
		}
		crdsInstalled.Store(true)
		if err := await(ctx, server.LoopbackClientConfig, "/readyz"); err != nil {
			return err
		}
		ca, _ := serving.CurrentCertKeyContent()
		if err := writeKubeconfig(o.KubeconfigOut, clientURL(listener.Addr()), id.token, ca); err != nil {
			return fmt.Errorf("kubeconfig: %w", err)
		}
		started = true
		ready(o.KubeconfigOut)
		return nil
	})
}

// serve runs the server, and start when it answers, until ctx ends. If start
// fails, it ends at once.
func serve(ctx context.Context, server *genericapiserver.GenericAPIServer, start func() error) error {
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
	err := await(serving, server.LoopbackClientConfig, "/livez")
	if err == nil {
		err = start()
	}
	if err == nil {
		select {
		case <-ctx.Done():
		case <-serving.Done():
		}
	}
	stop()
	return errors.Join(err, <-stopped)
}

func servingCertificate(o Options, id identity) (dynamiccertificates.CertKeyContentProvider, error) {
	if o.TLSCertFile == "" {
		return dynamiccertificates.NewStaticCertKeyContent("self-signed", id.certPEM, id.keyPEM)
	}
	return dynamiccertificates.NewDynamicServingContentFromFiles("serving", o.TLSCertFile, o.TLSPrivateKeyFile)
}

// listen binds the port, and gives the server that had it before a moment to
// let go of it.
func listen(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	for deadline := time.Now().Add(2 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		listener, err := config.Listen(ctx, "tcp", address)
		if err == nil || ctx.Err() != nil || time.Now().After(deadline) {
			return listener, err
		}
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

// clientURL returns what a client on this machine connects to.
func clientURL(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("https://localhost:%d", tcp.Port)
	}
	return "https://" + address.String()
}
