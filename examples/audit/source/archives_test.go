package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"slices"
	"testing"
)

// archiveOf returns an archive of the form (tar, tar.gz or zip) with the files.
func archiveOf(t testing.TB, form string, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if form == "zip" {
		w := zip.NewWriter(&b)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			file, err := w.Create(name)
			check(err)
			_, err = file.Write([]byte(files[name]))
			check(err)
		}
		check(w.Close())
		return b.Bytes()
	}
	var to io.WriteCloser = struct {
		io.Writer
		io.Closer
	}{&b, io.NopCloser(nil)}
	if form == "tar.gz" {
		to = gzip.NewWriter(&b)
	}
	w := tar.NewWriter(to)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		check(w.WriteHeader(&tar.Header{Name: name, Size: int64(len(files[name])), Mode: 0o600, Typeflag: tar.TypeReg}))
		_, err := w.Write([]byte(files[name]))
		check(err)
	}
	check(w.Close())
	check(to.Close())
	return b.Bytes()
}
