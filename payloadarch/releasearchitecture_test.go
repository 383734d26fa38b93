package payloadarch_test

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/payloadarch"
)

func TestFromReleaseArchitecture(t *testing.T) {
	bad := func(t field.ErrorType) verdict {
		return verdict{Reason: payloadarch.ReasonUnrecognized, Field: architectureAt, Problems: []problem{{t, architectureAt}}}
	}
	type text string
	for _, tc := range []struct {
		name    string
		value   any
		present bool
		want    verdict
	}{
		{"11: multi", "multi", true, verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonMetadata, Field: architectureAt}},
		{"12: no key", nil, false, verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonMetadata, Field: "metadata"}},
		{"12: no key, whatever the value", "multi", false, verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonMetadata, Field: "metadata"}},
		{"13: Multi", "Multi", true, bad(field.ErrorTypeNotSupported)},
		{"13: empty", "", true, bad(field.ErrorTypeNotSupported)},
		{"14: null", nil, true, bad(field.ErrorTypeTypeInvalid)},
		{"14: a number", 1.5, true, bad(field.ErrorTypeTypeInvalid)},
		{"14: a list", []any{"multi"}, true, bad(field.ErrorTypeTypeInvalid)},
		{"14: an object", map[string]any{"multi": true}, true, bad(field.ErrorTypeTypeInvalid)},
		{"14: another type of string, which no JSON decodes to", text("multi"), true, bad(field.ErrorTypeTypeInvalid)},
		{"14: a value that JSON cannot hold", math.NaN(), true, bad(field.ErrorTypeTypeInvalid)},
		{"14: a function", func() {}, true, bad(field.ErrorTypeTypeInvalid)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromReleaseArchitecture(tc.value, tc.present), tc.want)
		})
	}
}

// anyValue is what encoding/json decodes to.
func anyValue() *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 6).Draw(t, "type") {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "bool")
		case 2:
			return rapid.Float64().Draw(t, "number")
		case 3:
			return []any{rapid.String().Draw(t, "element")}
		case 4:
			return map[string]any{rapid.String().Draw(t, "key"): rapid.Int32().Draw(t, "member"), "a": "<&>"}
		}
		return rapid.OneOf(rapid.SampledFrom([]string{"multi", "Multi", "", "amd64", " multi"}), rapid.String()).Draw(t, "string")
	})
}

func TestTheParsedValueIsAsGoodAsItsDocument(t *testing.T) {
	t.Run("15: same verdict", rapid.MakeCheck(func(t *rapid.T) {
		metadata := map[string]any{"url": "https://example.com"}
		if rapid.IntRange(0, 9).Draw(t, "present") > 0 {
			metadata["release.openshift.io/architecture"] = anyValue().Draw(t, "value")
		}
		data, err := json.Marshal(map[string]any{"kind": "cincinnati-metadata-v0", "metadata": metadata})
		if err != nil {
			t.Fatal(err)
		}
		want, err := payloadarch.FromReleaseMetadata(data)
		if err != nil {
			t.Fatal(err)
		}
		var parsed struct{ Metadata map[string]any }
		if err := json.Unmarshal(data, &parsed); err != nil {
			t.Fatal(err)
		}
		value, present := parsed.Metadata["release.openshift.io/architecture"]
		if diff := cmp.Diff(want, payloadarch.FromReleaseArchitecture(value, present)); diff != "" {
			t.Errorf("verdict of %s differs (-document +value):\n%s", data, diff)
		}
	}))
	t.Run("15: a number that no float64 holds", func(t *testing.T) {
		v, err := payloadarch.FromReleaseMetadata([]byte(document(`"release.openshift.io/architecture":1e400`)))
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Problems) != 1 || v.Problems[0].BadValue != "1e400" {
			t.Errorf("verdict %+v, want a problem that says 1e400", v)
		}
	})
}

func TestFromReleaseArchitectureKeepsNothing(t *testing.T) {
	object, list := map[string]any{"multi": true}, []any{"multi"}
	keepsNothing(t, func() any {
		return []any{payloadarch.FromReleaseArchitecture(object, true), payloadarch.FromReleaseArchitecture(list, true)}
	},
		func() any { return []any{maps.Clone(object), slices.Clone(list)} },
		func() { clear(object); clear(list) })
}
