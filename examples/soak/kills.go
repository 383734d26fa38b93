package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/atomicfile"
	"github.com/polyarch/polyarch/examples/internal/operator"
)

const (
	// roundsOfPart is how many rounds go with one data directory. It is more than
	// etcd writes between two of its snapshots.
	roundsOfPart = 100
	// killWriters write at the same time, killStreams streams each.
	killWriters, killStreams = 4, 10
	// killWithin is how long after the first write the kill comes at the latest.
	killWithin = 400 * time.Millisecond
)

// killFigures are what a campaign came to, over all its parts.
type killFigures struct {
	Rounds int
	// Kills by what the server was doing. Each round kills a server that serves; every
	// fourth also kills the next one while it starts.
	Serving, StartUp int
	Acknowledged     int // writes
	Unanswered       tally
	Lost             int // violations of any kind
	Violations       []string
	Seeds            []uint64
	Seconds          float64
}

func (f killFigures) String() string {
	return fmt.Sprintf("%d rounds, %d kills while serving, %d during start-up; %d writes acknowledged, %d lost or changed; of the unanswered %d were stored, %d not; %.0f s",
		f.Rounds, f.Serving, f.StartUp, f.Acknowledged, f.Lost, f.Unanswered.Stored, f.Unanswered.Dropped, f.Seconds)
}

// campaign kills the server until the file has that many rounds. Command is the server's;
// nil is this program.
func campaign(ctx context.Context, out io.Writer, rounds int, seed uint64, file string, command []string) error {
	f := killFigures{}
	if file != "" {
		switch content, err := os.ReadFile(file); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		default:
			if err := json.Unmarshal(content, &f); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	fmt.Fprintf(out, "soak: kills: seed %d; so far %s\n", seed, f)
	f.Seeds = append(f.Seeds, seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for f.Rounds < rounds && ctx.Err() == nil {
		part := killPart{command: command, figures: &f, out: out, random: random, file: file, until: min(rounds, f.Rounds+roundsOfPart)}
		if err := part.run(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "soak: kills: %s\n", f)
	if f.Lost > 0 {
		return fmt.Errorf("%d violations, the first: %s", f.Lost, f.Violations[0])
	}
	return ctx.Err()
}

// A killPart is rounds on one data directory.
type killPart struct {
	command []string
	figures *killFigures
	out     io.Writer
	random  *rand.Rand
	file    string
	until   int

	server  *testedServer
	api     client.Client
	journal *journal
	writers []*writer

	mu    sync.Mutex // guards the figures while writers write
	start time.Duration
}

func (p *killPart) run(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "polyarch-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if p.server, err = startServer(ctx, dir, legacy, launch.Options{Command: p.command}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.server.Stop()) }()
	scheme := operator.Scheme()
	api, oc, err := clients(p.server.Config(), scheme)
	if err != nil {
		return err
	}
	if err := api.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}); err != nil {
		return err
	}
	p.api, p.journal = api, newJournal()
	for i := range killWriters {
		w := &writer{
			random: rand.New(rand.NewPCG(p.random.Uint64(), 0)), api: api, oc: oc, journal: p.journal,
			modes: p.server.runs.modes, heard: p.hear,
		}
		for n := range killStreams {
			w.streams = append(w.streams, fmt.Sprintf("w%d-%d", i, n))
		}
		p.writers = append(p.writers, w)
	}
	for p.figures.Rounds < p.until && ctx.Err() == nil {
		if err := p.round(ctx); err != nil {
			if ctx.Err() != nil {
				return nil // the round does not count
			}
			return fmt.Errorf("round %d: %w", p.figures.Rounds, err)
		}
	}
	return nil
}

func (p *killPart) hear(h heard) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if h.err == nil && h.what != "get" {
		p.figures.Acknowledged++
	}
	p.wrong(h.wrong)
}

// wrong takes down what must not be.
func (p *killPart) wrong(all []violation) {
	for _, v := range all {
		p.figures.Lost++
		text := fmt.Sprintf("seed %d, round %d: %s", p.figures.Seeds[len(p.figures.Seeds)-1], p.figures.Rounds, v)
		fmt.Fprintf(p.out, "soak: kills: VIOLATED: %s\n", text)
		if len(p.figures.Violations) < 20 {
			p.figures.Violations = append(p.figures.Violations, text)
		}
	}
}

// round writes, kills at a random moment, starts the server again, sometimes with the
// other mode, and holds what is stored against what was acknowledged.
func (p *killPart) round(ctx context.Context) error {
	began := time.Now()
	p.writeAndKill(ctx)
	mode := p.server.current()
	if p.random.IntN(3) == 0 {
		mode = map[imagev1.ImportModeType]imagev1.ImportModeType{legacy: preserve, preserve: legacy}[mode]
	}
	startsTwice := p.figures.Rounds%4 == 3 && p.start > 0
	wait := time.Duration(p.random.Int64N(int64(max(p.start, 1))))
	startKills := 0
	var started time.Time
	err := p.server.next(ctx, p.server.Kill, mode, func() error {
		if startsTwice {
			killed, err := p.server.killStart(ctx, wait)
			if err != nil {
				return err
			}
			if killed {
				startKills++
			}
		}
		started = time.Now()
		return nil
	})
	if err != nil {
		return err
	}
	p.start = time.Since(started)
	stored, err := streams(ctx, p.api)
	if err != nil {
		return err
	}
	wrong, unanswered := p.journal.settle(stored)
	f := p.figures
	p.wrong(wrong)
	f.Unanswered.Stored += unanswered.Stored
	f.Unanswered.Dropped += unanswered.Dropped
	f.Rounds, f.Serving, f.StartUp = f.Rounds+1, f.Serving+1, f.StartUp+startKills
	f.Seconds += time.Since(began).Seconds()
	if f.Rounds%10 == 0 {
		fmt.Fprintf(p.out, "soak: kills: %s\n", f)
	}
	return p.keep()
}

// writeAndKill returns when the server is dead and nobody writes any more.
func (p *killPart) writeAndKill(ctx context.Context) {
	writing, stop := context.WithCancel(ctx)
	defer stop()
	var group sync.WaitGroup
	for _, w := range p.writers {
		group.Go(func() {
			for w.write(writing) == nil {
			}
		})
	}
	time.Sleep(time.Duration(p.random.Int64N(int64(killWithin))))
	if err := p.server.Kill(); err != nil {
		fmt.Fprintln(p.out, "soak: kills:", err)
	}
	stop()
	group.Wait()
}

// keep writes the figures, so that the campaign can go on after any end of this process.
func (p *killPart) keep() error {
	if p.file == "" {
		return nil
	}
	content, err := json.MarshalIndent(p.figures, "", "  ")
	if err != nil {
		return err
	}
	file, err := filepath.Abs(p.file)
	if err != nil {
		return err
	}
	return atomicfile.Write(file, append(content, '\n'))
}
