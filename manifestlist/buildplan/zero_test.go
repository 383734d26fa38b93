package buildplan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/internal/zerotest"
	"github.com/polyarch/polyarch/manifestlist"
)

func TestZeroValues(t *testing.T) {
	zerotest.Check(t,
		Facts{}, BaseImages{}, Build{}, Image{}, Job{}, Outcome{}, Record{}, Publication{}, Finding{},
		Next(""), NextReason(""), State(""), ImageReason(""), ProgressReason(""), FindingCode(""), Phase(0),
		InputError{}, RecordError{}, IncompleteError{}, ImageError{},
	)
	if PhaseUnknown != 0 || PhaseUnknown.ended() {
		t.Error("the zero phase says that the job has ended")
	}
}

// Filled values, of which cmp.Diff sees every field.
func TestFilledValues(t *testing.T) {
	f := richFacts(t)
	b := mustPlan(t, f)
	out, err := Observe(b, b.MachineOSBuild(), testTime(0))
	if err != nil {
		t.Fatal(err)
	}
	child := imageFor("arm64", "x")
	build := recorded(t, []string{"arm64"}, map[string]manifestlist.Child{"arm64": child})
	p, err := Publish(build, []manifestlist.Child{child})
	if err != nil {
		t.Fatal(err)
	}
	again := mustPlan(t, f)
	again.Images[0].Recorded = !again.Images[0].Recorded
	if cmp.Equal(b, again) {
		t.Error("plans that differ in one field are equal")
	}
	for _, v := range []any{f, b, out, p, Records(build)[0], f.Jobs[0]} {
		if diff := cmp.Diff(v, v); diff != "" {
			t.Errorf("%T differs from itself:\n%s", v, diff)
		}
	}
}

func TestFindingString(t *testing.T) {
	for want, f := range map[string]Finding{
		"":                           {},
		"is odd":                     {Detail: "is odd"},
		"machineosbuilds[b]: is odd": {Code: FindingImageGone, Path: "machineosbuilds[b]", Detail: "is odd"},
	} {
		if got := f.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
