package importmode_test

import (
	"cmp"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/importmode/importmodetest"
	"github.com/polyarch/polyarch/payloadarch"
)

// Every spec, current value, payload and set of nodes, against the oracle of the
// test package.
func TestDecideWholeDomain(t *testing.T) {
	values := []configv1.ImportModeType{"", configLegacy, configPreserve, "Whole", "legacy", " ", "Legacy\n", "\x00"}
	isMode := func(m configv1.ImportModeType) bool { return m == "Legacy" || m == "PreserveOriginal" }
	var payloads []payloadarch.Verdict
	for _, kind := range []payloadarch.Kind{payloadarch.Unknown, payloadarch.Single, payloadarch.Multi, 3, 255} {
		for _, reason := range []payloadarch.Reason{"", payloadarch.ReasonSettled, payloadarch.ReasonInstalling, payloadarch.ReasonHosted} {
			payloads = append(payloads, payloadarch.Verdict{Kind: kind, Reason: reason})
		}
	}
	known := map[payloadarch.Kind]importmodetest.Payload{payloadarch.Single: importmodetest.PayloadSingle, payloadarch.Multi: importmodetest.PayloadMulti}
	nodes := [][]string{nil, {"amd64"}, {"riscv64"}, {"amd64", "s390x"}}
	for _, spec := range values {
		for _, current := range values {
			for i, verdict := range payloads {
				for _, set := range nodes {
					in := importmode.Input{Spec: spec, Current: current, Payload: verdict, Nodes: payloadarch.SetOf(set...), NodesIncomplete: i%3 == 0}
					got := importmode.Decide(in)
					payload := cmp.Or(known[verdict.Kind], importmodetest.PayloadUnknown)
					if payload == importmodetest.PayloadSingle && verdict.Reason == payloadarch.ReasonInstalling {
						payload = importmodetest.PayloadInstalling
					}
					mode, err := importmodetest.Oracle().Decide(spec, current, payload)
					findings := 0
					if current != "" && !isMode(current) {
						findings++
					}
					if importmodetest.Oracle().Suggest(spec, payload, set, !in.NodesIncomplete) {
						findings++
					}
					if spec == "" && payload == importmodetest.PayloadSingle && len(set) > 1 {
						findings++
					}
					want := fmt.Sprint(mode, mode != "" && mode != current, err != nil, findings)
					have := fmt.Sprint(got.Mode, got.StatusChanges, len(got.Problems) == 1, len(got.Findings))
					if want != have {
						t.Errorf("%+v: want %s, got %s", in, want, have)
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
}

// slowVerdict is a decision whose modes are the oracle's of the test package.
func slowVerdict(given, stored imagev1.ImportModeType, isStored bool, cluster imagev1.ImportModeType, ignoreLegacy bool) verdict {
	isMode := func(m imagev1.ImportModeType) bool { return m == "Legacy" || m == "PreserveOriginal" }
	v := verdict{New: !isStored}
	decide := importmodetest.Oracle().DefaultTag
	if ignoreLegacy {
		decide = importmodetest.Oracle().DefaultTagOfOldClient
		if given == "Legacy" {
			given, v.Finding = "", importmode.FindingLegacyIgnored
		}
	}
	v.Store, v.Import = decide(given, stored, isStored, cluster)
	switch {
	case given != "":
		v.Reason = importmode.ReasonGiven
	case !isStored:
		v.Reason = importmode.ReasonClusterMode
	case stored == "":
		v.Reason = importmode.ReasonStoredEmpty
	default:
		v.Reason = importmode.ReasonStored
	}
	v.Changed = isStored && importmodetest.Oracle().ModeChanged(stored, v.Store)
	if isStored && v.Store == stored && stored != "" && !isMode(stored) {
		v.Finding += importmode.FindingUnknownStored
	}
	askedCluster := v.Reason == importmode.ReasonClusterMode || v.Import != v.Store && v.Store != ""
	if askedCluster && cluster != "" && !isMode(cluster) {
		v.Finding += importmode.FindingUnknownCluster
	}
	return v
}

// slowDefault looks every tag up anew. It is right for lists without repeated
// names, which is where names make sense.
func slowDefault(request, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, ignoreLegacy bool) (all []verdict) {
	for _, t := range request.Spec.Tags {
		was, isStored := storedMode(stored, t.Name)
		all = append(all, slowVerdict(t.ImportPolicy.ImportMode, was, isStored, cluster, ignoreLegacy))
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
						t.Fatalf("request %v, stored %v, ignore %t: (-want +got)\n%s", request, was, ignore, gocmp.Diff(want, got))
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
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}
