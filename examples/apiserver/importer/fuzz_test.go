package importer

import "testing"

// FuzzRead holds that a manifest is a list or an image or refused, whatever it is.
func FuzzRead(f *testing.F) {
	const list, image = "application/vnd.oci.image.index.v1+json", "application/vnd.oci.image.manifest.v1+json"
	f.Add([]byte(`{"schemaVersion":2,"mediaType":"`+list+`","manifests":[]}`), "")
	f.Add([]byte(`{"schemaVersion":2,"manifests":[{"digest":"sha256:0"}]}`), list)
	f.Add([]byte(`{"schemaVersion":2,"config":{"digest":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},"layers":[]}`), image)
	f.Add([]byte(`{"schemaVersion":2,"config":null,"layers":null,"manifests":null}`), image)
	f.Add([]byte(`{"schemaVersion":1,"fsLayers":[]}`), "application/vnd.docker.distribution.manifest.v1+json")
	f.Add([]byte(`{}`), ";")
	importer := New(Options{})
	f.Fuzz(func(t *testing.T, content []byte, told string) {
		doc, err := importer.read(content, told, "")
		switch {
		case err != nil:
			_ = Status(err, "x")
		case doc.index == nil && doc.image.Config.Digest.Validate() != nil:
			t.Errorf("%q is neither a list nor an image with a config", content)
		}
	})
}
