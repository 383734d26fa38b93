package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A chapter is one story: steps that build on each other, on an API server that
// the chapter finds as the chapter before left it.
type chapter struct {
	name  string // for -only
	title string
	run   func(ctx context.Context, w *world) error
}

// chapters lists the stories in the order in which they are told.
func chapters() []chapter {
	return []chapter{
		{"importmode", "Import mode of image streams, from the release payload to a tag", importModes},
		{"upgraderace", "The upgrade race: a gate is known before the operator that reports", upgradeRace},
		{"hypershift", "Import mode of a hosted cluster, which HyperShift leaves out", hostedImportModes},
		{"imports", "Images of one registry, imported in both modes", imports},
		{"audit", "An administrator audits, migrates, and mends what stays single", audits},
		{"osimagestream", "OS image streams: the one of OKD, the several of OCP", osImageStreams},
		{"manifestlist", "Images of four architectures, one index on a real registry", imageIndexes},
		{"buildplan", "OS images of a heterogeneous pool, built where each runs", osImageBuilds},
		{"dictexpand", "Boot sources of virtual machines, one per architecture", bootSources},
	}
}

// A tale counts the steps and prints them.
type tale struct {
	out              io.Writer
	steps, asItShall int
}

// step runs one step: body does something and says with expect and eventually
// what must be true then. A step whose body returns an error, or one of whose
// expectations fails, is not as expected; the story goes on.
func (t *tale) step(title string, body func(s *step) error) {
	t.steps++
	fmt.Fprint(t.out, "\n", wrapped(fmt.Sprintf("%2d. ", t.steps), "    ", title))
	s := &step{out: t.out, ok: true}
	if err := body(s); err != nil {
		s.ok = false
		fmt.Fprint(t.out, wrapped("   ERROR ", "   ", err.Error()))
	}
	if s.ok {
		t.asItShall++
	}
}

// A step prints what happens and what is true then.
type step struct {
	out io.Writer
	ok  bool
}

// note prints what happened.
func (s *step) note(format string, args ...any) {
	fmt.Fprint(s.out, wrapped("    - ", "      ", fmt.Sprintf(format, args...)))
}

// expect compares what is with what shall be.
func (s *step) expect(what string, got, want any) {
	if cmp.Equal(got, want) {
		fmt.Fprint(s.out, fact("   ok ", what, show(got)))
		return
	}
	s.ok = false
	fmt.Fprint(s.out, fact("   NOT AS EXPECTED ", what, show(got)), fact("                   ", "want", show(want)))
}

// patience is how long eventually waits. Everything is local, so an answer that
// takes this long does not come.
const patience = 30 * time.Second

// eventually reads until it gets want, or until patience is over, and then
// compares like expect.
func (s *step) eventually(ctx context.Context, what string, read func(context.Context) (any, error), want any) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var got any
	var err error
	for {
		if got, err = read(ctx); err == nil && cmp.Equal(got, want) {
			break
		}
		select {
		case <-ctx.Done():
			if err != nil {
				got = err
			}
			s.expect(what, got, want)
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	s.expect(what, got, want)
}
