package manifestlist

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// TestLimitsAreReachedExactly: what is as large as the limit is taken, and one byte
// more is not.
func TestLimitsAreReachedExactly(t *testing.T) {
	index := mustAssemble(t, children("linux/amd64", "linux/arm64"), Options{}).Bytes
	parsed := mustParse(t, index)
	wordy := with(image("linux/amd64"), func(c *Child) { c.Manifest = append(c.Manifest, strings.Repeat(" ", 2000)...) })
	wordyConfig := configured(`{"os":"linux","architecture":"amd64","author":"`+strings.Repeat("x", 2000)+`"}`, ocispec.MediaTypeImageConfig)
	for _, tc := range []struct {
		name  string
		size  int
		what  func(limit int) error
		error string
	}{
		{"A12: Assemble", len(index), func(limit int) error {
			_, err := Assemble(children("linux/amd64", "linux/arm64"), Options{SizeLimit: limit})
			return err
		}, "TooLarge@-1"},
		{"A12: Update", len(index), func(limit int) error {
			_, err := Update(parsed, nil, Options{SizeLimit: limit})
			return err
		}, "TooLarge@-1"},
		{"A12: a manifest", len(wordy.Manifest), func(limit int) error {
			_, err := Assemble([]Child{wordy}, Options{SizeLimit: limit})
			return err
		}, "TooLarge@0"},
		{"A12: a config", len(wordyConfig.Config), func(limit int) error {
			_, err := Assemble([]Child{wordyConfig}, Options{SizeLimit: limit})
			return err
		}, "TooLarge@0"},
		{"A12,D1: a manifest that is described", len(wordy.Manifest), func(limit int) error {
			_, _, err := Describe(wordy, Options{SizeLimit: limit})
			return err
		}, "TooLarge@0"},
		{"A12,A5: a nested index", len(index), func(limit int) error {
			_, err := Assemble([]Child{{Manifest: index}}, Options{SizeLimit: limit, Nested: Flatten})
			return err
		}, "TooLarge@0"},
		{"A12,P1: ParseLimit", len(index), func(limit int) error {
			_, err := ParseLimit(index, limit)
			return err
		}, "TooLarge@-1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := tc.what(tc.size); err != nil {
				t.Errorf("refused at the limit: %v", err)
			}
			if diff := cmp.Diff([]string{tc.error}, codes(t, tc.what(tc.size-1))); diff != "" {
				t.Errorf("one byte more (-want +got):\n%s", diff)
			}
		})
	}
}
