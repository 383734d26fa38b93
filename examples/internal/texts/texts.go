// Package texts reads what the repository says outside of this module.
package texts

import (
	"os"
	"testing"
)

// Read returns what a file says, given from the directory of the test.
//
// The go command takes the result of a test from its cache as long as the files and the
// variables that the test looked at are the same. Files outside of the module do not count,
// so make test puts a sum of all texts into this variable.
func Read(t testing.TB, file string) string {
	t.Helper()
	_ = os.Getenv("POLYARCH_TEXTS")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
