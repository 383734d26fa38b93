package server

import (
	"context"
	"crypto/tls"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

var errNoLeader = errors.New("it has no leader")

// askLeader asks a member that speaks HTTP/2 whether it has a leader. Without one it
// answers no request of storage.
func askLeader(ctx context.Context, endpoint string, config *tls.Config) error {
	ctx, cancel := context.WithTimeout(ctx, etcdProbeTimeout)
	defer cancel()
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{endpoint}, TLS: config, Context: ctx, Logger: zap.NewNop()})
	if err != nil {
		return err
	}
	defer client.Close()
	status, err := client.Status(ctx, endpoint)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && status.Leader == 0:
		return errNoLeader
	}
	// Where etcd asks for names and passwords, not everybody is told: storage finds out.
	return nil
}
