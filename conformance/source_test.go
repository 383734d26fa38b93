package conformance_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/conformance"
)

func stream() *imagev1.ImageStream {
	return &imagev1.ImageStream{
		ObjectMeta: metav1.ObjectMeta{Name: "app", Labels: map[string]string{"b": "2", "a": "1", "on": "x: y"}},
		Spec:       imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{{Name: "v1", ImportPolicy: imagev1.TagImportPolicy{ImportMode: "Legacy"}}}},
	}
}

func TestSource(t *testing.T) {
	generation := int64(3)
	for _, tc := range []struct {
		name string
		in   any
		want string
	}{
		{"nothing", nil, "nil"},
		{"text", "a\"b", `"a\"b"`},
		{"text of a type", imagev1.ImportModeType("Legacy"), `v1.ImportModeType("Legacy")`},
		{"number", 3, "3"},
		{"empty struct", imagev1.TagReference{}, "v1.TagReference{}"},
		{"nil pointer", (*imagev1.ImageStream)(nil), "nil"},
		{"pointer to a number", imagev1.TagReference{Generation: &generation}, "v1.TagReference{Generation: new(int64) /* 3 */}"},
		{"map in order", map[string]int{"b": 2, "a": 1}, `map[string]int{"a": 1, "b": 2}`},
		{"bytes", []byte("x"), `[]uint8("x")`},
		{"several arguments", struct {
			Given string
			New   bool
		}{"Legacy", true}, `struct{Given: "Legacy", New: true}`},
		{"an object", stream(), `&v1.ImageStream{
	ObjectMeta: v1.ObjectMeta{Name: "app", Labels: map[string]string{"a": "1", "b": "2", "on": "x: y"}},
	Spec: v1.ImageStreamSpec{
		Tags: []v1.TagReference{
			v1.TagReference{
				Name: "v1",
				ImportPolicy: v1.TagImportPolicy{ImportMode: "Legacy"},
			},
		},
	},
}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := conformance.Source(tc.in); got != tc.want {
				t.Errorf("got %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestYAML(t *testing.T) {
	type list struct {
		Empty  []int            `json:"empty"`
		None   map[string]int   `json:"none"`
		Nested [][]string       `json:"nested"`
		Items  []map[string]any `json:"items"`
	}
	for _, tc := range []struct {
		name string
		in   any
		want string
	}{
		{"scalars", map[string]any{"a": 1, "b": "x: y", "yes": true, "1": nil}, "\"1\": null\na: 1\nb: \"x: y\"\n\"yes\": true\n"},
		{"lists", list{Empty: []int{}, None: map[string]int{}, Nested: [][]string{{"a", "b"}, {}}, Items: []map[string]any{{"k": "v", "l": []int{1}}}},
			"empty: []\nnone: {}\nnested:\n  - - \"a\"\n    - \"b\"\n  - []\nitems:\n  - k: \"v\"\n    l:\n      - 1\n"},
		{"no JSON", func() {}, "# json: unsupported type: func()\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := conformance.YAML(tc.in); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}
