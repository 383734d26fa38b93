package osimagestream

import (
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

func TestStepOn(t *testing.T) {
	// object returns one with that spec, status and annotations.
	object := func(spec, status string, annotations map[string]string) *mcfgv1.OSImageStream {
		o := stored(spec, status, set(status))
		o.Annotations = annotations
		return o
	}
	theirs := func() map[string]string { return map[string]string{"theirs": "1", "shared": "1"} }
	ours := map[string]string{"ours": "2", "shared": "2"}
	created := New("b")
	created.Annotations = release.annotations()
	published := &mcfgv1.OSImageStream{Status: object("", "b", nil).Status}
	for _, tc := range []struct {
		name    string
		step    Step
		current *mcfgv1.OSImageStream
		want    *mcfgv1.OSImageStream
	}{
		{"75: create", Step{VerbCreate, ReasonCreate, created}, nil, created},
		{"75: create, whatever the current object", Step{VerbCreate, ReasonCreate, created}, object("a", "a", nil), created},
		{"76: spec and annotations", Step{VerbUpdate, ReasonFollow, object("b", "b", ours)}, object("a", "a", theirs()),
			object("b", "a", map[string]string{"theirs": "1", "ours": "2", "shared": "2"})},
		{"76: the first annotations", Step{VerbUpdate, ReasonFollow, object("b", "", ours)}, object("a", "a", nil), object("b", "a", ours)},
		{"76: no annotations", Step{VerbUpdate, ReasonFillSpec, object("b", "", nil)}, object("a", "a", nil), object("b", "a", nil)},
		{"77: status", Step{VerbUpdateStatus, ReasonPublish, published}, object("a", "a", theirs()), object("a", "b", theirs())},
		{"78: update without a current object", Step{VerbUpdate, ReasonFollow, created}, nil, created},
		{"78: status without a current object", Step{VerbUpdateStatus, ReasonPublish, published}, nil, published},
		{"79: zero step", Step{}, object("a", "a", theirs()), object("a", "a", theirs())},
		{"79: zero step without a current object", Step{}, nil, nil},
		{"79: create without an object", Step{Verb: VerbCreate}, object("a", "a", nil), object("a", "a", nil)},
		{"79: update without an object", Step{Verb: VerbUpdate}, object("a", "a", nil), object("a", "a", nil)},
		{"79: status without an object", Step{Verb: VerbUpdateStatus}, object("a", "a", nil), object("a", "a", nil)},
		{"79: an unknown verb", Step{Verb: "Patch", Object: created}, object("a", "a", nil), object("a", "a", nil)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := tc.step.On(tc.current)
			diff(t, "object", tc.want, got)
			if got != nil && (got == tc.current || got == tc.step.Object) {
				t.Error("no copy")
			}
		})
	}
}
