package source

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// An entry is a file of a directory or an archive.
type entry struct {
	name string
	size int64
	open func() (io.ReadCloser, error)
}

// walk hands out the files of a path, whatever it is, always in the same order. Refused
// is told of what is not handed out.
func walk(ctx context.Context, name string, limits Limits, refused func(where, why string), f func(entry) error) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	w := walker{ctx: ctx, limits: limits, refused: refused, f: f}
	if info.IsDir() {
		return w.directory(name)
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	magic := make([]byte, 4)
	if _, err := io.ReadFull(file, magic); err != nil {
		return fmt.Errorf("%s: neither a directory nor an archive", name)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	switch {
	case bytes.Equal(magic, []byte("PK\x03\x04")):
		err = w.zip(file, info.Size())
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		var unzipped *gzip.Reader
		if unzipped, err = gzip.NewReader(file); err == nil {
			err = w.stream(&meter{r: unzipped, total: limits.Total, floor: limits.Object, most: limits.Ratio * info.Size()}, name)
		}
	default:
		err = w.stream(&meter{r: file, total: limits.Total}, name)
	}
	if err != nil && !errors.Is(err, errEnough) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// errEnough ends a walk that has come to a limit, and said so.
var errEnough = errors.New("enough")

type walker struct {
	ctx     context.Context
	limits  Limits
	refused func(where, why string)
	f       func(entry) error
	files   int
}

// hand gives a file to f, unless it is one too many or too large.
func (w *walker) hand(e entry) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.files++; w.files > w.limits.Files {
		w.refused(e.name, fmt.Sprintf("this file and those behind it: only %d are read", w.limits.Files))
		return errEnough
	}
	if e.size > w.limits.File {
		w.refused(e.name, fmt.Sprintf("%d bytes, only files of up to %d are read", e.size, w.limits.File))
		return nil
	}
	return w.f(e)
}

// directory walks a directory. No link is followed, and nothing outside can be opened.
func (w *walker) directory(name string) error {
	root, err := os.OpenRoot(name)
	if err != nil {
		return err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			w.refused(p, err.Error())
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return w.ctx.Err()
		case d.Type()&fs.ModeSymlink != 0:
			w.refused(p, "a link, which is not followed")
			return nil
		case !d.Type().IsRegular():
			w.refused(p, "no regular file")
			return nil
		}
		info, err := d.Info()
		if err != nil {
			w.refused(p, err.Error())
			return nil
		}
		return w.hand(entry{p, info.Size(), func() (io.ReadCloser, error) { return root.Open(filepath.FromSlash(p)) }})
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// stream walks a tar archive, or takes what is none for a single file.
func (w *walker) stream(m *meter, name string) error {
	r := bufio.NewReaderSize(m, 64<<10)
	block, err := r.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if len(block) < 512 || !bytes.HasPrefix(block[257:], []byte("ustar")) {
		return w.hand(entry{filepath.Base(name), 0, func() (io.ReadCloser, error) { return io.NopCloser(r), nil }})
	}
	for archive := tar.NewReader(r); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if errors.Is(err, errEnough) {
			w.refused(filepath.Base(name), "the rest of the archive: "+m.why)
			return nil
		}
		if err != nil {
			// What came before the cut is good.
			w.refused(filepath.Base(name), "the rest of the archive: "+err.Error())
			return nil
		}
		switch {
		case header.Typeflag == tar.TypeDir || header.Typeflag == tar.TypeXGlobalHeader:
			continue
		case header.Typeflag == tar.TypeSymlink || header.Typeflag == tar.TypeLink:
			w.refused(header.Name, "a link, which is not followed")
			continue
		case header.Typeflag != tar.TypeReg:
			w.refused(header.Name, "no regular file")
			continue
		case !inside(header.Name):
			w.refused(header.Name, "its name leads outside")
			continue
		}
		err = w.hand(entry{path.Clean(header.Name), header.Size, func() (io.ReadCloser, error) { return io.NopCloser(archive), nil }})
		if err != nil {
			return err
		}
	}
}

func (w *walker) zip(file *os.File, size int64) error {
	archive, err := zip.NewReader(file, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	m := &meter{total: w.limits.Total, floor: w.limits.Object, most: w.limits.Ratio * size}
	for _, member := range archive.File {
		switch {
		case member.Mode().IsDir() || strings.HasSuffix(member.Name, "/"):
			continue
		case member.Mode()&fs.ModeSymlink != 0:
			w.refused(member.Name, "a link, which is not followed")
			continue
		case !member.Mode().IsRegular():
			w.refused(member.Name, "no regular file")
			continue
		case !inside(member.Name):
			w.refused(member.Name, "its name leads outside")
			continue
		case member.UncompressedSize64 > uint64(w.limits.File):
			w.refused(member.Name, fmt.Sprintf("%d bytes, only files of up to %d are read", member.UncompressedSize64, w.limits.File))
			continue
		}
		err := w.hand(entry{path.Clean(member.Name), int64(member.UncompressedSize64), func() (io.ReadCloser, error) {
			r, err := member.Open()
			if err != nil {
				return nil, err
			}
			m.r = r
			return struct {
				io.Reader
				io.Closer
			}{m, r}, nil
		}})
		if err != nil {
			return err
		}
		if m.why != "" {
			w.refused(member.Name, "this file and those behind it: "+m.why)
			return nil
		}
	}
	return nil
}

// inside reports whether a name stays within its archive.
func inside(name string) bool {
	return !strings.Contains(name, `\`) && filepath.IsLocal(filepath.FromSlash(name))
}

// A meter ends where more comes out of an archive than anybody would have put in.
type meter struct {
	r    io.Reader
	read int64
	// total is how much may come out; most as well, once it is over floor; 0 is any.
	total, floor, most int64
	why                string
}

func (m *meter) Read(into []byte) (int, error) {
	switch {
	case m.why != "":
		return 0, errEnough
	case m.total > 0 && m.read > m.total:
		m.why = fmt.Sprintf("only %d bytes are read of an archive", m.total)
		return 0, errEnough
	case m.most > 0 && m.read > m.floor && m.read > m.most:
		m.why = fmt.Sprintf("more than %d bytes come out of it, too many for its size", m.most)
		return 0, errEnough
	}
	n, err := m.r.Read(into)
	m.read += int64(n)
	return n, err
}
