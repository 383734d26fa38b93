package payloadarch_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

func TestFromReleaseArchitecture(t *testing.T) {
	for _, c := range payloadarchtest.ValueCases() {
		t.Run(c.Rule+"/"+c.Name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromReleaseArchitecture(c.Value, c.Present), metadataVerdict(c.Rule, c.Want))
		})
	}
}

func TestTheParsedValueIsAsGoodAsItsDocument(t *testing.T) {
	t.Run("15: same verdict", rapid.MakeCheck(func(t *rapid.T) {
		metadata := map[string]any{"url": "https://example.com"}
		if rapid.IntRange(0, 9).Draw(t, "present") > 0 {
			metadata["release.openshift.io/architecture"] = payloadarchtest.Values().Draw(t, "value")
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
