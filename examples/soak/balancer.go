package main

import (
	"io"
	"net"
	"sync"
	"time"
)

// A balancer stands for the load balancer in front of a cluster's API servers: while the
// only one there is starts anew, connections wait instead of being refused. Else clients
// would spend the time until they try again, which is up to half a minute.
type balancer struct {
	listener net.Listener
	backend  string
	ready    func() bool

	mu    sync.Mutex
	open  map[net.Conn]bool
	done  bool
	group sync.WaitGroup
}

// maxWait is how long a connection waits for a server.
const maxWait = 30 * time.Second

// balance accepts connections until close, and passes them on to the backend when that
// is ready.
func balance(backend string, ready func() bool) (*balancer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &balancer{listener: listener, backend: backend, ready: ready, open: map[net.Conn]bool{}}
	b.group.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			b.group.Go(func() { b.pass(c) })
		}
	})
	return b, nil
}

// pass copies both ways until one side ends.
func (b *balancer) pass(client net.Conn) {
	defer client.Close()
	if !b.keep(client) {
		return
	}
	defer b.forget(client)
	for waited := time.Duration(0); !b.ready(); waited += 5 * time.Millisecond {
		if waited > maxWait || !b.holds(client) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	server, err := net.Dial("tcp", b.backend)
	if err != nil {
		return
	}
	defer server.Close()
	if !b.keep(server) {
		return
	}
	defer b.forget(server)
	copied := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{server, client}, {client, server}} {
		go func() {
			_, _ = io.Copy(way[0], way[1]) // a connection that breaks is what is soaked
			copied <- struct{}{}
		}()
	}
	<-copied
	client.Close()
	server.Close()
	<-copied
}

func (b *balancer) keep(c net.Conn) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.done {
		b.open[c] = true
	}
	return !b.done
}

func (b *balancer) forget(c net.Conn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.open, c)
}

func (b *balancer) holds(c net.Conn) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open[c] && !b.done
}

// close ends all connections and waits for them.
func (b *balancer) close() error {
	err := b.listener.Close()
	b.mu.Lock()
	b.done = true
	for c := range b.open {
		c.Close()
	}
	b.mu.Unlock()
	b.group.Wait()
	return err
}
