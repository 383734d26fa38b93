package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"
)

// A usage is what a process holds.
type usage struct {
	anonymous, resident float64 // MiB
	files               float64 // descriptors
	cpu                 time.Duration
}

// errNotLinux is that of a system without /proc.
var errNotLinux = errors.New("memory and file descriptors are only measured on Linux")

// measure reads what a process holds. Anonymous memory is what it has made itself;
// beside it, the resident has what is mapped of files: of the program, and of the
// database, which comes and goes as the kernel likes.
func measure(pid int) (u usage, err error) {
	if runtime.GOOS != "linux" {
		return u, errNotLinux
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return u, err
	}
	for line := range bytes.Lines(status) {
		fields := bytes.Fields(line)
		if len(fields) < 2 {
			continue
		}
		kb, _ := strconv.ParseFloat(string(fields[1]), 64)
		switch string(fields[0]) {
		case "VmRSS:":
			u.resident = kb / 1024
		case "RssAnon:":
			u.anonymous = kb / 1024
		}
	}
	descriptors, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return u, err
	}
	u.files = float64(len(descriptors))
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u, err
	}
	// The name, in parentheses, may hold blanks; utime and stime are the 14th and
	// 15th field, in hundredths of a second.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	for _, f := range fields[11:13] {
		ticks, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return u, err
		}
		u.cpu += time.Duration(ticks) * 10 * time.Millisecond
	}
	return u, nil
}

// settled measures a process after its garbage was collected, at rest: the least of
// what it held within half a second.
func settled(pid int, collect func() error) (usage, error) {
	if err := collect(); err != nil {
		return usage{}, err
	}
	least, err := measure(pid)
	for range 5 {
		time.Sleep(100 * time.Millisecond)
		next, e := measure(pid)
		err = errors.Join(err, e)
		least.anonymous, least.resident = min(least.anonymous, next.anonymous), min(least.resident, next.resident)
		least.files, least.cpu = min(least.files, next.files), next.cpu
	}
	return least, err
}

// collectHere collects the garbage of this process.
func collectHere() error {
	debug.FreeOSMemory()
	return nil
}

// collectThere has a child of ours collect its garbage.
func collectThere(pid int) func() error {
	return func() error { return syscall.Kill(pid, collectSignal) }
}
