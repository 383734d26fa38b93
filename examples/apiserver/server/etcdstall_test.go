package server

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// TestImpatientConn holds that only who was asked has to answer in time, and that
// asking again gives no more time.
func TestImpatientConn(t *testing.T) {
	t.Parallel()
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	const timeout = 200 * time.Millisecond
	c := &impatientConn{Conn: near, timeout: timeout}
	buffer := make([]byte, 8)
	exchange := func() {
		t.Helper()
		go func() {
			if _, err := far.Read(make([]byte, 8)); err == nil {
				far.Write([]byte("yes"))
			}
		}()
		if _, err := c.Write([]byte("?")); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(buffer); err != nil {
			t.Fatalf("an answer that comes: %v", err)
		}
	}
	exchange()

	quiet := make(chan error, 1)
	go func() {
		_, err := c.Read(buffer)
		quiet <- err
	}()
	select {
	case err := <-quiet:
		t.Fatalf("nobody was asked, and reading ends with %v", err)
	case <-time.After(3 * timeout):
	}
	if _, err := far.Write([]byte("event")); err != nil {
		t.Fatal(err)
	}
	if err := <-quiet; err != nil {
		t.Fatalf("what comes unasked: %v", err)
	}
	exchange()

	end := make(chan struct{})
	defer close(end)
	go func() { // reads all that is asked, and is silent
		for {
			if _, err := far.Read(make([]byte, 8)); err != nil {
				return
			}
		}
	}()
	if _, err := c.Write([]byte("?")); err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			select {
			case <-end:
				return
			case <-time.After(timeout / 10):
				c.Write([]byte("?"))
			}
		}
	}()
	go func() {
		_, err := c.Read(buffer)
		quiet <- err
	}()
	select {
	case err := <-quiet:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
	case <-time.After(30 * time.Second):
		t.Error("without an answer, and asked again and again, reading does not end")
	}
}
