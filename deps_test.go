package polyarch_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/polyarch/polyarch"

// The API modules whose types stand at the edges of the packages.
const (
	openshiftAPI = "github.com/openshift/api/"
	kubeAPI      = "k8s.io/api/"
	machinery    = "k8s.io/apimachinery/"
	cdiAPI       = "kubevirt.io/containerized-data-importer-api/"
	imageSpec    = "github.com/opencontainers/image-spec/"
	goDigest     = "github.com/opencontainers/go-digest"
	rapid        = "pgregory.net/rapid"
)

// allowed lists, for each package, what its non-test files may import besides
// the standard library. A name that ends in a slash allows everything below it.
var allowed = map[string][]string{
	".":                {},
	"./internal/arch":  {},
	"./internal/quote": {},
	"./payloadarch":    {openshiftAPI, machinery, module + "/internal/arch", module + "/internal/quote"},
	"./payloadarch/nodearch": {openshiftAPI, kubeAPI, machinery, module + "/payloadarch",
		module + "/internal/arch", module + "/internal/quote"},
	"./importmode":   {openshiftAPI, machinery, module + "/payloadarch", module + "/internal/arch", module + "/internal/quote"},
	"./dictexpand":   {kubeAPI, machinery, cdiAPI, module + "/internal/arch", module + "/internal/quote"},
	"./manifestlist": {imageSpec, goDigest, module + "/internal/arch", module + "/internal/quote"},
	"./manifestlist/buildplan": {openshiftAPI, kubeAPI, machinery, imageSpec, goDigest,
		module + "/manifestlist", module + "/payloadarch", module + "/internal/arch", module + "/internal/quote"},
	"./osimagestream": {openshiftAPI, kubeAPI, machinery},

	// What only tests import.
	"./conformance": {rapid},

	"./dictexpand/dictexpandtest":         {kubeAPI, machinery, cdiAPI, module + "/conformance", rapid},
	"./importmode/importmodetest":         {openshiftAPI, kubeAPI, machinery, module + "/conformance", rapid},
	"./manifestlist/manifestlisttest":     {imageSpec, goDigest, module + "/conformance", rapid},
	"./payloadarch/payloadarchtest":       {openshiftAPI, machinery, module + "/conformance", rapid},
	"./payloadarch/nodearch/nodearchtest": {kubeAPI, machinery, module + "/conformance", rapid},
	"./manifestlist/buildplan/buildplantest": {openshiftAPI, kubeAPI, machinery, imageSpec, goDigest,
		module + "/conformance", rapid},
	"./osimagestream/conformance": {rapid},
	"./osimagestream/osimagestreamtest": {openshiftAPI, kubeAPI, machinery,
		module + "/osimagestream/conformance", rapid},
}

// denied must not come in at all, not even by way of others: whoever imports a
// decision must not get a client, a server or a registry with it.
var denied = []string{
	"k8s.io/client-go", "k8s.io/apiserver", "k8s.io/apiextensions-apiserver", "k8s.io/component-base",
	"sigs.k8s.io/controller-runtime", "sigs.k8s.io/controller-tools", "go.etcd.io",
	"github.com/google/go-containerregistry", "github.com/distribution", "github.com/docker",
	"github.com/containers", "go.podman.io", "github.com/containerd", "oras.land", "github.com/regclient",
	"google.golang.org/grpc", "github.com/prometheus", "go.opentelemetry.io",
}

// deniedMore is denied to single packages on top.
var deniedMore = map[string][]string{
	"./payloadarch":          {imageSpec, goDigest},
	"./payloadarch/nodearch": {imageSpec, goDigest},
	"./importmode":           {imageSpec, goDigest},
	"./manifestlist":         {"k8s.io", "sigs.k8s.io", "github.com/openshift", "kubevirt.io"},
}

// openshiftPackages lists, for each package, which packages of openshift/api may
// come in, directly or by way of others. Operators vendor each of them with all its
// lines, and most have only some of them. The internal packages of image/v1, and
// build/v1 and osin/v1 of openshiftcontrolplane/v1, come with these and cannot be
// had without.
var openshiftPackages = map[string][]string{
	"./internal/arch":        {},
	"./internal/quote":       {},
	"./payloadarch":          {"config/v1"},
	"./payloadarch/nodearch": {"config/v1"},
	"./importmode": {"config/v1", "image/v1", "operator/v1", "openshiftcontrolplane/v1",
		"image/docker10", "image/dockerpre012", "build/v1", "osin/v1"},
	"./dictexpand":             {},
	"./manifestlist":           {},
	"./manifestlist/buildplan": {"config/v1", "machineconfiguration/v1"},
	"./conformance":            {},
	"./osimagestream":          {"config/v1", "image/v1", "machineconfiguration/v1", "image/docker10", "image/dockerpre012"},

	"./dictexpand/dictexpandtest": {},
	"./importmode/importmodetest": {"config/v1", "image/v1", "openshiftcontrolplane/v1",
		"image/docker10", "image/dockerpre012", "build/v1", "osin/v1"},
	"./manifestlist/manifestlisttest":        {},
	"./payloadarch/payloadarchtest":          {"config/v1"},
	"./payloadarch/nodearch/nodearchtest":    {},
	"./manifestlist/buildplan/buildplantest": {"config/v1", "machineconfiguration/v1"},
	"./osimagestream/conformance":            {},
	"./osimagestream/osimagestreamtest": {"config/v1", "image/v1", "machineconfiguration/v1",
		"image/docker10", "image/dockerpre012"},
}

type listed struct {
	ImportPath string
	Imports    []string
	Standard   bool
	Dir        string
	GoFiles    []string
}

// goList returns the package and everything below it, by import path.
func goList(t *testing.T, pkg string) (root listed, all map[string]listed) {
	t.Helper()
	dir, pattern := ".", pkg
	if below, ok := strings.CutPrefix(pkg, "./osimagestream"); ok {
		dir, pattern = "osimagestream", "."+below // a module of its own
	}
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Standard,Dir,GoFiles", pattern)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list %s: %v\n%s", pkg, err, exit.Stderr)
		}
		t.Fatalf("go list %s: %v", pkg, err)
	}
	all = map[string]listed{}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			return root, all
		} else if err != nil {
			t.Fatal(err)
		}
		all[l.ImportPath] = l
		root = l // -deps lists a package after all that it imports
		if !strings.HasPrefix(l.ImportPath, module) {
			continue
		}
		for _, file := range l.GoFiles { // so that the test runs again when one has changed
			if _, err := os.Stat(filepath.Join(l.Dir, file)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func under(path string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool {
		return path == strings.TrimSuffix(p, "/") || strings.HasPrefix(path, strings.TrimSuffix(p, "/")+"/")
	})
}

func TestDirectImportsAreAllowed(t *testing.T) {
	for pkg, allow := range allowed {
		root, all := goList(t, pkg)
		for _, imp := range root.Imports {
			if !all[imp].Standard && !under(imp, allow) {
				t.Errorf("%s imports %s, which its allowlist in deps_test.go does not hold", pkg, imp)
			}
		}
	}
}

func TestNothingHeavyComesIn(t *testing.T) {
	for pkg := range allowed {
		root, all := goList(t, pkg)
		for path := range all {
			if all[path].Standard || !under(path, append(slices.Clone(denied), deniedMore[pkg]...)) {
				continue
			}
			t.Errorf("%s is denied, but comes in: %s", path, strings.Join(importChain(all, root.ImportPath, path), " → "))
		}
	}
}

func TestOpenshiftPackages(t *testing.T) {
	for pkg := range allowed {
		if pkg == "." {
			continue
		}
		want, ok := openshiftPackages[pkg]
		if !ok {
			t.Errorf("openshiftPackages has no list for %s", pkg)
		}
		missing := slices.Clone(want)
		root, all := goList(t, pkg)
		for path := range all {
			name, ok := strings.CutPrefix(path, openshiftAPI)
			if !ok {
				continue
			}
			missing = slices.DeleteFunc(missing, func(w string) bool { return w == name })
			if !slices.Contains(want, name) {
				t.Errorf("%s is not in openshiftPackages of %s, but comes in: %s", path, pkg,
					strings.Join(importChain(all, root.ImportPath, path), " → "))
			}
		}
		if len(missing) > 0 {
			t.Errorf("%s does not need %v of openshift/api; take them from openshiftPackages", pkg, missing)
		}
	}
}

// importChain returns a shortest way from one package to another.
func importChain(all map[string]listed, from, to string) []string {
	prev := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			var chain []string
			for p := to; p != ""; p = prev[p] {
				chain = append(chain, p)
			}
			slices.Reverse(chain)
			return chain
		}
		for _, imp := range all[queue[0]].Imports {
			if _, seen := prev[imp]; !seen {
				prev[imp] = queue[0]
				queue = append(queue, imp)
			}
		}
	}
	return nil
}

// The module list itself is small on purpose: every importer's requirements are
// at least these.
func TestDirectRequirements(t *testing.T) {
	want := []string{
		"github.com/google/go-cmp",
		"github.com/opencontainers/go-digest",
		"github.com/opencontainers/image-spec",
		"github.com/openshift/api",
		"k8s.io/api",
		"k8s.io/apimachinery",
		"kubevirt.io/containerized-data-importer-api",
		"pgregory.net/rapid",
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{if not (or .Main .Indirect)}}{{.Path}}{{end}}", "all").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Fields(string(out))
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("direct requirements of the root module:\n got %v\nwant %v", got, want)
	}
}
