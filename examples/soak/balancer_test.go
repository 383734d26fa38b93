package main

import (
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// TestBalancer holds that a connection waits for the server, and that close ends all.
func TestBalancer(t *testing.T) {
	backend, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	var accepted atomic.Int64
	go func() {
		for {
			c, err := backend.Accept()
			if err != nil {
				return
			}
			accepted.Add(1)
			go func() { io.Copy(c, c) }()
		}
	}()
	var ready atomic.Bool
	asked := make(chan struct{}, 100)
	b, err := balance(backend.Addr().String(), func() bool {
		select {
		case asked <- struct{}{}:
		default:
		}
		return ready.Load()
	})
	if err != nil {
		t.Fatal(err)
	}
	dial := func() net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", b.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		c.SetReadDeadline(time.Now().Add(30 * time.Second))
		return c
	}
	early := dial()
	defer early.Close()
	for range 3 { // it asks again and again
		select {
		case <-asked:
		case <-time.After(30 * time.Second):
			t.Fatal("it does not ask whether the server is ready")
		}
	}
	if n := accepted.Load(); n > 0 {
		t.Errorf("%d connections were passed on to a server that is not ready", n)
	}
	ready.Store(true)
	answer := make([]byte, 1)
	if _, err := io.ReadFull(early, answer); err != nil || answer[0] != 'x' {
		t.Errorf("the connection that waited got %q, %v", answer, err)
	}
	ready.Store(false)
	late := dial()
	defer late.Close()
	if err := b.close(); err != nil {
		t.Error(err)
	}
	for _, c := range []net.Conn{early, late} {
		if n, err := c.Read(answer); err == nil {
			t.Errorf("after close, %d bytes are read", n)
		}
	}
}
