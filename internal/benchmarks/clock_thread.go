//go:build linux || darwin || freebsd

package main

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// timer names what cpuTime reads.
const timer = "CPU time of the thread"

// cpuTime reads the time for which the calling thread has had a processor. The
// time for which others had it does not count.
func cpuTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(fmt.Sprintf("reading the CPU time of the thread: %v", err))
	}
	return time.Duration(t.Nano())
}
