// Package atomicfile replaces files so that whoever reads one sees what was
// there before or the whole new content, even after a crash.
package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Write puts the content in place at once, readable by the owner only, whatever
// mode the file had before.
func Write(file string, content []byte) error {
	// In the same directory, since a file cannot be renamed across file systems.
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*")
	if err != nil {
		return err
	}
	// CreateTemp makes files of mode 0600.
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(content)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}
