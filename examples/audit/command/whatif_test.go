package command_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/examples/audit/command"
	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/section"
	"github.com/polyarch/polyarch/examples/audit/whatif"
)

// supposed audits the fixture with changes.
func supposed(t *testing.T, assume int, changes ...string) *report.WhatIf {
	t.Helper()
	parsed, err := whatif.Parse(changes)
	if err != nil {
		t.Fatal(err)
	}
	streams := section.DefaultStreamOptions
	streams.AssumeChildren = assume
	r := audit(t, command.Options{WhatIf: parsed, Streams: streams}, gathered(t, "heterogeneous"))
	plain := audit(t, command.Options{Streams: streams}, gathered(t, "heterogeneous"))
	if d := cmp.Diff(plain.Sections, r.Sections); d != "" {
		t.Errorf("%v: what is asked changes what is said of the cluster:\n%s", changes, d)
	}
	return r.WhatIf
}

// TestWhatIf holds what each change comes to.
func TestWhatIf(t *testing.T) {
	for _, tc := range []struct {
		name    string
		changes []string
		// decisions are SECTION NAME: BEFORE → AFTER, writes OBJECT FIELD = VALUE, and
		// appears and disappears CODE OBJECT. All of these are there, among others.
		decisions, writes, rollouts, appears, disappears, notes []string
	}{
		{
			name: "back to a single payload", changes: []string{"payload=single"},
			decisions: []string{
				"payload kind: Multi → Single", "importmode mode of the cluster: PreserveOriginal → Legacy",
				"payload oc adm upgrade --to-multi-arch:  → ",
			},
			writes:  []string{"images.config.openshift.io[cluster] status.imageStreamImportMode = Legacy"},
			appears: []string{"chain.HeterogeneousNodes clusterversions[version]"},
			notes:   []string{"The change of the payload is an update"},
		},
		{
			name: "an override", changes: []string{"mode=Legacy"},
			decisions: []string{"importmode mode of the cluster: PreserveOriginal → Legacy"},
			writes:    []string{"images.config.openshift.io[cluster] status.imageStreamImportMode = Legacy"},
			appears:   []string{"chain.EvaluationCondition clusteroperators[image-registry]"},
		},
		{
			name: "an override that names what is", changes: []string{"mode=PreserveOriginal"},
			decisions: []string{"importmode mode of the cluster: PreserveOriginal → PreserveOriginal"}, // for another reason
		},
		{
			name: "no nodes of an architecture any more", changes: []string{"node-arch=-arm64"},
			decisions: []string{
				"nodes architectures: heterogeneous: amd64, arm64 → homogeneous: amd64",
				"imagestreams tags that stay Legacy although nodes are of several architectures: 2 → 0",
			},
			appears:    []string{"chain.HomogeneousNodes images.config.openshift.io[cluster]"},
			disappears: []string{"imagestreams.StaysLegacy imagestreams[demo/app]", "imagestreams.NotForNodes imagestreams[demo/app]"},
		},
		{
			name: "a new architecture", changes: []string{"node-arch=+s390x"},
			decisions: []string{"nodes architectures: heterogeneous: amd64, arm64 → heterogeneous: amd64, arm64, s390x"},
			writes:    []string{"dataimportcrons[openshift-virtualization-os-images/fedora-image-cron-s390x]  = "},
		},
		{
			name: "a template", changes: []string{"dict-arch=fedora-image-cron=amd64"},
			decisions:  []string{"bootsources ssps[openshift-cnv/ssp-kubevirt-hyperconverged] expansion: 2 templates, 2 crons, 1 references → 2 templates, 1 crons, 1 references"},
			disappears: []string{"bootsources.ArchitectureNotInCluster ssps[openshift-cnv/ssp-kubevirt-hyperconverged]"},
		},
		{
			name: "a template that is mended", changes: []string{"dict-arch=bad-image-cron=amd64,arm64"},
			disappears: []string{"bootsources.Problem ssps[openshift-cnv/ssp-kubevirt-hyperconverged]", "bootsources.Blocked ssps[openshift-cnv/ssp-kubevirt-hyperconverged]"},
		},
		{name: "a template that is not there", changes: []string{"dict-arch=missing=amd64"}, notes: []string{`No SSP object has a template "missing".`}},
		{name: "nodes that are not there", changes: []string{"node-arch=-ppc64le"}, notes: []string{"No node is of ppc64le."}},
		{
			name: "several changes", changes: []string{"payload=single", "node-arch=-arm64"},
			decisions: []string{"payload kind: Multi → Single", "nodes architectures: heterogeneous: amd64, arm64 → homogeneous: amd64"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := supposed(t, 0, tc.changes...)
			var decisions, writes, appears, disappears []string
			for _, d := range w.Differences {
				if d.Before.Name != d.After.Name {
					t.Errorf("two names: %+v", d)
				}
				if d.After.Name == "oc adm upgrade --to-multi-arch" {
					d.Before.Answer, d.After.Answer = "", ""
				}
				decisions = append(decisions, fmt.Sprintf("%s %s: %s → %s", d.Section, d.After.Name, d.Before.Answer, d.After.Answer))
			}
			for _, x := range w.Writes {
				writes = append(writes, fmt.Sprintf("%s %s = %s", x.Object, x.Field, x.Value))
			}
			for _, e := range w.Appears {
				appears = append(appears, e.Code+" "+e.Object)
			}
			for _, e := range w.Disappears {
				disappears = append(disappears, e.Code+" "+e.Object)
			}
			contains(t, "decisions", decisions, tc.decisions)
			contains(t, "writes", writes, tc.writes)
			contains(t, "rollouts", w.Rollouts, tc.rollouts)
			contains(t, "appears", appears, tc.appears)
			contains(t, "disappears", disappears, tc.disappears)
			for _, want := range tc.notes {
				if !slices.ContainsFunc(w.Notes, func(n string) bool { return strings.Contains(n, want) }) {
					t.Errorf("notes %q lack %q", w.Notes, want)
				}
			}
		})
	}
}

func contains(t *testing.T, what string, got, want []string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s lack %q; there are:\n%s", what, w, strings.Join(got, "\n"))
		}
	}
}

// TestEstimate holds that tags whose list nobody knows are in no number, and that an
// estimate is labeled one.
func TestEstimate(t *testing.T) {
	growth := func(assume int) report.Growth {
		g := supposed(t, assume, "node-arch=+s390x").Growth
		if len(g) != 1 || g[0].Name != "ByFixes" || g[0].Tags != 2 || g[0].Unknown != 2 || g[0].Objects != 0 {
			t.Fatalf("growth %+v", g)
		}
		return g[0]
	}
	if g := growth(0); g.Estimate != nil || g.AssumedChildren != 0 {
		t.Errorf("nobody asked for an estimate: %+v", g)
	}
	// One tag holds one of the four children already: the list and three. Of the other
	// nothing is there: the list and four.
	if g := growth(4); g.Estimate == nil || *g.Estimate != 4+5 || g.AssumedChildren != 4 {
		t.Errorf("estimate %+v", g)
	}
	_, text, _ := run(t, "--must-gather", gathered(t, "heterogeneous"), "--assume-children=4")
	if !strings.Contains(text, "an ESTIMATE with 4 children") {
		t.Error("the text does not say that it is an estimate")
	}
}

func TestWhatIfUse(t *testing.T) {
	dir := gathered(t, "heterogeneous")
	for _, change := range []string{
		"", "payload", "payload=both", "mode=legacy", "node-arch=arm64", "node-arch=+", "node-arch=+ARM64", "node-arch=+a,b",
		"dict-arch=amd64", "dict-arch==amd64", "color=red",
	} {
		if status, _, stderr := run(t, "--must-gather", dir, "--what-if", change); status != report.ExitUsage {
			t.Errorf("%q: status %d: %s", change, status, stderr)
		}
	}
	if status, _, _ := run(t, "--must-gather", t.TempDir(), "--what-if=payload=multi", "--what-if=mode=Legacy", "--what-if=node-arch=-amd64"); status != report.ExitUnjudged {
		t.Errorf("a source with nothing in it: status %d", status)
	}
}
