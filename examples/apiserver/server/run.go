package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	"k8s.io/apiserver/pkg/server/healthz"

	"github.com/polyarch/polyarch/importmode"
)

// Run serves until ctx ends. When everything is served, it writes the
// kubeconfig and calls ready with its path.
func Run(ctx context.Context, o Options, ready func(kubeconfig string)) (err error) {
	started, failed := false, false
	defer func() {
		if !failed && !started && ctx.Err() != nil {
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

	release, err := makeDirs(ctx, &o)
	if err != nil {
		return err
	}
	defer release()
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
	served := false
	defer func() {
		if !served { // a server that loses its listener ends the process
			listener.Close()
		}
	}()

	var failure <-chan error
	if len(o.EtcdServers) == 0 {
		etcd, err := startEtcd(ctx, filepath.Join(o.DataDir, "etcd"), o.RuntimeDir)
		if err != nil {
			return err
		}
		defer func() {
			if !failed {
				etcd.Close()
			}
		}()
		failure = etcd.failure
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

	served = true
	ended := make(chan error, 1)
	go func() {
		ended <- serve(ctx, server, func(ctx context.Context) error {
			if err := installCRDs(ctx, server.LoopbackClientConfig, crds); err != nil {
				return err
			}
			crdsInstalled.Store(true)
			if err := await(ctx, server.LoopbackClientConfig, "/readyz"); err != nil {
				return err
			}
			ca, _ := serving.CurrentCertKeyContent()
			if err := writeKubeconfig(o.KubeconfigOut, clientURL(listener.Addr()), id.token, ca); err != nil {
				return fmt.Errorf("kubeconfig: %w", remedied(err, filepath.Dir(o.KubeconfigOut)))
			}
			started = true
			ready(o.KubeconfigOut)
			return nil
		})
	}()
	select {
	case err := <-ended:
		return err
	case err := <-failure:
		// Nothing can be stored any more, so there is nothing to end in good order.
		failed = true
		return err
	}
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
		switch {
		case err == nil, ctx.Err() != nil:
			return listener, err
		case time.Now().After(deadline):
			return nil, fmt.Errorf("--secure-port: %w: end what listens there, or choose another port; 0 is any free one", err)
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
