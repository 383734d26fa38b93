package patchfile

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/polyarch/polyarch/examples/audit/report"
)

// FuzzFiles: whatever an object holds and however it is called, a file of it is one
// object of YAML of that kind at the resourceVersion that was read, with the patch in it
// and the status not; remarks end where they should; and its name leads nowhere.
func FuzzFiles(f *testing.F) {
	const rest = `"status":{"tags":[]}}`
	f.Add([]byte(`{"metadata":{"name":"a","resourceVersion":"7"},"spec":{"tags":[{"name":"v1"}]},`+rest), "demo", "a", "mends v1")                                                       // as it is read
	f.Add([]byte(`{"metadata":{"resourceVersion":"7","annotations":{"`+report.LastApplied+`":"{\"metadata\":{\"labels\":{\"a\":\"\"}}}"},"labels":{"a":"b"}},"spec":{}}`), "", "a", "x") // kept by kubectl apply
	f.Add([]byte(`{"metadata":{"resourceVersion":"7","annotations":{"`+report.LastApplied+`":"{"}},"spec":{}}`), "b", "a", "x")                                                          // of which the annotation is cut
	f.Add([]byte(`{"metadata":{"resourceVersion":"7"},"spec":null}`), "b", "a", "x")                                                                                                     // nowhere to put the patch
	f.Add([]byte(`{"metadata":{"resourceVersion":"7"},"spec":{"n":1e400,"s":"\u2028---\n"}}`), "..", "../a", "x\n---\nkind: Secret")                                                     // numbers, marks, names that lead outside
	f.Add([]byte(`{"metadata":{"resourceVersion":7},"spec":{}}`), "b", "a", "x")                                                                                                         // a version that is none
	f.Add([]byte(`null`), "", "", "")                                                                                                                                                    // no object
	f.Fuzz(func(t *testing.T, object []byte, namespace, name, does string) {
		p := report.Patch{APIVersion: "image.openshift.io/v1", Kind: "ImageStream", Resource: "imagestreams", Namespace: namespace, Name: name,
			Type: "json", Does: does, Apply: report.NewApplicable(object),
			Body:   json.RawMessage(`[{"op":"add","path":"/spec/mended","value":true}]`),
			Revert: json.RawMessage(`[{"op":"remove","path":"/spec/mended"}]`)}
		got, withheld := files(p)
		if len(got)+len(withheld) != 1 {
			t.Fatalf("%d files, withheld %q", len(got), withheld)
		}
		for _, line := range withheld {
			if strings.ContainsAny(line, "\n\r") {
				t.Fatalf("several lines: %q", line)
			}
		}
		if len(got) == 0 {
			return
		}
		if file := got[0].Name; !filepath.IsLocal(file) || strings.ContainsAny(file, `/\`) || len(file) > 255 {
			t.Fatalf("the file is %q", file)
		}
		text := string(got[0].Content)
		if strings.Contains("\n"+text, "\n---") || strings.Contains(text, "\n...") {
			t.Fatalf("several documents:\n%s", text)
		}
		var read, was struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Metadata   struct {
				ResourceVersion string `json:"resourceVersion"`
			} `json:"metadata"`
			Spec struct {
				Mended bool `json:"mended"`
			} `json:"spec"`
			Status any `json:"status"`
		}
		if err := yaml.UnmarshalStrict(got[0].Content, &map[string]any{}); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		// Which takes names in their own letter case only, as the API server does.
		asJSON, err := yaml.YAMLToJSON(got[0].Content)
		if err == nil {
			err = utiljson.Unmarshal(asJSON, &read)
		}
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		_ = utiljson.Unmarshal(object, &was)
		if read.APIVersion != p.APIVersion || read.Kind != p.Kind || !read.Spec.Mended || read.Status != nil ||
			read.Metadata.ResourceVersion == "" || read.Metadata.ResourceVersion != was.Metadata.ResourceVersion {
			t.Fatalf("%+v:\n%s", read, text)
		}
	})
}
