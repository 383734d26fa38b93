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
		{"[\n]", 1, true},
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
	for kind, value := range map[object]any{objectIndex: ocispec.Index{}, objectDescriptor: ocispec.Descriptor{}, objectPlatform: ocispec.Platform{}} {
		var want []string
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
