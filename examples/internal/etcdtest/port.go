package etcdtest

import (
	"fmt"
	"testing"

	"golang.org/x/sys/unix"
)

// reservePort takes a free port of the loopback address until the test ends. The
// members of a cluster have to know each other's ports before the first of them
// listens, and a member that was killed comes back to the port that it had. The
// port is bound without listening, so that only sockets that ask to share it (etcd's
// --socket-reuse-port) can have it.
func reservePort(t *testing.T) string {
	t.Helper()
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(socket) })
	unix.CloseOnExec(socket)
	if err := unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1); err != nil {
		t.Fatal(err)
	}
	if err := unix.Bind(socket, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	name, err := unix.Getsockname(socket)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(name.(*unix.SockaddrInet4).Port)
}
