package server_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/examples/internal/testimages"
)

// TestKubectl drives the server with a client that nobody here has written.
func TestKubectl(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("NOT CHECKED: no kubectl on the PATH, so create, apply, patch and watch were not driven through it")
	}
	e := boot(t, legacy)
	dir := t.TempDir()
	kubectl := func(t *testing.T, args ...string) string {
		t.Helper()
		command := exec.CommandContext(t.Context(), "kubectl", append([]string{"-n", "demo"}, args...)...)
		command.Env = append(os.Environ(), "KUBECONFIG="+e.Kubeconfig(), "HOME="+dir)
		output, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, output)
		}
		return string(output)
	}
	manifest := func(t *testing.T, name string, tags ...string) string {
		t.Helper()
		content := "apiVersion: image.openshift.io/v1\nkind: ImageStream\nmetadata: {name: " + name + ", namespace: demo}\nspec:\n  tags:\n"
		for _, tag := range tags {
			content += "  - name: " + tag + "\n    from: {kind: DockerImage, name: 'quay.example.com/x/y:" + tag + "'}\n"
		}
		file := filepath.Join(dir, name+".yaml")
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	ways := map[string][]string{
		"client":  {"apply"},
		"server":  {"apply", "--server-side"},
		"replace": {"replace"},
	}
	before := map[string]string{}
	kubectl(t, "create", "namespace", "demo")
	for name, verb := range ways {
		file := manifest(t, name, "old")
		if verb[0] == "replace" {
			kubectl(t, "create", "-f", file)
		}
		for range 2 {
			kubectl(t, append(verb, "-f", file)...)
		}
		before[name] = e.stored(t, name)
	}

	e.flip(t, "PreserveOriginal")
	for name, verb := range ways {
		t.Run(strings.Join(verb, " "), func(t *testing.T) {
			kubectl(t, append(verb, "-f", manifest(t, name, "old"))...)
			if got := e.stored(t, name); got != before[name] {
				t.Errorf("stored after the flip (-before +after):\n%s", cmp.Diff(before[name], got))
			}
			kubectl(t, append(verb, "-f", manifest(t, name, "old", "new"))...)
			got := kubectl(t, "get", "imagestream", name, "-o", `jsonpath={range .spec.tags[*]}{.name}={.importPolicy.importMode}/{.generation} {end}`)
			if got != "old=Legacy/1 new=PreserveOriginal/2 " && got != "new=PreserveOriginal/2 old=Legacy/1 " {
				t.Errorf("tags: %s", got)
			}
		})
	}
	t.Run("create", func(t *testing.T) {
		kubectl(t, "create", "-f", manifest(t, "created", "a"))
		if got := kubectl(t, "get", "is", "created", "-o", "jsonpath={.spec.tags[0].importPolicy.importMode}"); got != "PreserveOriginal" {
			t.Errorf("mode %s", got)
		}
	})
	t.Run("patch", func(t *testing.T) {
		kubectl(t, "patch", "is", "client", "--type=json", "-p", `[{"op":"replace","path":"/spec/tags/0/importPolicy/importMode","value":"PreserveOriginal"}]`)
		if got := kubectl(t, "get", "is", "client", "-o", "jsonpath={.spec.tags[0].importPolicy.importMode} {.metadata.generation}"); got != "PreserveOriginal 3" {
			t.Errorf("mode and generation: %s", got)
		}
		kubectl(t, "patch", "is", "client", "--type=merge", "-p", `{"metadata":{"labels":{"a":"b"}}}`)
		if got := kubectl(t, "get", "is", "client", "-o", "jsonpath={.metadata.generation}"); got != "3" {
			t.Errorf("a label made generation %s", got)
		}
	})
	t.Run("an unknown mode", func(t *testing.T) {
		command := exec.Command("kubectl", "-n", "demo", "patch", "is", "client", "--type=json", "-p", `[{"op":"replace","path":"/spec/tags/0/importPolicy/importMode","value":"Both"}]`)
		command.Env = append(os.Environ(), "KUBECONFIG="+e.Kubeconfig(), "HOME="+dir)
		output, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(output), "spec.tags[old].importPolicy.importMode") {
			t.Errorf("%v: %s, want a refusal that names the field", err, output)
		}
	})
	t.Run("watch", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		command := exec.CommandContext(ctx, "kubectl", "-n", "demo", "get", "is", "--watch", "-o", `jsonpath={.metadata.name} {.metadata.generation}{"\n"}`)
		command.Env = append(os.Environ(), "KUBECONFIG="+e.Kubeconfig(), "HOME="+dir)
		stdout, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		lines, asked := bufio.NewScanner(stdout), false
		for lines.Scan() {
			// What is there comes first; with its first line the watch is open.
			if !asked {
				asked = true
				kubectl(t, "create", "-f", manifest(t, "watched", "a"))
			}
			if lines.Text() == "watched 1" {
				cancel()
				command.Wait()
				return
			}
		}
		t.Errorf("the watch never told of the new stream: %v", command.Wait())
	})
	t.Run("tables", func(t *testing.T) {
		e.create(t, stream("columns", tag("latest", legacy), tag("v1", preserve)))
		e.importStatus(t, "columns", "v1")
		old := stream("columns-ancient", tag("v1", ""))
		old.UID = "columns-ancient"
		e.store(t, old)
		for _, c := range []struct {
			args []string
			want []string
		}{
			{[]string{"get", "is", "columns"}, []string{`NAME +IMAGE REPOSITORY +TAGS +UPDATED`, `columns +v1,latest +\d+s ago`}},
			{[]string{"get", "is", "columns", "-o", "wide"}, []string{`UPDATED +IMPORT MODES`, `latest=Legacy,v1=PreserveOriginal`}},
			{[]string{"get", "is", "-o", "wide"}, []string{`columns-ancient .* v1=unset`, `created .* a=PreserveOriginal`}},
			{[]string{"get", "istag", "columns:v1"}, []string{`NAME +IMAGE REFERENCE +UPDATED`, `columns:v1 +quay.example.com/x/y@` + digest + ` +\d+s ago`}},
			{[]string{"get", "istag", "-o", "wide"}, []string{`UPDATED +IMAGE NAME +IMPORT MODE`, `columns:latest .* Legacy`, `columns:v1 .* ` + digest + ` +PreserveOriginal`, `columns-ancient:v1 .* unset`}},
		} {
			got := kubectl(t, c.args...)
			for _, want := range c.want {
				if !regexp.MustCompile(want).MatchString(got) {
					t.Errorf("%v: no %s in\n%s", c.args, want, got)
				}
			}
		}
	})
	t.Run("images", func(t *testing.T) {
		host := startRegistry(t, nil)
		e.trust(t, host)
		list := testimages.Multi(t, "x", "amd64", "arm64")
		testimages.Push(t, host+"/x/y:v1", list)
		digest, child := testimages.Digest(t, list), testimages.Entries(t, list)[0]
		e.create(t, stream("waiting", tag("v1", preserve)))
		waited := make(chan string)
		go func() {
			command := exec.CommandContext(t.Context(), "kubectl", "-n", "demo", "wait", "is/waiting", "--timeout=30s", "--for=jsonpath={.status.tags[0].items[0].image}="+digest)
			command.Env = append(os.Environ(), "KUBECONFIG="+e.Kubeconfig(), "HOME="+dir)
			output, _ := command.CombinedOutput()
			waited <- string(output)
		}()
		e.doImport(t, importOf("waiting", "v1", host+"/x/y:v1", preserve))
		if got := <-waited; !strings.Contains(got, "waiting condition met") {
			t.Errorf("wait: %s", got)
		}
		for _, c := range []struct {
			args []string
			want []string
		}{
			{[]string{"get", "images.image.openshift.io"}, []string{`NAME +IMAGE REFERENCE`, digest + ` +` + host + `/x/y@` + digest, child + ` +` + host + `/x/y@` + child}},
			{[]string{"get", "images.image.openshift.io", "-o", "wide"}, []string{`MANIFESTS`, digest + ` .* 2\b`}},
			{[]string{"get", "isimage", "waiting@" + child, "-o", "wide"}, []string{`NAME +UPDATED +IMAGE REFERENCE +IMAGE NAME`, `waiting@` + child + ` +\d+s ago .*@` + child + ` +` + child}},
			{[]string{"get", "istag", "waiting:v1"}, []string{`waiting:v1 +` + host + `/x/y@` + digest + ` +\d+s ago`}},
			{[]string{"describe", "is", "waiting"}, []string{`Docker Image Reference: +` + host + `/x/y@` + digest, `Import Mode: +PreserveOriginal`}},
			{[]string{"describe", "images.image.openshift.io", child}, []string{`Architecture: +amd64`, `Docker Image Layers`}},
			{[]string{"explain", "images.dockerImageManifests", "--api-version=image.openshift.io/v1"}, []string{`manifestSize`}},
		} {
			got := kubectl(t, c.args...)
			for _, want := range c.want {
				if !regexp.MustCompile(want).MatchString(got) {
					t.Errorf("%v: no %s in\n%s", c.args, want, got)
				}
			}
		}
		kubectl(t, "delete", "images.image.openshift.io", child, "--wait", "--timeout=20s")
	})
	t.Run("diff, explain, delete", func(t *testing.T) {
		kubectl(t, "diff", "-f", manifest(t, "created", "a"))
		for resource, want := range map[string]string{"is.spec.tags.importPolicy": "importMode", "images.config.openshift.io.spec": "imageStreamImportMode"} {
			if got := kubectl(t, "explain", resource); !strings.Contains(got, want) {
				t.Errorf("explain %s does not tell of %s:\n%s", resource, want, got)
			}
		}
		kubectl(t, "delete", "is", "created", "--wait", "--timeout=20s")
	})
}
