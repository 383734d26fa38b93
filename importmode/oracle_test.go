package importmode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// decideRow is the contract's table as data: each row tests one input after the
// other with its own patterns, and the first that matches is taken.
type decideRow struct {
	spec, current string // a mode, "" for empty, "mode", "other" or "any"
	payload       string // kind and, where it matters, reason; "" for any
	mode          string // a mode, "", "spec" or "current"
	reason        string
	problem       bool
}

var decideRows = []decideRow{
	{"mode", "any", "", "spec", "SpecOverride", false},
	{"other", "any", "", "current", "InvalidSpec", true},
	{"", "any", "Multi", "PreserveOriginal", "MultiPayload", false},
	{"", "mode", "Single, Installing", "current", "Installing", false},
	{"", "", "Single, Installing", "Legacy", "Installing", false},
	{"", "any", "Single", "Legacy", "SinglePayload", false},
	{"", "mode", "", "current", "PayloadUnknown", false},
	{"", "", "", "", "PayloadUnknown", false},
}

func matches(pattern, value string) bool {
	isMode := value == "Legacy" || value == "PreserveOriginal"
	switch pattern {
	case "any":
		return true
	case "mode":
		return isMode
	case "other":
		return !isMode && value != ""
	}
	return pattern == value
}

func TestDecideWholeDomain(t *testing.T) {
	values := []configv1.ImportModeType{"", configLegacy, configPreserve, "Whole", "legacy", " ", "Legacy\n", "\x00"}
	var payloads []payloadarch.Verdict
	for _, kind := range []payloadarch.Kind{payloadarch.Unknown, payloadarch.Single, payloadarch.Multi, 3, 255} {
		for _, reason := range []payloadarch.Reason{"", payloadarch.ReasonSettled, payloadarch.ReasonInstalling, payloadarch.ReasonHosted} {
			payloads = append(payloads, payloadarch.Verdict{Kind: kind, Reason: reason})
		}
	}
	nodes := []payloadarch.Set{{}, payloadarch.SetOf("amd64"), payloadarch.SetOf("riscv64"), payloadarch.SetOf("amd64", "s390x")}
	reached := map[int]bool{}
	for _, spec := range values {
		for _, current := range values {
			for i, verdict := range payloads {
				for _, set := range nodes {
					in := importmode.Input{Spec: spec, Current: current, Payload: verdict, Nodes: set, NodesIncomplete: i%3 == 0}
					got := importmode.Decide(in)
					counted := current
					if matches("other", string(current)) {
						counted = ""
					}
					row := -1
					for i, r := range decideRows {
						kind, reason, _ := strings.Cut(r.payload, ", ")
						payload := (kind == "" || kind == verdict.Kind.String()) && (reason == "" || reason == string(verdict.Reason))
						if row < 0 && payload && matches(r.spec, string(spec)) && matches(r.current, string(counted)) {
							row = i
						}
					}
					if row < 0 {
						t.Fatalf("no row for %+v", in)
					}
					reached[row] = true
					r := decideRows[row]
					mode := configv1.ImportModeType(r.mode)
					switch r.mode {
					case "spec":
						mode = spec
					case "current":
						mode = counted
					}
					writes := mode != "" && mode != current
					findings := 0
					if counted != current {
						findings++
					}
					if r.reason == "MultiPayload" && set.Len() == 1 && !in.NodesIncomplete {
						findings++
					}
					want := fmt.Sprint(mode, r.reason, writes, r.problem, findings)
					have := fmt.Sprint(got.Mode, got.Reason, got.StatusChanges, len(got.Problems) == 1, len(got.Findings))
					if want != have {
						t.Errorf("%+v: row %d wants %s, got %s", in, row+1, want, have)
					}
					if got.Mode != "" {
						in.Current = got.Mode
						if again := importmode.Decide(in); again.StatusChanges || again.Mode != got.Mode {
							t.Errorf("%+v: not settled after one write: %+v", in, again)
						}
					}
				}
			}
		}
	}
	if len(reached) != len(decideRows) {
		t.Errorf("only the rows %v are reached", reached)
	}
}

// slowDefault looks every tag up anew. It is right for lists without repeated
// names, which is where names make sense.
func slowDefault(request, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, ignoreLegacy bool) []verdict {
	var all []verdict
	for _, t := range request.Spec.Tags {
		var was *imagev1.TagReference
		if stored != nil {
			for _, s := range stored.Spec.Tags {
				if s.Name == t.Name {
					was = &s
					break
				}
			}
		}
		v := verdict{New: was == nil}
		given := t.ImportPolicy.ImportMode
		if ignoreLegacy && given == "Legacy" {
			given, v.Finding = "", importmode.FindingLegacyIgnored
		}
		if given != "" {
			v.Store, v.Reason = given, importmode.ReasonGiven
			if given != "Legacy" && given != "PreserveOriginal" && was != nil && was.ImportPolicy.ImportMode == given {
				v.Finding += importmode.FindingUnknownStored
			}
		} else if was == nil {
			v.Store, v.Reason = cluster, importmode.ReasonClusterMode
			if cluster != "PreserveOriginal" {
				v.Store = "Legacy"
			}
		} else if m := was.ImportPolicy.ImportMode; m != "" {
			v.Store, v.Reason = m, importmode.ReasonStored
			if m != "Legacy" && m != "PreserveOriginal" {
				v.Finding += importmode.FindingUnknownStored
			}
		} else {
			v.Reason = importmode.ReasonStoredEmpty
		}
		if was != nil {
			isLegacy := func(m imagev1.ImportModeType) bool { return m == "" || m == "Legacy" }
			a, b := was.ImportPolicy.ImportMode, v.Store
			v.Changed = a != b && !(isLegacy(a) && isLegacy(b))
		}
		clusterReads := cluster
		if cluster != "Legacy" && cluster != "PreserveOriginal" {
			clusterReads = "Legacy"
		}
		switch v.Import = v.Store; v.Import {
		case "":
			v.Import = "Legacy"
		case "Legacy", "PreserveOriginal":
		default:
			v.Import = clusterReads
		}
		askedCluster := v.Reason == importmode.ReasonClusterMode || v.Import != v.Store && v.Store != ""
		if askedCluster && cluster != "" && cluster != clusterReads {
			v.Finding += importmode.FindingUnknownCluster
		}
		all = append(all, v)
	}
	return all
}

// Every pair of a request and a stored stream of up to two tags of three
// names, in every order and every combination of modes.
func TestDefaultSmallStreams(t *testing.T) {
	modes := []imagev1.ImportModeType{"", legacy, preserve, "Whole"}
	var streams []*imagev1.ImageStream
	var grow func(tags []imagev1.TagReference, free []string)
	grow = func(tags []imagev1.TagReference, free []string) {
		streams = append(streams, stream(append([]imagev1.TagReference(nil), tags...)...))
		if len(tags) == 2 {
			return
		}
		for i, name := range free {
			rest := append(append([]string(nil), free[:i]...), free[i+1:]...)
			for _, mode := range modes {
				grow(append(tags, imagev1.TagReference{Name: name, ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode}}), rest)
			}
		}
	}
	grow(nil, []string{"a", "b", "c"})
	stored := append([]*imagev1.ImageStream{nil}, streams...)
	for _, request := range streams {
		for _, was := range stored {
			for _, ignore := range []bool{false, true} {
				cluster := preserve
				if ignore {
					cluster = "None"
				}
				want := slowDefault(request, was, cluster, ignore)
				got := verdicts(importmode.DefaultImageStream(nil, request, was, cluster, importmode.Options{IgnoreLegacy: ignore}))
				if len(want) != len(got) {
					t.Fatalf("%d decisions, want %d", len(got), len(want))
				}
				for i := range want {
					if want[i] != got[i] {
						t.Fatalf("request %v, stored %v, ignore %t: (-want +got)\n%s", request, was, ignore, cmp.Diff(want, got))
					}
				}
			}
		}
	}
}

func TestDefaultAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request, stored := drawStream(t, "request", true), drawStream(t, "stored", true)
		cluster := rapid.SampledFrom([]imagev1.ImportModeType{"", legacy, preserve, "Whole"}).Draw(t, "cluster")
		ignore := rapid.Bool().Draw(t, "ignore")
		want := slowDefault(request, stored, cluster, ignore)
		got := verdicts(importmode.DefaultImageStream(nil, request, stored, cluster, importmode.Options{IgnoreLegacy: ignore}))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}
