package patchfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/polyarch/polyarch/examples/audit/report"
)

// patch is one of demo/app, which is as the object says.
func patch(object, tag string, index string) report.Patch {
	p := report.Patch{APIVersion: "image.openshift.io/v1", Kind: "ImageStream", Resource: "imagestreams", Namespace: "demo", Name: "app",
		Type: "json", Does: "mends " + tag, Apply: report.NewApplicable([]byte(object))}
	p.Body = json.RawMessage(`[{"op":"test","path":"/spec/tags/` + index + `/name","value":"` + tag + `"},{"op":"add","path":"/spec/tags/` + index + `/importPolicy/importMode","value":"PreserveOriginal"}]`)
	p.Revert = json.RawMessage(strings.ReplaceAll(string(p.Body), "PreserveOriginal", "Legacy"))
	return p
}

func files(patches ...report.Patch) ([]File, []string) {
	r := &report.Report{Sections: []report.Section{{Entries: []report.Entry{{Patches: patches}}}}}
	return Files(r)
}

const (
	tags   = `"spec":{"tags":[{"name":"1.10","generation":9007199254740993,"importPolicy":{"importMode":"Legacy"}},{"name":"b","importPolicy":{}}]},"status":{"tags":[]}}`
	object = `{"metadata":{"name":"app","namespace":"demo","resourceVersion":"7","uid":"u","labels":{"mine":"1","other":"2"},"annotations":{"other":"3"},"managedFields":[{}]},` + tags
)

func TestOneFilePerObject(t *testing.T) {
	got, withheld := files(patch(object, "1.10", "0"), patch(object, "b", "1"))
	if len(got) != 1 || len(withheld) != 0 || got[0].Name != "imagestreams.demo.app.yaml" {
		t.Fatalf("%d files, withheld %q", len(got), withheld)
	}
	text := string(got[0].Content)
	for _, want := range []string{"# - mends 1.10.\n# - mends b.\n", "# Apply:  kubectl apply -f imagestreams.demo.app.yaml\n",
		"# Revert: kubectl patch imagestreams.image.openshift.io/app --namespace=demo --type=json -p '[{", "last-applied-configuration-\n", "generation: 9007199254740993\n", `name: "1.10"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "importMode: PreserveOriginal\n") != 2 {
		t.Errorf("not both are mended:\n%s", text)
	}
	for _, not := range []string{"other", "mine", "uid", "managedFields", "status"} {
		if strings.Contains(text, "\n"+not+":") || strings.Contains(text, "  "+not+":") {
			t.Errorf("the file names %s, which apply would not take out:\n%s", not, text)
		}
	}
}

// What the last apply named has to be named again, or apply takes it out.
func TestLastApplied(t *testing.T) {
	applied := strings.Replace(object, `{"other":"3"}`, `{"other":"3","keep":"4","`+report.LastApplied+`":"{\"metadata\":{\"name\":\"app\",\"creationTimestamp\":null,\"labels\":{\"mine\":\"0\",\"gone\":\"1\"},\"annotations\":{\"keep\":\"4\"}}}"}`, 1)
	got, withheld := files(patch(applied, "b", "1"))
	if len(got) != 1 {
		t.Fatalf("withheld: %q", withheld)
	}
	var file struct{ Metadata map[string]any }
	if err := yaml.Unmarshal(got[0].Content, &file); err != nil {
		t.Fatal(err)
	}
	have, _ := json.Marshal(file.Metadata)
	if string(have) != `{"annotations":{"keep":"4"},"labels":{"mine":"1"},"name":"app","namespace":"demo","resourceVersion":"7"}` {
		t.Errorf("metadata %s", have)
	}
	if !strings.Contains(string(got[0].Content), "Somebody keeps this object by kubectl apply.") {
		t.Errorf("it does not say so:\n%s", got[0].Content)
	}
}

func TestWithheld(t *testing.T) {
	for name, c := range map[string]struct{ object, want string }{
		"no resourceVersion": {strings.Replace(object, `"resourceVersion":"7",`, "", 1), "resourceVersion is not in the source"},
		"userinfo":           {strings.Replace(object, `{"name":"b"`, `{"from":{"name":"https://user:planted@quay.io/x/y"},"name":"b"`, 1), "may be a secret"},
		"another tag there":  {strings.Replace(object, `{"name":"b"`, `{"name":"c"`, 1), "imagestreams[demo/app]"},
		"no such annotation": {strings.Replace(object, `{"other":"3"}`, `{"`+report.LastApplied+`":"{"}`, 1), "cannot be read"},
		"no object":          {"null", "no object"},
	} {
		got, withheld := files(patch(c.object, "b", "1"))
		if len(got) != 0 || len(withheld) != 1 || !strings.Contains(withheld[0], c.want) || strings.Contains(withheld[0], "planted") {
			t.Errorf("%s: %d files, %q", name, len(got), withheld)
		}
	}
	r := &report.Report{Sections: []report.Section{{Entries: []report.Entry{{Patches: []report.Patch{{}}}}, Omitted: map[string]int{"imagestreams.StaysLegacy": 3}}}}
	if _, withheld := Files(r); len(withheld) != 2 || !strings.HasPrefix(withheld[1], "3 entries") {
		t.Errorf("entries over the limit: %q", withheld)
	}
}

// What stands in an object ends no comment, and leads to no other file.
func TestPlantedNames(t *testing.T) {
	p := patch(object, "b", "1")
	p.Namespace, p.Name, p.Does = "../..", "a/../b\n'$(x)", "x\nspec: {planted: 1}\u2028spec: {planted: 2}"
	got, withheld := files(p)
	if len(got) != 1 {
		t.Fatalf("withheld: %q", withheld)
	}
	if got[0].Name != "imagestreams.%2e%2e%2f%2e%2e.a%2f..%2fb%0a%27%24%28x%29.yaml" {
		t.Errorf("the file is %s", got[0].Name)
	}
	var file map[string]any
	if err := yaml.UnmarshalStrict(got[0].Content, &file); err != nil || strings.Contains(strings.Join(strings.Split(string(got[0].Content), "\n# "), ""), "\nspec: {") {
		t.Errorf("%v:\n%s", err, got[0].Content)
	}
	long := strings.Repeat("a", 300)
	if a, b := fileName("x", long+"a"), fileName("x", long+"b"); a == b || len(a) > 255 {
		t.Errorf("%s and %s", a, b)
	}
}

func TestWriteOverwritesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	list := []File{{"x.yaml", []byte("x")}}
	if err := Write(dir, list); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "x.yaml")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if err := Write(dir, list); err == nil {
		t.Error("writes into a directory that is not empty")
	}
	if err := Write(t.TempDir(), []File{{"../x.yaml", nil}}); err == nil {
		t.Error("writes outside")
	}
	if err := Empty(filepath.Join(dir, "x.yaml")); err == nil {
		t.Error("takes a file for a directory")
	}
	nothing := filepath.Join(t.TempDir(), "none")
	if err := Write(nothing, nil); err != nil || Empty(nothing) != nil {
		t.Error(err)
	}
}
