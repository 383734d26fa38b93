package server

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

const (
	socketName = "etcd.sock"
	// maxSocketPath is what the kernel's sockaddr_un holds beside the final NUL.
	maxSocketPath = 107
	etcdTimeout   = 30 * time.Second
)

// EtcdEndpoint is where the etcd of a server with that runtime directory
// listens, for those who want to see what is really stored.
func EtcdEndpoint(runtimeDir string) string {
	return "unix://" + filepath.Join(runtimeDir, socketName)
}

// isSocket knows the endpoints that are files, as that of our own etcd is.
func isSocket(endpoint string) bool { return strings.HasPrefix(endpoint, "unix") }

// startEtcd runs a one-member etcd that nobody but the owner of runtimeDir can
// reach: it listens on one socket file there and has no peer listener at all.
func startEtcd(ctx context.Context, dataDir, runtimeDir string) (*embed.Etcd, error) {
	socket := filepath.Join(runtimeDir, socketName)
	if len(socket) > maxSocketPath {
		return nil, fmt.Errorf("etcd: the socket path %q has %d bytes, at most %d fit: choose a shorter --runtime-dir", socket, len(socket), maxSocketPath)
	}
	// The socket has no other guard than its directory.
	if info, err := os.Stat(runtimeDir); err != nil {
		return nil, fmt.Errorf("etcd: %w", err)
	} else if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("etcd: others can enter the runtime directory %s (mode %s): choose one of mode 0700 or one that does not exist", runtimeDir, info.Mode())
	}
	config := embed.NewConfig()
	config.Dir = dataDir
	config.ListenClientUrls = []url.URL{{Scheme: "unix", Path: socket}}
	// The URLs that it advertises stay the default ones, and are mere names:
	// nobody listens there. A unix:// peer URL would bind an abstract socket,
	// which has no owner.
	config.ListenPeerUrls = nil
	// A single member has nobody to wait for: at the default of one second it
	// sleeps that long before it elects itself.
	config.TickMs, config.ElectionMs = 10, 100
	// Below that level it mostly tells how its own connections come and go. What
	// it fails of at start is in the error.
	config.LogLevel = "panic"
	config.LogOutputs = []string{"stderr"}

	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, fmt.Errorf("etcd: %w", err)
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, nil
	case err = <-etcd.Err():
	case <-time.After(etcdTimeout):
		err = errors.New("not ready after " + etcdTimeout.String())
	case <-ctx.Done():
		err = ctx.Err()
	}
	etcd.Close()
	return nil, fmt.Errorf("etcd: %w", err)
}
