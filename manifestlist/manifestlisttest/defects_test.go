package manifestlisttest_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/internal/documented"
	"github.com/polyarch/polyarch/manifestlist/internal/ours"
	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Properties fail on purpose here: the same way each time, and no file is to keep how.
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.checks": "50", "rapid.nofailfile": "true", "rapid.shrinktime": "50ms"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// A defect is something that a tool, or this library before, gets wrong.
type defect struct {
	name  string
	rules string // where it is found, and nowhere else
	in    func(*manifestlisttest.Impl)
}

func TestDefects(t *testing.T) {
	right := ours.Impl()
	right.Parse = remembering(right.Parse)
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			i := right
			d.in(&i)
			got := failing(t, i)
			want := strings.Fields(d.rules)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("found at %v, want at %v", got, want)
			}
		})
	}
}

// remembering reads a large document once for all the defects, which are made of what
// it returns: those of 4 MiB took most of the time.
func remembering(parse func([]byte, int) (ocispec.Index, error)) func([]byte, int) (ocispec.Index, error) {
	type document struct {
		text  string
		limit int
	}
	type read struct {
		index ocispec.Index
		err   error
	}
	known := map[document]read{}
	return func(index []byte, limit int) (ocispec.Index, error) {
		if len(index) < 1<<20 {
			return parse(index, limit)
		}
		d := document{string(index), limit}
		r, ok := known[d]
		if !ok {
			r.index, r.err = parse(index, limit)
			known[d] = r
		}
		return r.index, r.err
	}
}

func TestNoDefect(t *testing.T) {
	if got := failing(t, ours.Impl()); got != nil {
		t.Errorf("ours fails at %v", got)
	}
}

// Whoever has a single function learns of its rules, and that the others are not
// implemented.
func TestOneFunction(t *testing.T) {
	newImpl := func(testing.TB) manifestlisttest.Impl {
		return manifestlisttest.Impl{Containerd: ours.Impl().Containerd}
	}
	report := conformance.Judge(t, manifestlisttest.Suite(), newImpl, conformance.Options{RuleSet: "v1"})
	for _, r := range report.Rules {
		want := conformance.StateNotImplemented
		if r.Rule.ID == "containerd-ranks" || r.Rule.ID == "host-stands-in" {
			want = conformance.StatePass
		}
		if r.State != want {
			t.Errorf("%s: %s, want %s", r.Rule.ID, r.State, want)
		}
	}
}

// Each rule fails for who takes everything or for who refuses everything.
func TestEveryRuleCanFail(t *testing.T) {
	none := errors.New("no")
	found := append(failing(t, takesEverything()), failing(t, manifestlisttest.Impl{
		Assemble: func([]child, options) ([]byte, ocispec.Descriptor, error) { return nil, ocispec.Descriptor{}, none },
		Describe: func(child, options) (ocispec.Descriptor, error) { return ocispec.Descriptor{}, none },
		Update: func([]byte, []child, options) ([]byte, ocispec.Descriptor, error) {
			return nil, ocispec.Descriptor{}, none
		},
		Edit:  func([]byte, func(*ocispec.Index)) ([]byte, error) { return nil, none },
		Parse: func([]byte, int) (ocispec.Index, error) { return ocispec.Index{}, none },
	})...)
	for _, r := range manifestlisttest.Rules() {
		if !slices.Contains(found, r.ID) {
			t.Errorf("%s fails for neither", r.ID)
		}
	}
}

// takesEverything does the least that gives an answer.
func takesEverything() manifestlisttest.Impl {
	first := func(ocispec.Index, ocispec.Platform, ocispec.Platform) (int, error) { return 0, nil }
	return manifestlisttest.Impl{
		Assemble: func(children []child, o options) ([]byte, ocispec.Descriptor, error) {
			return described(manifestlisttest.AssembleOracle(children, o), nil)
		},
		Describe: func(c child, _ options) (ocispec.Descriptor, error) { return c.Descriptor, nil },
		Update: func(index []byte, _ []child, _ options) ([]byte, ocispec.Descriptor, error) {
			return described(index, nil)
		},
		Edit: func(index []byte, _ func(*ocispec.Index)) ([]byte, error) { return index, nil },
		Parse: func(index []byte, _ int) (x ocispec.Index, _ error) {
			_ = json.Unmarshal(index, &x) // whatever it gives
			return x, nil
		},
		Strict: first, OpenShiftLegacy: first, Containerd: first, ContainersImage: first,
	}
}

// failing are the ids of the rules that do not hold.
func failing(t *testing.T, i manifestlisttest.Impl) []string {
	t.Helper()
	report := conformance.Judge(t, manifestlisttest.Suite(), func(testing.TB) manifestlisttest.Impl { return i }, conformance.Options{RuleSet: "v1"})
	var ids []string
	for _, r := range report.Rules {
		if r.State == conformance.StateFail {
			ids = append(ids, r.Rule.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// docs/conformance.md has the same defects and rules, no more and no fewer.
func TestDefectsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []documented.Defect
	for _, d := range defects() {
		found = append(found, documented.Defect{Name: d.name, Rules: strings.Fields(d.rules)})
	}
	documented.Defects(t, string(text), "manifestlist", found)
}
