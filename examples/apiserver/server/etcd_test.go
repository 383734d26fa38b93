package server

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What is told to stop while etcd starts leaves nothing behind that writes on.
func TestStartEtcdStops(t *testing.T) {
	dir, err := os.MkdirTemp("", "etcd-") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	data := filepath.Join(dir, "data")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := startEtcd(ctx, data, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := os.RemoveAll(data); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	if _, err := os.Stat(data); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("removed, its directory is there again (%v)", err)
	}
}
