package source_test

import (
	"archive/tar"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/examples/audit/source"
)

// TestRefused holds that links, what leads outside and what is too large is refused with
// a line, and that the rest is read.
func TestRefused(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.yaml")
	put(t, outside, "apiVersion: v1\nkind: Node\nmetadata: {name: outside}\n")
	dir := t.TempDir()
	write(t, dir, cluster)
	if err := os.Symlink(outside, filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(dir, "links")); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(dir, "large.yaml")
	put(t, large, "")
	if err := os.Truncate(large, 2<<30); err != nil { // a hole, which takes no room
		t.Fatal(err)
	}
	s := source.NewFiles(source.DefaultLimits, dir)
	if d := cmp.Diff(want, read(t, s)); d != "" {
		t.Errorf("directory (-want +got):\n%s", d)
	}
	refusals(t, "directory", s, "link.yaml", "links", "large.yaml")

	for _, name := range []string{"link.yaml", "links", "large.yaml"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s = source.NewFiles(source.DefaultLimits, tarOf(t, dir, true,
		&tar.Header{Name: "../outside.yaml", Size: 3, Typeflag: tar.TypeReg},
		&tar.Header{Name: "/etc/absolute.yaml", Size: 3, Typeflag: tar.TypeReg},
		&tar.Header{Name: "link.yaml", Linkname: outside, Typeflag: tar.TypeSymlink},
		&tar.Header{Name: "hard.yaml", Linkname: "../x", Typeflag: tar.TypeLink},
		&tar.Header{Name: "device", Typeflag: tar.TypeChar}))
	if d := cmp.Diff(want, read(t, s)); d != "" {
		t.Errorf("tar (-want +got):\n%s", d)
	}
	refusals(t, "tar", s, "../outside.yaml", "/etc/absolute.yaml", "link.yaml", "hard.yaml", "device")
}

func refusals(t *testing.T, what string, s source.Source, names ...string) {
	t.Helper()
	var got []string
	for _, n := range s.Info().Refused.Named {
		got = append(got, n.Where)
	}
	if d := cmp.Diff(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(got))); d != "" {
		t.Errorf("%s: refused (-want +got):\n%s", what, d)
	}
}

// TestLimits holds each limit, with small ones.
func TestLimits(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, cluster)
	put(t, filepath.Join(dir, "zeros.yaml"), "apiVersion: v1\nkind: Node\nmetadata: {name: z}\nspec: "+strings.Repeat("0", 1<<20)+"\n")
	small := source.DefaultLimits
	small.Object, small.Ratio = 4096, 20
	for name, tc := range map[string]struct {
		path   string
		change func(*source.Limits)
		where  string
	}{
		"files":                {dir, func(l *source.Limits) { l.Files = 3 }, "only 3 are read"},
		"a large file":         {dir, func(l *source.Limits) { l.File = 1000 }, "only files of up to 1000"},
		"what an archive has":  {tarOf(t, dir, false), func(l *source.Limits) { l.Total = 10_000 }, "only 10000 bytes are read"},
		"what comes out of it": {tarOf(t, dir, true), func(*source.Limits) {}, "too many for its size"},
		"what a zip holds":     {zipOf(t, dir), func(l *source.Limits) { l.File = 1000 }, "only files of up to 1000"},
		"an object":            {dir, func(*source.Limits) {}, "an object is too large"},
	} {
		limits := small
		tc.change(&limits)
		s := source.NewFiles(limits, tc.path)
		read(t, s)
		info := s.Info()
		if text := fmt.Sprint(info.Refused.Named, info.Unreadable.Named); !strings.Contains(text, tc.where) {
			t.Errorf("%s: nothing says %q: %s", name, tc.where, text)
		}
	}
}
