package scale_test

import (
	"context"
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/polyarch/polyarch/examples/audit/command"
	"github.com/polyarch/polyarch/examples/audit/internal/many"
	"github.com/polyarch/polyarch/examples/audit/section"
	"github.com/polyarch/polyarch/examples/audit/source"
)

var streams = flag.Int("streams", 5000, "how many image streams the larger cluster has; at night it is 100,000")

// A probe measures the live memory while streams go by.
type probe struct {
	source.Source
	streams, every int
	peak           uint64
}

func (p *probe) Stream(ctx context.Context, k *source.Kind, f func(source.Object) error) error {
	return p.Source.Stream(ctx, k, func(o source.Object) error {
		if k == source.ImageStreams {
			if p.streams++; p.streams%p.every == 0 {
				p.measure()
			}
		}
		return f(o)
	})
}

func (p *probe) measure() {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	p.peak = max(p.peak, m.HeapAlloc)
}

// TestMemory holds that ten times the image streams take at most twice the memory, from
// files and through the API.
func TestMemory(t *testing.T) {
	for name, open := range map[string]func(t *testing.T, n int) source.Source{"files": files, "cluster": cluster} {
		t.Run(name, func(t *testing.T) {
			limit := *streams / 10 // the command's own, 10,000, at night
			few, some := peak(t, open, *streams/10, limit), peak(t, open, *streams, limit)
			t.Logf("%d streams: %d MiB, %d streams: %d MiB", *streams/10, few>>20, *streams, some>>20)
			if some > 2*few {
				t.Errorf("ten times the streams take %.1f times the memory", float64(some)/float64(few))
			}
		})
	}
}

// peak audits n streams, with at most limit entries of one code in the report, and
// returns the most memory that was in use.
func peak(t *testing.T, open func(*testing.T, int) source.Source, n, limit int) uint64 {
	t.Helper()
	p := &probe{Source: open(t, n), every: n / 5}
	options := section.DefaultStreamOptions
	options.Limit = limit
	r, err := command.Audit(t.Context(), command.Options{From: p, Now: time.Unix(0, 0), Streams: options})
	if err != nil {
		t.Fatal(err)
	}
	p.measure()
	if p.streams != n || r.Summary.Risk != n*many.Tags || len(r.Sections[3].Entries) != limit || r.Sections[3].Omitted["imagestreams.StaysLegacy"] != n*many.Tags-limit {
		t.Errorf("%d streams of %d, summary %+v, %d entries, omitted %v", p.streams, n, r.Summary, len(r.Sections[3].Entries), r.Sections[3].Omitted)
	}
	return p.peak
}

func files(t *testing.T, n int) source.Source {
	t.Helper()
	name := filepath.Join(t.TempDir(), "must-gather.tar")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := many.WriteTar(file, n); err != nil {
		t.Fatal(err)
	}
	return source.NewFiles(source.DefaultLimits, name)
}

func cluster(t *testing.T, n int) source.Source {
	t.Helper()
	server := httptest.NewServer(many.Handler(n))
	t.Cleanup(server.Close)
	s, err := source.NewCluster(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
