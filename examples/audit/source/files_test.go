package source_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/polyarch/polyarch/examples/audit/internal/gather"
	"github.com/polyarch/polyarch/examples/audit/source"
)

const cluster = `
apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata: {name: version, resourceVersion: "10"}
spec: {clusterID: "a"}
---
apiVersion: v1
kind: Node
metadata:
  name: worker-0
  resourceVersion: "20"
  labels: {kubernetes.io/arch: amd64}
  managedFields: [{manager: kubelet}]
status:
  images: [{names: [a]}]
---
apiVersion: v1
kind: Node
metadata: {name: worker-1, labels: {kubernetes.io/arch: arm64}}
---
apiVersion: image.openshift.io/v1
kind: ImageStream
metadata: {name: app, namespace: demo, resourceVersion: "30"}
spec: {tags: [{name: latest}]}
---
apiVersion: image.openshift.io/v1
kind: ImageStream
metadata: {name: tools, namespace: demo, resourceVersion: "31"}
---
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: {name: 00-worker}
spec: {osImageURL: "quay.io/os", config: {storage: {files: [{path: /etc/key}]}}}
---
apiVersion: v1
kind: Secret
metadata: {name: hidden, namespace: demo}
data: {token: c2VjcmV0}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: app, namespace: demo}
`

func objects(t *testing.T, text string) []*unstructured.Unstructured {
	t.Helper()
	list, err := gather.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func write(t *testing.T, dir, text string) {
	t.Helper()
	if err := gather.Write(dir, objects(t, text)...); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// read returns all objects as resource/namespace/name, with what else is interesting.
func read(t *testing.T, s source.Source) []string {
	t.Helper()
	var all []string
	note := func(k *source.Kind, o source.Object) error {
		var content map[string]any
		if err := o.Into(&content); err != nil {
			t.Errorf("%s: %v", o.Path(), err)
		}
		version, _, _ := unstructured.NestedString(content, "metadata", "resourceVersion")
		all = append(all, strings.TrimSuffix(k.Resource+" "+o.Path()+" "+version, " "))
		return nil
	}
	if err := s.Read(t.Context(), note); err != nil {
		t.Fatal(err)
	}
	for _, k := range source.Kinds() {
		if !k.Bulk {
			continue
		}
		if err := s.Stream(t.Context(), k, func(o source.Object) error { return note(k, o) }); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

var want = []string{
	"clusterversions version 10", "nodes worker-0 20", "nodes worker-1", "machineconfigs 00-worker",
	"imagestreams demo/app 30", "imagestreams demo/tools 31",
}

// TestForms holds that a directory and each kind of archive of it hold the same.
func TestForms(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, cluster)
	put(t, filepath.Join(dir, "namespaces/demo/pods/app/app/logs/current.log"), strings.Repeat("a line of a log\n", 1000))
	for name, path := range map[string]string{
		"directory": dir, "tar": tarOf(t, dir, false), "tar.gz": tarOf(t, dir, true), "zip": zipOf(t, dir),
	} {
		s := source.NewFiles(source.DefaultLimits, path)
		if d := cmp.Diff(want, read(t, s)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		info := s.Info()
		if info.Secrets != 1 || info.Others != 1 || info.Unknown["Deployment"] != 1 || info.Unreadable.Count+info.Refused.Count != 0 {
			t.Errorf("%s: %+v", name, info)
		}
		if c := s.Coverage(source.Nodes); c != (source.Coverage{State: source.Read, Objects: 2}) || !c.Known() {
			t.Errorf("%s: nodes: %+v", name, c)
		}
		if c := s.Coverage(source.SSPs); c.State != source.NotInSource || c.Known() {
			t.Errorf("%s: there are no SSP objects, and: %+v", name, c)
		}
	}
}

func files(t *testing.T, dir string, f func(name string, info fs.FileInfo, content []byte) error) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		return f(name, info, content)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func tarOf(t *testing.T, dir string, zipped bool, more ...*tar.Header) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range more {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(bytes.Repeat([]byte("x"), int(h.Size))); err != nil {
			t.Fatal(err)
		}
	}
	files(t, dir, func(name string, info fs.FileInfo, content []byte) error {
		if err := w.WriteHeader(&tar.Header{Name: "./" + name, Mode: 0o644, Size: info.Size(), Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		_, err := w.Write(content)
		return err
	})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "must-gather")
	if zipped {
		var z bytes.Buffer
		g := gzip.NewWriter(&z)
		if _, err := g.Write(b.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
		b = z
	}
	put(t, file, b.String())
	return file
}

func zipOf(t *testing.T, dir string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	files(t, dir, func(name string, _ fs.FileInfo, content []byte) error {
		f, err := w.Create(name)
		if err != nil {
			return err
		}
		_, err = f.Write(content)
		return err
	})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "must-gather")
	put(t, file, b.String())
	return file
}

// TestPlaces holds that objects are known by what they say, wherever they are.
func TestPlaces(t *testing.T) {
	for name, fill := range map[string]func(dir string){
		"KubeVirt's way": func(dir string) {
			for _, o := range objects(t, cluster) {
				put(t, filepath.Join(dir, "namespaces/"+o.GetNamespace()+"/crs/"+o.GetKind()+".kubevirt.io/"+o.GetName()+".yaml"), asYAML(t, o))
			}
		},
		"several images, each with its directory": func(dir string) {
			for i, o := range objects(t, cluster) {
				if err := gather.Write(filepath.Join(dir, fmt.Sprintf("quay-io-image-sha256-%d", i%3)), o); err != nil {
					t.Fatal(err)
				}
			}
		},
		"a list, and items without a kind": func(dir string) {
			byKind := map[string][]*unstructured.Unstructured{}
			version := map[string]string{}
			for _, o := range objects(t, cluster) {
				kind := o.GetKind()
				version[kind] = o.GetAPIVersion()
				delete(o.Object, "kind")
				delete(o.Object, "apiVersion")
				byKind[kind] = append(byKind[kind], o)
			}
			for kind, list := range byKind {
				if err := gather.WriteList(dir, version[kind], kind+"List", "x/"+kind+".yaml", list...); err != nil {
					t.Fatal(err)
				}
			}
		},
		"one List of all": func(dir string) {
			if err := gather.WriteList(dir, "v1", "List", "all", objects(t, cluster)...); err != nil {
				t.Fatal(err)
			}
		},
		"JSON": func(dir string) {
			for i, o := range objects(t, cluster) {
				put(t, filepath.Join(dir, fmt.Sprint(i)), asJSON(t, o))
			}
		},
		"a list in JSON": func(dir string) {
			var items []string
			for _, o := range objects(t, cluster) {
				items = append(items, asJSON(t, o))
			}
			put(t, filepath.Join(dir, "all.json"), `{"apiVersion": "v1", "items": [`+strings.Join(items, ",\n")+`], "kind": "List"}`)
		},
		"remarks between items, and a byte order mark": func(dir string) {
			if err := gather.WriteList(dir, "v1", "List", "all.yaml", objects(t, cluster)...); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(dir, "all.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, "all.yaml"), "\ufeff"+strings.ReplaceAll(string(text), "\n- ", "\n# a remark\n- "))
		},
		"items that are indented": func(dir string) {
			var text strings.Builder
			text.WriteString("apiVersion: v1\nitems:\n")
			for _, o := range objects(t, cluster) {
				y := strings.TrimPrefix(asYAML(t, o), "---\n")
				text.WriteString("  - " + strings.TrimSuffix(strings.ReplaceAll(y, "\n", "\n    "), "    "))
			}
			text.WriteString("kind: List\nmetadata:\n  resourceVersion: \"\"\n")
			put(t, filepath.Join(dir, "all.yaml"), text.String())
		},
		"documents of one file": func(dir string) { put(t, filepath.Join(dir, "all"), cluster) },
	} {
		dir := t.TempDir()
		fill(dir)
		s := source.NewFiles(source.DefaultLimits, dir)
		got := read(t, s)
		slices.Sort(got)
		sorted := slices.Sorted(slices.Values(want))
		if d := cmp.Diff(sorted, got); d != "" {
			t.Errorf("%s (-want +got):\n%s\n%+v", name, d, s.Info())
		}
		if n := s.Info().Secrets; n != 1 {
			t.Errorf("%s: %d Secrets skipped", name, n)
		}
	}
}

func asYAML(t *testing.T, o *unstructured.Unstructured) string {
	t.Helper()
	dir := t.TempDir()
	if err := gather.Write(dir, o); err != nil {
		t.Fatal(err)
	}
	var text string
	files(t, dir, func(_ string, _ fs.FileInfo, content []byte) error {
		text = string(content)
		return nil
	})
	return text
}

func asJSON(t *testing.T, o *unstructured.Unstructured) string {
	t.Helper()
	text, err := o.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLaterCounts holds that of an object that is there again the later state counts,
// wherever it is: held kinds and bulk kinds, numbers and not texts.
func TestLaterCounts(t *testing.T) {
	const older = "apiVersion: v1\nkind: Node\nmetadata: {name: n1, resourceVersion: \"9\"}\n---\n" +
		"apiVersion: image.openshift.io/v1\nkind: ImageStream\nmetadata: {name: s, namespace: a, resourceVersion: \"9\"}\n"
	newer := strings.ReplaceAll(older, `"9"`, `"10"`)
	for name, texts := range map[string][]string{"later first": {newer, older}, "later last": {older, newer}} {
		first, second := t.TempDir(), t.TempDir()
		write(t, first, texts[0])
		write(t, second, texts[1])
		s := source.NewFiles(source.DefaultLimits, first, second)
		if d := cmp.Diff([]string{"nodes n1 10", "imagestreams a/s 10"}, read(t, s)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if n := s.Info().Superseded; n != 2 {
			t.Errorf("%s: %d superseded", name, n)
		}
	}
}

// TestUnreadable holds that what cannot be read is named and counted, and that the rest
// of its file, and all other files, are read.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, cluster)
	const node = "apiVersion: v1\nkind: Node\nmetadata:\n  name: "
	for name, text := range map[string]string{
		"empty.yaml":    "",
		"blank.yaml":    " \n\n",
		"cut.json":      `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "w`,
		"no-yaml.yaml":  "\tthis: {is no yaml\n",
		"no-kind.yaml":  "a: b\n",
		"no-name.yaml":  "apiVersion: v1\nkind: Node\nmetadata: {}\n",
		"bad-item.yaml": "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: good\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: bad\n  spec: {{\nkind: List\n",
		"bomb.yaml":     node + "bomb\nspec:\n" + bomb(9),
	} {
		put(t, filepath.Join(dir, name), text)
	}
	s := source.NewFiles(source.DefaultLimits, dir)
	got := read(t, s)
	if d := cmp.Diff(append([]string{"clusterversions version 10", "nodes good"}, want[1:]...), got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	named := map[string]string{}
	for _, n := range s.Info().Unreadable.Named {
		named[n.Where] = n.Why
	}
	for _, name := range []string{"empty.yaml", "blank.yaml", "cut.json", "no-yaml.yaml", "no-kind.yaml", "no-name.yaml", "bad-item.yaml", "bomb.yaml"} {
		if named[name] == "" {
			t.Errorf("%s is not named among %v", name, named)
		}
		delete(named, name)
	}
	if len(named) > 0 {
		t.Errorf("also named: %v", named)
	}
}

// TestLetterCase holds that names of fields count in their own letter case only, as for the
// API server: encoding/json takes any.
func TestLetterCase(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, cluster)
	put(t, filepath.Join(dir, "nameless.json"), `{"apiVersion":"v1","kind":"Node","metaData":{"name":"nameless"}}`)
	put(t, filepath.Join(dir, "node.json"), `{"apiVersion":"v1","kind":"Node","metadata":{"name":"worker-2","Labels":{"a":"b"}}}`)
	s := source.NewFiles(source.DefaultLimits, dir)
	found := false
	if err := s.Read(t.Context(), func(_ *source.Kind, o source.Object) error {
		var m metav1.PartialObjectMetadata
		if err := o.Into(&m); err != nil {
			return err
		}
		found = found || m.Name == "worker-2"
		if o.Name == "nameless" || m.Name == "worker-2" && m.Labels != nil {
			t.Errorf("%s: %+v", o.Path(), m.ObjectMeta)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if named := s.Info().Unreadable.Named; !found || len(named) != 1 || named[0].Where != "nameless.json" {
		t.Errorf("worker-2 found: %t; unreadable: %+v", found, named)
	}
}

// bomb is YAML of n levels of nine aliases each.
func bomb(n int) string {
	text := "  a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i <= n; i++ {
		text += fmt.Sprintf("  a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	return text
}

// TestNothingThere holds what is an error: that there is nothing to read from.
func TestNothingThere(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "x")
	put(t, plain, "x")
	for _, path := range []string{filepath.Join(t.TempDir(), "missing"), plain} {
		if err := source.NewFiles(source.DefaultLimits, path).Read(t.Context(), func(*source.Kind, source.Object) error { return nil }); err == nil {
			t.Errorf("%s was read", path)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := source.NewFiles(source.DefaultLimits, t.TempDir()).Read(ctx, func(*source.Kind, source.Object) error { return nil }); err == nil {
		t.Error("the context has ended")
	}
}

// TestTimedOut holds how a gather is known that fell back to the least.
func TestTimedOut(t *testing.T) {
	const operator = "\n---\napiVersion: config.openshift.io/v1\nkind: ClusterOperator\nmetadata: {name: etcd}\n"
	for text, want := range map[string]bool{
		"apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}" + operator: true,
		cluster + operator: false,
	} {
		dir := t.TempDir()
		write(t, dir, text)
		s := source.NewFiles(source.DefaultLimits, dir)
		read(t, s)
		if got := s.Info().TimedOut; got != want {
			t.Errorf("timed out: %v, want %v", got, want)
		}
	}
}
