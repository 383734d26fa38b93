package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func noEnvironment(string) string { return "" }

// TestFlagsMayStandAnywhere among the images.
func TestFlagsMayStandAnywhere(t *testing.T) {
	one, two := absent("quay.io", "1"), absent("quay.io", "2")
	flags := []string{"--to=quay.io/os:4.20", "--require", "linux/amd64,linux/arm64/v8", "--insecure"}
	for where, args := range map[string][]string{
		"before":  slices.Concat(flags, []string{one, two}),
		"after":   slices.Concat([]string{one, two}, flags),
		"between": slices.Concat([]string{one}, flags, []string{two}),
		"--":      slices.Concat(flags, []string{"--", one, two}),
		"apart":   {"--to", "quay.io/os:4.20", one, "--require=linux/amd64", two, "--insecure", "--require=linux/arm64/v8"},
	} {
		t.Run(where, func(t *testing.T) {
			a, err := parse(args, noEnvironment)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, i := range a.images {
				got = append(got, i.String())
			}
			if diff := cmp.Diff([]string{one, two}, got); diff != "" {
				t.Errorf("images (-want +got):\n%s", diff)
			}
			if len(a.required) != 2 || a.required[1].Variant != "v8" || a.to.String() != "quay.io/os:4.20" || !a.insecure.every {
				t.Errorf("arguments %+v", a)
			}
		})
	}
}

func TestAuthFileOfTheEnvironment(t *testing.T) {
	environ := func(v string) string { return map[string]string{"REGISTRY_AUTH_FILE": "/of/the/environment"}[v] }
	for want, args := range map[string][]string{
		"/of/the/environment": {"--dry-run", absent("quay.io", "1")},
		"/of/the/flag":        {"--dry-run", absent("quay.io", "1"), "--authfile", "/of/the/flag"},
	} {
		if a, err := parse(args, environ); err != nil || a.authFile != want {
			t.Errorf("%q: %s, %v; want %s", args, a.authFile, err, want)
		}
	}
}

// TestWrongUseIsOfBoundedLength, however long what was wrong.
func TestWrongUseIsOfBoundedLength(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, args := range [][]string{{"--to", long, "x"}, {"--dry-run", long}, {"--dry-run", "--require", long, "x"}, {"--insecure=http://" + long, "x"}} {
		code, _, stderr := execute(args...)
		if code != exitUsage || len(stderr) > 500 || !strings.Contains(stderr, "(128 of 100") {
			t.Errorf("exit code %d, %d bytes: %.500s", code, len(stderr), stderr)
		}
	}
}

// TestHelp holds what people look for in it.
func TestHelp(t *testing.T) {
	code, stdout, stderr := execute("--help")
	if code != 0 || stderr != "" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	for _, s := range []string{
		"--to", "--require", "--dry-run", "--authfile", "--insecure[=HOST,...]", "--parallel", "--stall-timeout", "--help",
		"examples:\n", "credentials ", "REGISTRY_AUTH_FILE", "DOCKER_CONFIG", "~/.docker/config.json", "podman login",
		"exit codes:\n  0 ", "\n  1 ", "\n  2 ", "\n  64 ", "\n  130 ",
	} {
		if !strings.Contains(stdout, s) {
			t.Errorf("says nothing of %q", s)
		}
	}
	for line := range strings.Lines(stdout) {
		if len(line) > 100 {
			t.Errorf("%d bytes: %s", len(line), line)
		}
	}
}

// TestExamplesOfTheHelpParse, but for their digests.
func TestExamplesOfTheHelpParse(t *testing.T) {
	_, examples, _ := strings.Cut(help, "examples:\n")
	examples, _, _ = strings.Cut(examples, "\n\n")
	examples = strings.ReplaceAll(strings.ReplaceAll(examples, "\\\n", " "), "sha256:...", "sha256:"+strings.Repeat("0", 64))
	n := 0
	for line := range strings.Lines(examples) {
		args := strings.Fields(line)
		if _, err := parse(args[1:], noEnvironment); err != nil || args[0] != "indexpush" {
			t.Errorf("%s: %v", line, err)
		}
		n++
	}
	if n < 3 {
		t.Errorf("%d examples", n)
	}
}
