//go:build !(linux || darwin || freebsd)

package main

import "time"

// timer names what cpuTime reads: here it falls back, and another busy process
// shows in the figures.
const timer = "wall time"

func cpuTime() time.Duration { return wallTime() }
