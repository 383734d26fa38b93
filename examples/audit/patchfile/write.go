package patchfile

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// A File is to be written.
type File struct {
	Name    string
	Content []byte
}

// Empty returns an error unless the directory is empty or not there.
func Empty(dir string) error {
	all, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(all) > 0:
		return fmt.Errorf("%s is not empty, and nothing is overwritten", dir)
	}
	return nil
}

// Write writes the files into a directory that is empty or not there. Nobody else can
// read them, and what is there is not overwritten.
func Write(dir string, files []File) error {
	if err := Empty(dir); err != nil || len(files) == 0 {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		if err := create(root, f); err != nil {
			return err
		}
	}
	return nil
}

func create(root *os.Root, f File) error {
	file, err := root.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(f.Content)
	return errors.Join(err, file.Close())
}

// maxName leaves room in the 255 bytes that a file name may have.
const maxName = 200

// fileName returns another name for each object, which leads nowhere else and stays
// another one where small and capital letters are the same.
func fileName(parts ...string) string {
	for i, part := range parts {
		var b strings.Builder
		for _, c := range []byte(part) {
			// Dots part the parts, and only the last may have some.
			if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' && i == len(parts)-1 {
				b.WriteByte(c)
			} else {
				fmt.Fprintf(&b, "%%%02x", c)
			}
		}
		parts[i] = b.String()
	}
	name := strings.Join(parts, ".")
	if len(name) > maxName {
		name = fmt.Sprintf("%s-%x", name[:maxName], sha256.Sum256([]byte(name)))[:maxName+17]
	}
	return name + ".yaml"
}
