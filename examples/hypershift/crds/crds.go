// Package crds holds a small CustomResourceDefinition of HyperShift's HostedCluster,
// with the fields that the adapter reads.
package crds

import (
	_ "embed" // for the definition
	"os"
	"path/filepath"
)

const name = "hypershift.openshift.io_hostedclusters.yaml"

//go:embed hypershift.openshift.io_hostedclusters.yaml
var definition []byte

// Write writes the definition into dir, which it makes if need be.
func Write(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), definition, 0o600)
}
