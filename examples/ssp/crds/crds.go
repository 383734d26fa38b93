// Package crds holds the CustomResourceDefinitions that the adapter needs: those
// of CDI's DataImportCron and DataSource, generated from CDI's Go types, and one
// of the SSP that takes any spec.
package crds

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

//go:generate go run ./generate

//go:embed *.yaml
var files embed.FS

// Write writes the definitions into dir, which it makes if need be.
func Write(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, path), content, 0o600)
	})
}
