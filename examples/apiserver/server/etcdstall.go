package server

import (
	"context"
	"net"
	"sync"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/server/egressselector"
)

// stallTimeout is how long a member of etcd may leave a request without a byte of
// answer. It is more than the seven seconds after which a member that runs gives a
// request up by itself (ReqTimeout of etcd's server/config/config.go, v3.6.8).
const stallTimeout = 10 * time.Second

// redialInterval is how often a member is looked for that is gone. gRPC itself waits
// twice as long each time, up to two minutes, and would go on waiting when it is back.
const redialInterval = time.Second

// dialEtcd connects to etcd so that a member that holds its connections and answers
// nobody (a stopped process, a hanging disk) is given up: the requests that wait for it
// end, and further ones go to the other members. k8s.io/apiserver v0.36.6 leaves that to
// gRPC's keepalive, which takes 40 seconds (pkg/storage/storagebackend/factory/etcd3.go),
// in which most requests meet that member at some point.
func dialEtcd(egressselector.NetworkContext) (utilnet.DialFunc, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		for {
			connection, err := new(net.Dialer).DialContext(ctx, network, address)
			if err == nil {
				return &impatientConn{Conn: connection, timeout: stallTimeout}, nil
			}
			select {
			case <-ctx.Done():
				return nil, err
			case <-time.After(redialInterval):
			}
		}
	}, nil
}

// An impatientConn fails to read if nothing comes for some time after a write. When
// nobody has asked for anything, it waits for ever, as watches do.
type impatientConn struct {
	net.Conn
	timeout time.Duration

	mu      sync.Mutex
	waiting bool
}

func (c *impatientConn) Write(b []byte) (int, error) {
	c.expect(true)
	return c.Conn.Write(b)
}

func (c *impatientConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.expect(false)
	}
	return n, err
}

// expect sets the deadline at the first of several writes: further ones do not
// prolong it.
func (c *impatientConn) expect(answer bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == answer {
		return
	}
	c.waiting = answer
	deadline := time.Time{}
	if answer {
		deadline = time.Now().Add(c.timeout)
	}
	// It fails on a closed connection only, and so does what comes next.
	_ = c.Conn.SetReadDeadline(deadline)
}
