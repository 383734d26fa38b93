package main

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/examples/internal/texts"
)

// TestMain lets the test binary be the command.
func TestMain(m *testing.M) {
	if args, ok := os.LookupEnv(commandEnv); ok {
		apiserver, args, _ := strings.Cut(args, "\n")
		os.Exit(command(strings.Split(args, "\n"), []string{apiserver}))
	}
	silence()
	os.Exit(m.Run())
}

// Every chapter is a test of the adapters on a real API server.
func TestWalkthrough(t *testing.T) {
	var out bytes.Buffer
	err := tell(t.Context(), &out, testserver.Command(t), regexp.MustCompile("."))
	t.Log(out.String())
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	readme := texts.Read(t, "../../README.md")
	quoted := regexp.MustCompile(`(?m)^ +(?:ok .*|\d+\. .*)$`).FindAllString(readme, -1)
	for _, line := range quoted {
		_, title, isStep := strings.Cut(strings.TrimSpace(line), ". ") // its number is that of -only
		if !isStep {
			title = strings.TrimSpace(line)
		}
		if !strings.Contains(out.String(), title+"\n") {
			t.Errorf("README.md quotes what is not said: %s", line)
		}
	}
	if len(quoted) == 0 {
		t.Error("README.md quotes nothing")
	}
}

// A story in which nothing can go wrong tells nothing, so the harness is shown
// each way in which a step can fail.
func TestStepsCanFail(t *testing.T) {
	for _, tc := range []struct {
		name string
		body func(s *step) error
		ok   bool
		says string
	}{
		{"equal", func(s *step) error { s.expect("x", 1, 1); return nil }, true, "ok x: 1"},
		{"different", func(s *step) error { s.expect("x", 1, 2); s.expect("y", 1, 1); return nil }, false, "NOT AS EXPECTED x: 1"},
		{"different type", func(s *step) error { s.expect("x", int64(1), 1); return nil }, false, "NOT AS EXPECTED"},
		{"error", func(*step) error { return errors.New("boom") }, false, "ERROR boom"},
	} {
		var out bytes.Buffer
		tale := &tale{out: &out}
		tale.step(tc.name, tc.body)
		if got := tale.asItShall == 1; got != tc.ok || tale.steps != 1 || !strings.Contains(out.String(), tc.says) {
			t.Errorf("%s: %d of %d as expected, output %q", tc.name, tale.asItShall, tale.steps, &out)
		}
	}
}

func TestNothingToTellIsAFailure(t *testing.T) {
	var out bytes.Buffer
	if err := tell(t.Context(), &out, testserver.Command(t), regexp.MustCompile("^no such chapter$")); err == nil {
		t.Error("no step was told, and that passed")
	}
}
