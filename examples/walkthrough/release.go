package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/polyarch/polyarch/payloadarch"
)

// A release is a payload that the cluster version operator can be sent to.
type release struct {
	image, version string
	multi          bool
}

// The releases of the story. Single420 and multi420 are the two payloads of one
// version, between which "oc adm upgrade --to-multi-arch" migrates.
var (
	multi419  = release{"quay.example.com/release@sha256:" + digits("19"), "4.19.0", true}
	single420 = release{"quay.example.com/release@sha256:" + digits("20"), "4.20.0", false}
	multi420  = release{"quay.example.com/release@sha256:" + digits("2a"), "4.20.0", true}
)

func releases() []release { return []release{multi419, single420, multi420} }

func (r release) kind() payloadarch.Kind {
	if r.multi {
		return payloadarch.Multi
	}
	return payloadarch.Single
}

// digits repeats two hexadecimal digits to the length of a sha256.
func digits(two string) string {
	s := ""
	for range 32 {
		s += two
	}
	return s
}

// writeRelease makes the release directory that the operator reads.
func (c *cluster) writeRelease(r release) error {
	dir := filepath.Join(c.w.dir, "releases", r.image[len(r.image)-8:])
	metadata := map[string]any{"kind": "cincinnati-metadata-v0", "version": r.version, "previous": []string{}}
	if r.multi {
		metadata["metadata"] = map[string]string{"release.openshift.io/architecture": "multi"}
	}
	data, err := json.Marshal(metadata)
	if err != nil {
		return err
	}
	manifests := filepath.Join(dir, "release-manifests")
	if err := os.MkdirAll(manifests, 0o700); err != nil {
		return err
	}
	c.releases[r.image] = dir
	return os.WriteFile(filepath.Join(manifests, "release-metadata"), data, 0o600)
}
