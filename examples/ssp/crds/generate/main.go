// Command generate writes the CustomResourceDefinitions of CDI's DataImportCron
// and DataSource into the working directory. It lets controller-gen make them
// from CDI's Go types and adds what CDI's webhooks refuse and a schema can say:
//
//   - a DataImportCron with a name or managedDataSource longer than 63;
//   - a change of the spec of a DataImportCron.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

const (
	controllerGen = "sigs.k8s.io/controller-tools/cmd/controller-gen@v0.21.0"
	types         = "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "generate: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "crds-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	gen := exec.Command("go", "run", controllerGen, "crd:allowDangerousTypes=true", "paths="+types, "output:dir="+dir)
	gen.Stderr = os.Stderr
	if err := gen.Run(); err != nil {
		return fmt.Errorf("controller-gen: %w", err)
	}
	for _, kind := range []string{"dataimportcrons", "datasources"} {
		name := "cdi.kubevirt.io_" + kind + ".yaml"
		made, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if kind == "dataimportcrons" {
			if made, err = withWebhookRules(made); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if err := os.WriteFile(name, made, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func withWebhookRules(file []byte) ([]byte, error) {
	// A map keeps what the types of this version of Kubernetes do not know.
	var crd map[string]any
	if err := yaml.Unmarshal(file, &crd); err != nil {
		return nil, err
	}
	version := at[[]any](crd, "spec", "versions")
	if len(version) != 1 {
		return nil, fmt.Errorf("%d versions, want 1", len(version))
	}
	root := at[map[string]any](version[0], "schema", "openAPIV3Schema")
	spec := at[map[string]any](root, "properties", "spec")
	managed := at[map[string]any](spec, "properties", "managedDataSource")
	if root == nil || spec == nil || managed == nil {
		return nil, fmt.Errorf("no schema of spec.managedDataSource")
	}
	root["x-kubernetes-validations"] = rule("size(self.metadata.name) <= 63", "Name cannot be longer than 63 characters")
	spec["x-kubernetes-validations"] = rule("self == oldSelf", "Cannot update DataImportCron Spec")
	managed["maxLength"] = 63
	return yaml.Marshal(crd)
}

func rule(expression, message string) []apiextensionsv1.ValidationRule {
	return []apiextensionsv1.ValidationRule{{Rule: expression, Message: message}}
}

// at returns what is below the keys, or the zero value.
func at[T any](v any, keys ...string) T {
	for _, key := range keys {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	t, _ := v.(T)
	return t
}
