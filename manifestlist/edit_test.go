package manifestlist

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

// TestEditsAfterParse is rule U7: Append, Update and Assemble of Children write the
// same of an index that was edited.
func TestEditsAfterParse(t *testing.T) {
	source := manifestlisttest.EditSource()
	type row struct {
		name string
		edit func(x *ocispec.Index)
		want []string // the entries
	}
	var rows []row
	for _, c := range manifestlisttest.EditCases() {
		rows = append(rows, row{c.Name, c.Edit, c.Entries})
	}
	for _, tc := range rows {
		t.Run(tc.name, func(t *testing.T) {
			x := mustParse(t, source)
			tc.edit(&x.Index)
			appended := mustParse(t, x.Append(nil))
			updated, err := Update(x, nil, Options{})
			if err != nil {
				t.Fatal(err)
			}
			assembled := mustAssemble(t, x.Children(), Options{})
			for what, got := range map[string]Index{"Append": appended, "Update": mustParse(t, updated.Bytes), "Assemble": mustParse(t, assembled.Bytes)} {
				var entries []string
				for i, source := range got.sources() {
					entries = append(entries, string(appendDescriptor(nil, &got.Manifests[i], source)))
				}
				if diff := cmp.Diff(tc.want, entries); diff != "" {
					t.Errorf("%s (-want +got):\n%s", what, diff)
				}
			}
		})
	}
	t.Run("U2: what was not edited keeps its bytes", func(t *testing.T) {
		x := mustParse(t, source)
		x.Manifests[1].Annotations = map[string]string{"k": "v"}
		r, err := Update(x, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(r.Bytes), `{"x":1,"size":5,`) {
			t.Errorf("the first entry has changed: %s", r.Bytes)
		}
	})
	t.Run("U7: the index itself", func(t *testing.T) {
		x := mustParse(t, source)
		subject := describe("other", "nil")
		x.Annotations["a"], x.ArtifactType, x.Subject = "c", "a/b", &subject
		r, err := Update(x, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := mustParse(t, x.Append(nil))
		got := mustParse(t, r.Bytes)
		if diff := cmp.Diff(want.Index, got.Index); diff != "" {
			t.Errorf("(-Append +Update):\n%s", diff)
		}
		if strings.Contains(string(r.Bytes), `"x":3`) || strings.Contains(string(x.Append(nil)), `"x":3`) {
			t.Errorf("another subject has the members of the one before: %s", r.Bytes)
		}
	})
	t.Run("U7: what an option replaces is not checked", func(t *testing.T) {
		x, subject := mustParse(t, source), describe("other", "nil")
		x.ArtifactType, x.Subject = "sbom", &ocispec.Descriptor{}
		if _, err := Update(x, nil, Options{ArtifactType: "a/b", Subject: &subject}); err != nil {
			t.Error(err)
		}
	})
	t.Run("U7: an artifactType that is taken away", func(t *testing.T) {
		x := mustParse(t, []byte(`{"schemaVersion":2,"artifactType":"sbom","manifests":[{}]}`))
		x.ArtifactType = ""
		if _, err := Update(x, nil, Options{}); err != nil {
			t.Error(err)
		}
	})
	t.Run("U7: an entry of nothing more", func(t *testing.T) {
		x := mustParse(t, source)
		x.Manifests = append(x.Manifests, ocispec.Descriptor{})
		_, err := Update(x, nil, Options{})
		if diff := cmp.Diff([]string{"InvalidMediaType@2", "InvalidDigest@2", "InvalidSize@2"}, codes(t, err)); diff != "" {
			t.Errorf("errors (-want +got):\n%s", diff)
		}
	})
	t.Run("P5: the option Subject names another one", func(t *testing.T) {
		subject := describe("other", "nil")
		r, err := Update(mustParse(t, source), nil, Options{Subject: &subject})
		if err != nil || strings.Contains(string(r.Bytes), `"x":3`) {
			t.Errorf("%v: %s", err, r.Bytes)
		}
	})
}

// TestEditsAreChecked: what Update writes of an edit is held to the rules of what
// is new.
func TestEditsAreChecked(t *testing.T) {
	type row struct {
		name  string
		index Index
		edit  func(x *ocispec.Index)
		want  []string
		path  string
	}
	var rows []row
	for _, c := range manifestlisttest.EditRefusedCases() {
		rows = append(rows, row{c.Name, mustParse(t, c.Index), c.Edit, c.Errors, c.Path})
	}
	for _, tc := range rows {
		t.Run(tc.name, func(t *testing.T) {
			tc.edit(&tc.index.Index)
			_, err := Update(tc.index, nil, Options{})
			if diff := cmp.Diff(tc.want, codes(t, err)); diff != "" {
				t.Fatalf("errors (-want +got):\n%s\n%v", diff, err)
			}
			var first *IndexError
			if errors.As(err, &first) && first.Path != tc.path {
				t.Errorf("path %s, want %s", first.Path, tc.path)
			}
		})
	}
}
