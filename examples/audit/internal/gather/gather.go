// Package gather writes objects to files the way oc adm inspect does, for tests and for
// whoever wants a must-gather of a cluster that is not there.
package gather

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/polyarch/polyarch/examples/audit/source"
)

// Parse returns the objects of the documents of a YAML text.
func Parse(text string) ([]*unstructured.Unstructured, error) {
	var all []*unstructured.Unstructured
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader([]byte(text)), 4096)
	for {
		var object map[string]any
		if err := decoder.Decode(&object); err != nil {
			if err.Error() == "EOF" {
				return all, nil
			}
			return nil, err
		}
		if len(object) > 0 {
			all = append(all, &unstructured.Unstructured{Object: object})
		}
	}
}

// Write writes the objects below dir, one file for each: dirPathForInfo and
// filenameForInfo in openshift/oc, pkg/cli/admin/inspect/util.go at 04e7cda.
func Write(dir string, objects ...*unstructured.Unstructured) error {
	for _, o := range objects {
		text, err := yaml.Marshal(o.Object)
		if err != nil {
			return err
		}
		group := o.GroupVersionKind().Group
		if group == "" {
			group = "core"
		}
		place := filepath.Join("cluster-scoped-resources", group)
		if ns := o.GetNamespace(); ns != "" {
			place = filepath.Join("namespaces", ns, group)
		}
		file := filepath.Join(dir, place, resourceOf(o), o.GetName()+".yaml")
		if err := put(file, append([]byte("---\n"), text...)); err != nil {
			return err
		}
	}
	return nil
}

// WriteList writes a list as gatherConfigResourceData does for the kinds of
// config.openshift.io (inspect.go of the same package), and inspect for those of a
// namespace: the kind of the list comes behind the items.
func WriteList(dir, apiVersion, kind, file string, objects ...*unstructured.Unstructured) error {
	items := make([]any, len(objects))
	for i, o := range objects {
		items[i] = o.Object
	}
	list := map[string]any{"apiVersion": apiVersion, "kind": kind, "items": items, "metadata": map[string]any{"resourceVersion": "1"}}
	text, err := yaml.Marshal(list)
	if err != nil {
		return err
	}
	return put(filepath.Join(dir, file), append([]byte("---\n"), text...))
}

func put(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// resourceOf returns the resource of an object: for kinds that the audit has no use for,
// what most plurals are.
func resourceOf(o *unstructured.Unstructured) string {
	if k := kindOf(o); k != nil {
		return k.Resource
	}
	return strings.ToLower(o.GetKind()) + "s"
}

func kindOf(o *unstructured.Unstructured) *source.Kind {
	gvk := o.GroupVersionKind()
	for _, k := range source.Kinds() {
		if k.Group == gvk.Group && k.Kind == gvk.Kind {
			return k
		}
	}
	return nil
}

// Resource returns the resource of an object of a kind that the audit reads.
func Resource(o *unstructured.Unstructured) (string, error) {
	if k := kindOf(o); k != nil {
		return k.Resource, nil
	}
	return "", fmt.Errorf("%s: the audit reads none", o.GroupVersionKind())
}
