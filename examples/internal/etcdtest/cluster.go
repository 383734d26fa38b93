package etcdtest

import (
	"context"
	"crypto/tls"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

// A Cluster is a running etcd cluster.
type Cluster struct {
	Members []*Member

	tls *tls.Config // of clients; nil without an authority
}

// Heartbeats and elections are quicker than etcd's defaults, which are for members
// with a network between them, and slower than loopback alone would allow: a busy
// machine that holds a member up for a moment is to cause no election.
const (
	heartbeat = 50 * time.Millisecond
	election  = 500 * time.Millisecond
)

// Start runs a cluster of that size until the test ends. With an authority, its
// members show certificates of it to each other and to clients, and let nobody in who
// shows none.
func Start(t *testing.T, size int, authority *Authority) *Cluster {
	t.Helper()
	c := new(Cluster)
	scheme := "http"
	if authority != nil {
		scheme = "https"
		pair := authority.Issue(t, "test")
		info := transport.TLSInfo{TrustedCAFile: authority.File, CertFile: pair.CertFile, KeyFile: pair.KeyFile}
		var err error
		if c.tls, err = info.ClientConfig(); err != nil {
			t.Fatal(err)
		}
	}
	var peers, initial []string
	dir := t.TempDir()
	for i := range size {
		name := fmt.Sprintf("etcd-%d", i)
		c.Members = append(c.Members, &Member{
			Name:     name,
			Endpoint: scheme + "://127.0.0.1:" + reservePort(t),
			logFile:  filepath.Join(dir, name+".log"),
		})
		peers = append(peers, scheme+"://127.0.0.1:"+reservePort(t))
		initial = append(initial, name+"="+peers[i])
	}
	for i, m := range c.Members {
		m.flags = []string{
			"--name=" + m.Name,
			"--data-dir=" + filepath.Join(dir, m.Name),
			"--listen-client-urls=" + m.Endpoint,
			"--advertise-client-urls=" + m.Endpoint,
			"--listen-peer-urls=" + peers[i],
			"--initial-advertise-peer-urls=" + peers[i],
			"--initial-cluster=" + strings.Join(initial, ","),
			fmt.Sprintf("--heartbeat-interval=%d", heartbeat.Milliseconds()),
			fmt.Sprintf("--election-timeout=%d", election.Milliseconds()),
			"--socket-reuse-port", // reservePort holds them
			"--log-level=error",   // each request that takes its time is a warning
			"--exit-with-stdin",
		}
		if authority != nil {
			serving, peer := authority.Issue(t, m.Name), authority.Issue(t, m.Name+"-peer")
			m.flags = append(m.flags,
				"--client-cert-auth", "--trusted-ca-file="+authority.File,
				"--cert-file="+serving.CertFile, "--key-file="+serving.KeyFile,
				"--peer-client-cert-auth", "--peer-trusted-ca-file="+authority.File,
				"--peer-cert-file="+peer.CertFile, "--peer-key-file="+peer.KeyFile,
			)
		}
		m.Start(t)
		t.Cleanup(func() {
			m.Kill(t)
			if t.Failed() {
				t.Logf("%s:\n%s", m.Name, m.Log(t))
			}
		})
	}
	for _, m := range c.Members {
		m.WaitReady(t)
	}
	return c
}

// Endpoints are the URLs of all members.
func (c *Cluster) Endpoints() []string {
	var endpoints []string
	for _, m := range c.Members {
		endpoints = append(endpoints, m.Endpoint)
	}
	return endpoints
}

// Client connects to those members until the test ends.
func (c *Cluster) Client(t *testing.T, members ...*Member) *clientv3.Client {
	t.Helper()
	config := clientv3.Config{TLS: c.tls, Logger: zap.NewNop()}
	for _, m := range members {
		config.Endpoints = append(config.Endpoints, m.Endpoint)
	}
	client, err := clientv3.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// Leader asks that member who leads, and returns nil as long as nobody does.
func (c *Cluster) Leader(t *testing.T, asked *Member) *Member {
	t.Helper()
	client := c.Client(t, asked)
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	status, err := client.Status(ctx, asked.Endpoint)
	if err != nil || status.Leader == 0 {
		return nil
	}
	list, err := client.MemberList(ctx)
	if err != nil {
		return nil
	}
	for _, listed := range list.Members {
		for _, m := range c.Members {
			if listed.ID == status.Leader && listed.Name == m.Name {
				return m
			}
		}
	}
	return nil
}
