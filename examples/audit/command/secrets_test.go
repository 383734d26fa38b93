package command_test

import (
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/polyarch/polyarch/examples/audit/internal/gather"
)

// The tokens that are planted wherever somebody may have put one.
var planted = []string{
	"planted-in-a-secret", "planted-in-a-configmap", "planted-in-ignition", "planted-user", "planted-password",
	"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJl", "sha256~planted-token-AbC", "planted-in-an-annotation",
}

const userinfo = "planted-user:planted-password@"

// plant puts the tokens into the objects.
func plant(t *testing.T, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	t.Helper()
	set := func(o *unstructured.Unstructured, value string, path ...string) {
		if err := unstructured.SetNestedField(o.Object, value, path...); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range objects {
		annotations := o.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations["example.com/token"] = planted[5]
		annotations["kubectl.kubernetes.io/last-applied-configuration"] = planted[7]
		o.SetAnnotations(annotations)
		switch o.GetKind() {
		case "ConfigMap":
			set(o, "token: planted-in-a-configmap\n", "data", "other")
			if text, ok, _ := unstructured.NestedString(o.Object, "data", "config.yaml"); ok {
				set(o, strings.Replace(text, "imagePolicyConfig", "storageConfig\":{\"keyFile\":\"planted-in-a-configmap\"},\"imagePolicyConfig", 1), "data", "config.yaml")
			}
		case "ImageStream", "ClusterVersion", "MachineConfig", "MachineOSConfig", "OSImageStream", "SSP":
			o.Object = replaced(o.Object).(map[string]any)
		case "Infrastructure":
			set(o, "https://"+userinfo+"api.example.com", "status", "apiServerURL")
		case "Node":
			set(o, "x86_64,"+planted[6], "metadata", "labels", "kubernetes.io/arch")
		}
		if o.GetKind() == "SSP" {
			templates, _, _ := unstructured.NestedSlice(o.Object, "spec", "commonTemplates", "dataImportCronTemplates")
			annotation := templates[0].(map[string]any)["metadata"].(map[string]any)["annotations"].(map[string]any)
			annotation["ssp.kubevirt.io/dict.architectures"] = "amd64,planted-in-an-annotation," + planted[5]
			if err := unstructured.SetNestedSlice(o.Object, templates, "spec", "commonTemplates", "dataImportCronTemplates"); err != nil {
				t.Fatal(err)
			}
		}
	}
	more, err := gather.Parse(`
apiVersion: v1
kind: Secret
metadata: {name: pull, namespace: openshift-config}
stringData: {token: planted-in-a-secret}
---
apiVersion: config.openshift.io/v1
kind: Proxy
metadata: {name: cluster}
spec: {httpProxy: "http://planted-user:planted-password@proxy.example.com:3128"}
`)
	if err != nil {
		t.Fatal(err)
	}
	return append(objects, more...)
}

// replaced puts userinfo into each pull spec.
func replaced(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = replaced(v[k])
		}
	case []any:
		for i := range v {
			v[i] = replaced(v[i])
		}
	case string:
		return strings.ReplaceAll(v, "quay.io/", userinfo+"quay.io/")
	}
	return v
}

// TestNothingSecret holds that none of the planted tokens gets into what is written, in
// whatever form.
func TestNothingSecret(t *testing.T) {
	dir := t.TempDir()
	if err := gather.Write(dir, plant(t, fixture(t, "heterogeneous"))...); err != nil {
		t.Fatal(err)
	}
	text, err := gather.Parse("apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\ndata: {c: planted-in-a-secret}\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := gather.WriteList(dir, "v1", "SecretList", filepath.Join("namespaces", "b", "core", "secrets.yaml"), text...); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json"} {
		_, out, complaints := run(t, "--must-gather", dir, "-o", format, "--assume-children=3",
			"--what-if=payload=single", "--what-if=node-arch=+s390x", "--what-if=dict-arch=bad-image-cron=amd64")
		for _, token := range planted {
			if strings.Contains(out+complaints, token) {
				t.Errorf("%s has %s", format, token)
			}
		}
		if !strings.Contains(out, "[hidden]@quay.io/") {
			t.Errorf("%s has no pull spec at all, so that nothing was tested", format)
		}
		if format == "json" && !strings.Contains(out, `"secrets": 2`) {
			t.Error("the two Secrets were not counted as skipped")
		}
	}
}
