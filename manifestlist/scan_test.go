package manifestlist

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

func TestMembers(t *testing.T) {
	src := `{"a":1,"b\\":"}","":{"x":[1,{"y":"]"}]},"\"":[],"c":-1.5e3,"d":null}`
	var got []string
	for m := range members([]byte(src)) {
		got = append(got, string(m.key)+" = "+string(m.value))
		if !bytes.Equal(m.source, slices.Concat([]byte(`"`), m.key, []byte(`":`), m.value)) {
			t.Errorf("source %s", m.source)
		}
	}
	want := []string{`a = 1`, `b\\ = "}"`, ` = {"x":[1,{"y":"]"}]}`, `\" = []`, `c = -1.5e3`, `d = null`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, none := range []string{"", "{}", "[]", "null", `"{}"`, "1"} {
		for m := range members([]byte(none)) {
			t.Errorf("%s has the member %s", none, m.source)
		}
	}
	for range members([]byte(src)) {
		break // must not go on
	}
}

func TestMemberTail(t *testing.T) {
	src := `{"a":{"d":1},"\u0062":[2],"c":3}`
	for name, want := range map[string]string{"a": `{"d":1},"\u0062":[2],"c":3}`, "b": `[2],"c":3}`, "c": `3}`, "d": "", "": ""} {
		if got := string(memberTail([]byte(src), name)); got != want {
			t.Errorf("after %q: %s, want %s", name, got, want)
		}
	}
	for _, none := range []string{"", "{}", "[]", "null", `"{}"`, "1"} {
		if got := memberTail([]byte(none), "a"); got != nil {
			t.Errorf("%s has the member a: %s", none, got)
		}
	}
}

func TestElements(t *testing.T) {
	var got []string
	for e := range elements([]byte(`[1,"],[",[[]],{"a":[]},null]`)) {
		got = append(got, string(e))
	}
	if diff := cmp.Diff([]string{"1", `"],["`, "[[]]", `{"a":[]}`, "null"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for range elements([]byte(`[1,2]`)) {
		break // must not go on
	}
	for _, none := range []string{"", "[]", "{}", "null"} {
		for e := range elements([]byte(none)) {
			t.Errorf("%s has the element %s", none, e)
		}
	}
}

func TestSurvey(t *testing.T) {
	for _, tc := range []struct {
		src    string
		depth  int
		spaced bool
	}{
		{`1`, 0, false},
		{`"[ \" ["`, 0, false},
		{`{"a":[{}],"b":[]}`, 3, false},
		{`{"a": 1}`, 1, true},
		{`{"a" :1}`, 1, true},
		{`[["a"],["b"],["c"]]`, 2, false},
		{`{"a":"b","c":{"d":"e"},"f":{}}`, 2, false},
		{"[\n]", 1, true},
		{"[\t]", 1, true},
		{"[\r]", 1, true},
		{"[ ]", 1, true},
		{"[\t1,\r2]", 1, true},
	} {
		if depth, spaced := survey([]byte(tc.src)); depth != tc.depth || spaced != tc.spaced {
			t.Errorf("survey(%s) = %d, %v", tc.src, depth, spaced)
		}
	}
}

// TestFieldsAreImageSpecs fails when image-spec gets a field that this package
// would take for an unknown member.
func TestFieldsAreImageSpecs(t *testing.T) {
	for kind, value := range map[object]any{
		objectIndex: ocispec.Index{}, objectDescriptor: ocispec.Descriptor{}, objectPlatform: ocispec.Platform{},
		objectManifest: ocispec.Manifest{}, objectImage: ocispec.Image{}, objectRootFS: ocispec.RootFS{},
	} {
		var want []string
		if kind == objectManifest {
			want = []string{"manifests", "fsLayers", "history"} // of other documents
		}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(value)) {
			if tag, ok := f.Tag.Lookup("json"); ok {
				name, _, _ := strings.Cut(tag, ",")
				want = append(want, name)
			}
		}
		got := slices.Clone(kind.fields())
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%T (-image-spec +here):\n%s", value, diff)
		}
	}
	for n, f := range map[int]string{indexManifests: "manifests", indexSubject: "subject", indexAnnotations: "annotations"} {
		if objectIndex.fields()[n] != f {
			t.Errorf("field %d of an index is not %s", n, f)
		}
	}
	for n, f := range map[int]string{manifestConfig: "config", manifestLayers: "layers", manifestManifests: "manifests", manifestFSLayers: "fsLayers", manifestHistory: "history"} {
		if objectManifest.fields()[n] != f {
			t.Errorf("field %d of a manifest is not %s", n, f)
		}
	}
	if objectImage.fields()[imageRootFS] != "rootfs" {
		t.Error("the place of rootfs is wrong")
	}
	for n, f := range map[int]string{descriptorAnnotations: "annotations", descriptorPlatform: "platform"} {
		if objectDescriptor.fields()[n] != f {
			t.Errorf("field %d of a descriptor is not %s", n, f)
		}
	}
}

func TestMemberName(t *testing.T) {
	for m := range members([]byte(`{"\u0061\n\"":1}`)) {
		var want string
		if err := json.Unmarshal([]byte(`"\u0061\n\""`), &want); err != nil {
			t.Fatal(err)
		}
		if got := string(m.name()); got != want {
			t.Errorf("name %q, want %q", got, want)
		}
	}
}

// TestFoldsAsEncodingJSON puts every character that could pass for another into
// every place of every name, and asks encoding/json whether the field is met.
func TestFoldsAsEncodingJSON(t *testing.T) {
	var names []string
	for kind := objectIndex; kind <= objectRootFS; kind++ {
		names = append(names, kind.fields()...)
	}
	for _, field := range names {
		reader := reflect.New(reflect.StructOf([]reflect.StructField{{
			Name: "Field", Type: reflect.TypeFor[json.RawMessage](), Tag: reflect.StructTag(`json:"` + field + `"`),
		}}))
		for at := range field {
			for _, r := range "aAbBiIkKsS_.-\u0130\u0131\u017f\u212a\u00df\ufb06\u03c2\uff33\uff4b" + strings.ToUpper(field[at:at+1]) + strings.ToLower(field[at:at+1]) {
				name := field[:at] + string(r) + field[at+1:]
				reader.Elem().SetZero()
				if err := json.Unmarshal([]byte(`{"`+name+`":1}`), reader.Interface()); err != nil {
					t.Fatal(err)
				}
				if want := len(reader.Elem().Field(0).Bytes()) > 0; folds([]byte(name), field) != want {
					t.Errorf("%s folds to %s: %v, want %v", name, field, !want, want)
				}
			}
		}
	}
}
