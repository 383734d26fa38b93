package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/polyarch/polyarch/examples/internal/testserver"
)

func TestMain(m *testing.M) {
	silence()
	testserver.Main(m)
}

// TestSoak soaks for some seconds, so that all of it is seen to work.
func TestSoak(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := soakFor(t.Context(), &out, 4*time.Second, 1, testserver.Command(t))
	if err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, want := range []string{"soak: seed 1,", "converge import mode", "import ", "ended by rollout", "p99 ms", " 0 violations"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, &out)
		}
	}
}

// TestCampaign goes on with a campaign that was broken off two rounds before its end.
func TestCampaign(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state.json")
	before := killFigures{Rounds: 998, Serving: 998, StartUp: 100, Acknowledged: 50000, Seeds: []uint64{7}, Seconds: 1}
	content, err := json.Marshal(before)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := campaign(t.Context(), &out, 1000, 1, file, testserver.Command(t)); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if content, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	var after killFigures
	if err := json.Unmarshal(content, &after); err != nil {
		t.Fatal(err)
	}
	if after.Rounds != 1000 || after.Serving != 1000 || after.Acknowledged < before.Acknowledged || after.Seconds <= 1 || len(after.Seeds) != 2 || after.Lost > 0 {
		t.Errorf("the file says %+v", after)
	}
	if !strings.Contains(out.String(), "so far 998 rounds") || !strings.Contains(out.String(), "1000 rounds, 1000 kills while serving") {
		t.Errorf("it says\n%s", &out)
	}
}

// TestViolations holds that a violation is told with what it takes to see it again, and
// ends the soak when there are too many.
func TestViolations(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	ended := 0
	s := &soak{out: &out, seed: 7, long: time.Minute, meter: &meter{}, restarts: map[string]int{}, enough: func() { ended++ }}
	for range maxViolations + 5 {
		s.violate(violation{notLost, "s", "metadata.uid", "a", "b"})
	}
	if want := "VIOLATED: " + notLost + ": s: metadata.uid: is b, should be a\n  again: make soak SOAK=1m0s SEED=7\n"; strings.Count(out.String(), want) != maxViolations {
		t.Errorf("it says\n%s", &out)
	}
	if ended != 1 {
		t.Errorf("ended %d times", ended)
	}
	if err := s.report(); err == nil || !strings.Contains(err.Error(), "SEED=7") {
		t.Errorf("the end is %v", err)
	}
}

// TestSeed holds that the same seed asks for the same.
func TestSeed(t *testing.T) {
	t.Parallel()
	asks := func(seed uint64) (all []string) {
		s := &soak{seed: seed}
		w := &writer{random: s.random(100), streams: []string{"s"}}
		for range 20 {
			tag := w.newTag()
			all = append(all, tag.from+string(tag.mode))
		}
		return all
	}
	if a, b := strings.Join(asks(1), " "), strings.Join(asks(1), " "); a != b {
		t.Errorf("one seed asks for\n%s\nand for\n%s", a, b)
	}
	if a, b := strings.Join(asks(1), " "), strings.Join(asks(2), " "); a == b {
		t.Error("two seeds ask for the same")
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		args   string
		status int
	}{
		{"-h", 0}, {"-nonsense", 2}, {"nonsense", 2}, {"-state x", 2}, {"-kills -1", 2}, {"-for x", 2}, {"-for 1ms", 2},
	} {
		if got := command(t.Context(), strings.Fields(tc.args), io.Discard, io.Discard); got != tc.status {
			t.Errorf("%s: exit status %d, want %d", tc.args, got, tc.status)
		}
	}
}
