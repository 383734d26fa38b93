package buildplan

import (
	"fmt"
	"slices"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

// Every set of at most four entries that the CRD takes, in two orders, for every
// architecture.
func TestContainerfileOracle(t *testing.T) {
	t.Run("6: every set of entries", func(t *testing.T) {
		all := []mcfgv1.ContainerfileArch{mcfgv1.Amd64, mcfgv1.Arm64, mcfgv1.Ppc, mcfgv1.S390, mcfgv1.NoArch, ""}
		checked := 0
		for set := range 1 << len(all) {
			var entries []mcfgv1.MachineOSContainerfile
			for i, a := range all {
				if set>>i&1 == 1 {
					entries = append(entries, mcfgv1.MachineOSContainerfile{ContainerfileArch: a, Content: fmt.Sprintf("FROM %q", a)})
				}
			}
			if len(entries) > 4 || set>>4 == 3 { // the CRD defaults "" to NoArch, so it takes one of them
				continue
			}
			f := factsFor("amd64", "arm64", "ppc64le", "s390x")
			for range 2 {
				f.Config.Spec.Containerfile = entries
				for _, img := range mustPlan(t, f).Images {
					checked++
					if want := buildplantest.ContainerfileOracle(entries, img.Architecture); img.Containerfile != want {
						t.Errorf("%v for %s: got %q, want %q", entries, img.Architecture, img.Containerfile, want)
					}
				}
				slices.Reverse(entries)
			}
		}
		if checked < 300 {
			t.Errorf("only %d cases", checked)
		}
	})
}

// oracleProgress is the rules of Observe, counted instead of folded.
func oracleProgress(images []Image, published, building bool) mcfgv1.BuildProgress {
	count := func(which func(Image) bool) (n int) {
		for _, img := range images {
			if which(img) {
				n++
			}
		}
		return n
	}
	failed := count(func(img Image) bool {
		return img.State == StateStop && (img.Reason == ReasonJobFailed || img.Reason == ReasonNoDigest)
	})
	gone := count(func(img Image) bool { return img.State == StateStop }) - failed
	running := count(func(img Image) bool { return img.State == StateWait })
	jobs := count(func(img Image) bool { return img.Exists })
	if failed > 0 {
		if running > 0 {
			return "Building"
		}
		return "Failed"
	}
	if gone > 0 {
		return "Interrupted"
	}
	if published {
		return "Succeeded"
	}
	if jobs > 0 || building {
		return "Building"
	}
	return "Prepared"
}

// Every combination of what an image can be, for two architectures and publishing.
func TestProgressOracle(t *testing.T) {
	t.Run("74,75,76,77,78: every combination of states", func(t *testing.T) {
		kinds := []Image{
			{State: StateRun}, {State: StateWait, Exists: true}, {State: StateReuse, PullSpec: "x"}, {State: StateReuse, PullSpec: "x", Exists: true}, {State: StateCopy, PullSpec: "x"},
			{State: StateStop, Reason: ReasonJobFailed, Exists: true}, {State: StateStop, Reason: ReasonNoDigest, Exists: true},
			{State: StateStop, Reason: ReasonJobDeleted}, {State: StateStop, Reason: ReasonImageGone}, {State: StateHold},
		}
		for _, x := range kinds {
			for _, y := range kinds {
				for _, p := range kinds {
					for _, published := range []bool{false, true} {
						for _, building := range []bool{false, true} {
							x.Architecture, y.Architecture = "amd64", "arm64"
							b := Build{Name: "b", Images: []Image{x, y}, Publish: p}
							if published {
								b.PullSpec = testRepository + "@" + buildplantest.Digest("x")
							}
							current := &mcfgv1.MachineOSBuild{}
							current.Name = "b"
							if building {
								current.Status.Conditions, _ = conditions(nil, mcfgv1.MachineOSBuilding, ReasonBuilding, "", testTime(0))
							}
							out, err := Observe(b, current, testTime(0))
							if err != nil {
								t.Fatal(err)
							}
							if want := oracleProgress([]Image{x, y, p}, published, building); out.Progress != want {
								t.Errorf("%s, published %v, building %v: %s, want %s", states(b), published, building, out.Progress, want)
							}
						}
					}
				}
			}
		}
	})
}

// The naive way to normalize.
func TestNormalizeOracle(t *testing.T) {
	t.Run("11: every short text", func(t *testing.T) {
		alphabet := []string{"\r", "\n", "a"}
		var visit func(prefix string, left int)
		visit = func(s string, left int) {
			want := buildplantest.ContainerfileOracle([]mcfgv1.MachineOSContainerfile{{Content: s}}, "amd64")
			if got := normalize(s); got != want {
				t.Errorf("normalize(%q) = %q, want %q", s, got, want)
			}
			if left == 0 {
				return
			}
			for _, c := range alphabet {
				visit(s+c, left-1)
			}
		}
		visit("", 6)
	})
}
