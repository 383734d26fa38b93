package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/polyarch/polyarch/importmode"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/client-go/rest"
)

const readyTimeout = 60 * time.Second

// Run serves until ctx ends. When everything is served, it writes the
// kubeconfig and calls ready with its path.
func Run(ctx context.Context, o Options, ready func(kubeconfig string)) (err error) {
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
	crds, err := readCRDs(ctx, o)
	if err != nil {
		return err
	}

	for _, dir := range []*string{&o.DataDir, &o.RuntimeDir} {
		if *dir == "" {
			if *dir, err = os.MkdirTemp("", "polyarch-"); err != nil {
				return err
			}
			defer os.RemoveAll(*dir)
		}
		if err := privateDir(*dir); err != nil {
			return err
		}
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

	server, err := assemble(o, cluster, listener, id, serving)
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

	serveCtx, stop := context.WithCancel(ctx)
	defer stop()
	stopped := make(chan error, 1)
	prepared := server.PrepareRun()
	go func() { stopped <- prepared.RunWithContext(serveCtx) }()

	err = func() error {
		if err := installCRDs(serveCtx, server.LoopbackClientConfig, crds); err != nil {
			return err
		}
		crdsInstalled.Store(true)
		if err := awaitReady(serveCtx, server.LoopbackClientConfig); err != nil {
			return err
		}
		if o.KubeconfigOut == "" {
			o.KubeconfigOut = filepath.Join(o.DataDir, "kubeconfig")
		}
		ca, _ := serving.CurrentCertKeyContent()
		if err := writeKubeconfig(o.KubeconfigOut, "https://"+listener.Addr().String(), id.token, ca); err != nil {
			return fmt.Errorf("kubeconfig: %w", err)
		}
		ready(o.KubeconfigOut)
		return nil
	}()
	if ctx.Err() != nil {
		err = nil // asked to stop while starting
	}
	if err != nil {
		stop()
	}
	return errors.Join(err, <-stopped)
}

// privateDir makes the directory its owner's alone.
func privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.Chmod(dir, 0o700)
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

func awaitReady(ctx context.Context, loopback *rest.Config) error {
	client, err := rest.HTTPClientFor(loopback)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, loopback.Host+"/readyz", nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
			err = errors.New("/readyz: " + response.Status)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not ready after %s: %w", readyTimeout, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
