package payloadarch_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

// The oracles are slow and plain: they ask each rule's question of the whole
// input, and share nothing with the package but its constants.

func oracleClusterVersion(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) (payloadarch.Kind, payloadarch.Reason) {
	if cv == nil {
		return payloadarch.Unknown, payloadarch.ReasonNotObserved
	}
	d := cv.Status.Desired
	legal := d.Architecture == "" || d.Architecture == "Multi"
	observed := d.Version != "" || d.Image != ""
	entries, enables := 0, 0
	if gates != nil {
		for _, e := range gates.Status.FeatureGates {
			if e.Version == d.Version {
				entries++
				for _, g := range e.Enabled {
					if g.Name == "ImageStreamImportMode" {
						enables++
					}
				}
			}
		}
	}
	complete := len(cv.Status.History) > 0 && cv.Status.History[0].State == "Completed" && cv.Status.History[0].Image == d.Image

	// Every answer with all that must hold for it; exactly one must fit.
	type answer struct {
		fits   bool
		kind   payloadarch.Kind
		reason payloadarch.Reason
	}
	empty := legal && observed && d.Architecture == ""
	gateFine := entries > 0 && enables > 0
	installing := len(cv.Status.History) == 1 && cv.Status.History[0].State != "Completed" && cv.Status.History[0].Image == d.Image
	var fitting []answer
	for _, a := range []answer{
		{!legal, payloadarch.Unknown, payloadarch.ReasonUnrecognized},
		{legal && !observed, payloadarch.Unknown, payloadarch.ReasonNotObserved},
		{legal && observed && d.Architecture == "Multi", payloadarch.Multi, payloadarch.ReasonReported},
		{empty && entries == 0, payloadarch.Unknown, payloadarch.ReasonGateUnknown},
		{empty && entries > 0 && enables == 0, payloadarch.Unknown, payloadarch.ReasonGateDisabled},
		{empty && gateFine && installing, payloadarch.Single, payloadarch.ReasonInstalling},
		{empty && gateFine && !installing && !complete, payloadarch.Unknown, payloadarch.ReasonUpdating},
		{empty && gateFine && complete, payloadarch.Single, payloadarch.ReasonSettled},
	} {
		if a.fits {
			fitting = append(fitting, a)
		}
	}
	if len(fitting) != 1 {
		panic("the oracle is not a partition")
	}
	return fitting[0].kind, fitting[0].reason
}

// clusterVersions enumerates everything that FromClusterVersion can tell apart.
func clusterVersions(yield func(*configv1.ClusterVersion, *configv1.FeatureGate)) {
	gates := []*configv1.FeatureGate{nil, featureGate(), featureGate(enabled(v1)), featureGate(disabled(v1)), featureGate(enabled(v2)),
		featureGate(disabled(v1), enabled(v2)), featureGate(enabled(v1), disabled(v2)), featureGate(enabled("")),
		featureGate(configv1.FeatureGateDetails{Version: v1})}
	histories := [][]configv1.UpdateHistory{nil}
	for _, newest := range []configv1.UpdateHistory{completed(v1, imageA), completed(v1, imageB), partial(v1, imageA), partial(v2, imageB), {Image: imageA}, completed(v1, "")} {
		histories = append(histories, []configv1.UpdateHistory{newest}, []configv1.UpdateHistory{newest, completed(v1, imageA)})
	}
	for _, g := range gates {
		yield(nil, g)
		for _, arch := range []configv1.ClusterVersionArchitecture{"", multi, "multi", "amd64"} {
			for _, version := range []string{"", v1, v2} {
				for _, image := range []string{"", imageA, imageB} {
					for _, h := range histories {
						yield(clusterVersion(arch, version, image, h...), g)
					}
				}
			}
		}
	}
}

func TestFromClusterVersionAgainstOracle(t *testing.T) {
	n, seen := 0, map[payloadarch.Reason]int{}
	clusterVersions(func(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) {
		n++
		got := payloadarch.FromClusterVersion(cv, gates)
		kind, reason := oracleClusterVersion(cv, gates)
		seen[reason]++
		if got.Kind != kind || got.Reason != reason {
			t.Errorf("FromClusterVersion(%+v, %+v) = %v, %v; want %v, %v", cv, gates, got.Kind, got.Reason, kind, reason)
		}
		if (len(got.Problems) > 0) != (reason == payloadarch.ReasonUnrecognized) || len(got.Findings) > 0 || got.Field == "" {
			t.Errorf("FromClusterVersion(%+v, %+v): problems %v, findings %v, field %q", cv, gates, got.Problems, got.Findings, got.Field)
		}
	})
	if n < 4000 || len(seen) != 8 {
		t.Errorf("the domain has %d members and %d reasons, want at least 4000 and 8", n, len(seen))
	}
}

// Without gates, the answer is that of a cluster whose gate is enabled, but for an
// installation, which is answered as an update.
func TestWithoutGatesAgainstOracle(t *testing.T) {
	clusterVersions(func(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) {
		if gates != nil {
			return
		}
		version := ""
		if cv != nil {
			version = cv.Status.Desired.Version
		}
		kind, reason := oracleClusterVersion(cv, featureGate(enabled(version)))
		if reason == payloadarch.ReasonInstalling {
			kind, reason = payloadarch.Unknown, payloadarch.ReasonUpdating
		}
		if got := payloadarch.FromClusterVersionWithoutGates(cv); got.Kind != kind || got.Reason != reason {
			t.Errorf("FromClusterVersionWithoutGates(%+v) = %v, %v; want %v, %v", cv, got.Kind, got.Reason, kind, reason)
		}
		for _, payloadArch := range []string{"", "Multi", "x"} {
			got := payloadarch.FromHostedWithoutGates(payloadArch, cv)
			want := payloadarch.FromHosted(payloadArch, cv, nil)
			if payloadArch != "" && (got.Kind != want.Kind || got.Reason != want.Reason) || payloadArch == "" && got.Kind != kind {
				t.Errorf("FromHostedWithoutGates(%q, %+v) = %+v", payloadArch, cv, got)
			}
		}
	})
}

func TestFromHostedAgainstOracle(t *testing.T) {
	clusterVersions(func(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) {
		own, _ := oracleClusterVersion(cv, gates)
		for _, payloadArch := range []string{"", "Multi", "AMD64", "S390X", "amd64", "Single"} {
			var want payloadarch.Kind
			switch payloadArch {
			case "":
				want = own
			case "Multi":
				want = payloadarch.Multi
			case "AMD64", "S390X":
				want = payloadarch.Single
			}
			var code payloadarch.FindingCode
			if payloadArch == "" && cv != nil {
				code = payloadarch.FindingHostedClusterVersion
			} else if want+own == payloadarch.Single+payloadarch.Multi && want != 0 && own != 0 {
				code = payloadarch.FindingHostedConflict
			}
			got := payloadarch.FromHosted(payloadArch, cv, gates)
			var gotCode payloadarch.FindingCode
			for _, f := range got.Findings {
				gotCode += f.Code
			}
			if got.Kind != want || gotCode != code {
				t.Errorf("FromHosted(%q, %+v, %+v) = %v with %q; want %v with %q", payloadArch, cv, gates, got.Kind, gotCode, want, code)
			}
		}
	})
}

func TestTransitionOfAgainstOracle(t *testing.T) {
	kinds := []payloadarch.Kind{payloadarch.Unknown, payloadarch.Single, payloadarch.Multi}
	for _, previous := range kinds {
		for _, current := range kinds {
			for _, state := range []configv1.UpdateState{"", configv1.PartialUpdate, configv1.CompletedUpdate} {
				got := payloadarch.TransitionOf(previous, payloadarch.Verdict{Kind: current}, []configv1.UpdateHistory{{State: state}})
				want := map[string]payloadarch.Change{"SingleMulti": payloadarch.SingleToMulti, "MultiSingle": payloadarch.MultiToSingle}[previous.String()+current.String()]
				inProgress := want != payloadarch.NoChange && state == "Partial"
				store := current != payloadarch.Unknown && current != previous && !inProgress
				if got.Change != want || got.InProgress != inProgress || got.StoreKind != store || got.Reason == "" {
					t.Errorf("TransitionOf(%v, %v, %q) = %+v; want %v, %v, %v", previous, current, state, got, want, inProgress, store)
				}
			}
		}
	}
}

// Every index of up to four entries out of those that matter.
func TestFromIndexAgainstOracle(t *testing.T) {
	kinds := []payloadarch.Platform{linux("amd64"), linux("arm64"), linux("AMD64"), linux("aarch64"),
		entry("windows", "s390x"), linux("riscv64"), attestation(), {}}
	counts := []string{"amd64", "arm64", "amd64", "arm64", "", "", "", ""}
	var walk func(chosen []int)
	walk = func(chosen []int) {
		var entries []payloadarch.Platform
		distinct := map[string]bool{}
		for _, c := range chosen {
			entries = append(entries, kinds[c])
			if counts[c] != "" {
				distinct[counts[c]] = true
			}
		}
		want := payloadarch.Single
		if len(distinct) >= 2 {
			want = payloadarch.Multi
		}
		if got := payloadarch.FromIndex(entries); got.Kind != want {
			t.Errorf("FromIndex of entries %v = %v, want %v", chosen, got.Kind, want)
		}
		if len(chosen) < 4 {
			for c := range kinds {
				walk(append(slices.Clone(chosen), c))
			}
		}
	}
	walk(nil)
}

// oracleReleaseMetadata walks the document token by token.
func oracleReleaseMetadata(data []byte) (payloadarch.Kind, payloadarch.MetadataErrorCode) {
	switch {
	case len(data) > 1<<20:
		return 0, payloadarch.MetadataTooLarge
	case !json.Valid(data):
		if json.NewDecoder(bytes.NewReader(data)).Decode(new(json.RawMessage)) == nil {
			return 0, payloadarch.MetadataTrailing
		}
		return 0, payloadarch.MetadataSyntax
	case json.Unmarshal(data, new(map[string]json.RawMessage)) != nil || string(bytes.TrimSpace(data)) == "null":
		return 0, payloadarch.MetadataWrongType
	}
	var values []string
	var kindIsWrong, typeIsWrong bool
	for _, m := range members(data) {
		var s any
		switch {
		case strings.EqualFold(m.key, "kind"):
			if err := json.Unmarshal(m.value, &s); err != nil || s != "cincinnati-metadata-v0" {
				kindIsWrong = true
			}
		case strings.EqualFold(m.key, "metadata") && string(m.value) == "null":
			values = nil
		case strings.EqualFold(m.key, "metadata") && m.value[0] != '{':
			typeIsWrong = true
		case strings.EqualFold(m.key, "metadata"):
			for _, inner := range members(m.value) {
				if inner.key == "release.openshift.io/architecture" {
					values = append(values, string(inner.value))
				}
			}
		}
	}
	switch {
	case typeIsWrong:
		return 0, payloadarch.MetadataWrongType
	case kindIsWrong:
		return 0, payloadarch.MetadataWrongKind
	case len(values) == 0:
		return payloadarch.Single, ""
	case len(values) > 1:
		return payloadarch.Unknown, ""
	}
	var s any
	if err := json.Unmarshal([]byte(values[0]), &s); err == nil && s == "multi" {
		return payloadarch.Multi, ""
	}
	return payloadarch.Unknown, ""
}

type member struct {
	key   string
	value json.RawMessage
}

func members(object []byte) (all []member) {
	d := json.NewDecoder(bytes.NewReader(object))
	brace, err := d.Token()
	for err == nil && d.More() {
		var key json.Token
		var m member
		if key, err = d.Token(); err == nil {
			m.key, err = key.(string), d.Decode(&m.value)
			all = append(all, m)
		}
	}
	if err != nil || brace != json.Delim('{') {
		panic("the oracle was given no valid object")
	}
	return all
}
