package push_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/polyarch/polyarch/examples/indexpush/push"
)

// TestSkopeo reads what was pushed with the client that CRI-O and podman are
// made of.
func TestSkopeo(t *testing.T) {
	path, err := exec.LookPath("skopeo")
	if err != nil {
		t.Skip("NOT TESTED with skopeo, which is not on the PATH; apt-get install skopeo, or dnf install skopeo")
	}
	skopeo := func(args ...string) []byte {
		t.Helper()
		cmd := exec.Command(path, append([]string{"--insecure-policy"}, args...)...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("skopeo %q: %v\n%s", args, err, out)
		}
		return out
	}
	r, other := start(t, nil), start(t, nil)
	images := build(t, r.Host+"/os", "4.20")
	to := tag(t, r.Host+"/os:4.20")
	result, err := push.Push(context.Background(), to, images, options(architectures...))
	must(t, err)

	for i, a := range architectures {
		dir := filepath.Join(t.TempDir(), a)
		skopeo("copy", "--override-os=linux", "--override-arch="+a, "--src-tls-verify=false", "docker://"+to.String(), "dir:"+dir)
		manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
		must(t, err)
		want, err := remote.Get(images[i])
		must(t, err)
		if string(manifest) != string(want.Manifest) {
			t.Errorf("%s: skopeo pulled\n%s\nbuilt\n%s", a, manifest, want.Manifest)
		}
		var inspected struct{ Architecture string }
		must(t, json.Unmarshal(skopeo("inspect", "--override-os=linux", "--override-arch="+a, "--tls-verify=false", "docker://"+to.String()), &inspected))
		if inspected.Architecture != a {
			t.Errorf("skopeo inspect says %s for %s", inspected.Architecture, a)
		}
	}

	copied := tag(t, other.Host+"/mirror/os:4.20")
	skopeo("copy", "--all", "--src-tls-verify=false", "--dest-tls-verify=false", "docker://"+to.String(), "docker://"+copied.String())
	if got, _ := pullable(t, copied); got != string(result.Descriptor.Digest) {
		t.Errorf("after skopeo copy --all the digest is %s, was %s", got, result.Descriptor.Digest)
	}
	checkContents(t, copied, "4.20")
}
