package manifestlist

import (
	"errors"
	"strings"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

// TestBytesOfAChild: the code and the path of the first error, or none.
func TestBytesOfAChild(t *testing.T) {
	for _, tc := range append(manifestlisttest.ManifestCases(), manifestlisttest.ConfigCases()...) {
		t.Run(tc.Name, func(t *testing.T) {
			hold(t, fromKit(tc.Child)[0], Options{}, Code(tc.Code), tc.Path)
		})
	}
}

// hold assembles one child and compares the first error.
func hold(t *testing.T, c Child, opts Options, code Code, path string) {
	t.Helper()
	_, err := Assemble([]Child{c}, opts)
	if code == "" {
		if err != nil {
			t.Errorf("refused: %v", err)
		}
		return
	}
	var e *IndexError
	if !errors.As(err, &e) || e.Code != code || e.Path != "children[0]."+path || place(e.Child) != 0 {
		t.Errorf("error %v, want %s at children[0].%s", err, code, path)
	}
}

// TestOddBytesOfAChild has the rows where a manifest or a config could pass for
// something else.
func TestOddBytesOfAChild(t *testing.T) {
	index := `"schemaVersion":2,"mediaType":"` + ocispec.MediaTypeImageIndex + `"`
	for _, tc := range []struct {
		name, manifest string
		code           Code
		path           string
	}{
		{"A1: manifests tell an index where nobody declares one", `{"schemaVersion":2,"manifests":[]}`, CodeNestedIndex, "mediaType"},
		{"B3: manifests and a config", `{"manifests":[],"config":{}}`, CodeAmbiguous, "manifest"},
		{"B3: an index with the history of schema 1", `{` + index + `,"manifests":[],"history":[]}`, CodeAmbiguous, "manifest.history"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			hold(t, Child{Manifest: []byte(tc.manifest)}, Options{}, tc.code, tc.path)
		})
	}
	t.Run("A4,B3: the config of a Docker image is that of an image", func(t *testing.T) {
		c := configured(`{"os":"linux","architecture":"amd64"}`, dockerConfig)
		c.Config = nil
		hold(t, c, Options{}, CodeInvalidPlatform, "platform")
	})
	t.Run("A2: os.features that the descriptor leaves out", func(t *testing.T) {
		r := mustAssemble(t, []Child{with(image("linux/amd64+a"), func(c *Child) { c.Descriptor.Platform = platform("linux/amd64") })}, Options{})
		if got := layout(t, r.Bytes); got != "linux/amd64(+a)" {
			t.Errorf("entries %q", got)
		}
	})
	t.Run("B2: only rootfs is held to the names of rootfs", func(t *testing.T) {
		hold(t, configured(`{"os":"linux","architecture":"amd64","config":{"Type":1,"type":2}}`, ocispec.MediaTypeImageConfig), Options{}, "", "")
	})
}

func TestSizeLimitOfAConfig(t *testing.T) {
	t.Run("A12,B1: size limit of a config", func(t *testing.T) {
		c := configured(`{"os":"linux","architecture":"amd64","author":"`+strings.Repeat("x", 2000)+`"}`, ocispec.MediaTypeImageConfig)
		hold(t, c, Options{SizeLimit: 2000}, CodeTooLarge, "config")
		hold(t, c, Options{SizeLimit: 3000}, "", "")
	})
}
