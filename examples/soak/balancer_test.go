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
	go func() {
		for {
			c, err := backend.Accept()
			if err != nil {
				return
			}
			go func() { io.Copy(c, c) }()
		}
	}()
	var ready atomic.Bool
	b, err := balance(backend.Addr().String(), ready.Load)
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
