package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
)

// progress writes a line every so often, so that a copy of gigabytes does not look
// like one that hangs.
type progress struct {
	out   io.Writer
	every time.Duration
	now   func() time.Time

	mu      sync.Mutex
	last    time.Time
	stopped bool
}

func (p *progress) report(image name.Digest, arrived, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.now(); !p.stopped && now.Sub(p.last) >= p.every {
		p.last = now
		fmt.Fprintf(p.out, "indexpush: %s: %.1f of %.1f MB\n", image, float64(arrived)/1e6, float64(total)/1e6)
	}
}

// stop keeps a push that is left behind from writing after the last word.
func (p *progress) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
}
