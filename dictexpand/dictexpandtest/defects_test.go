package dictexpandtest_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
	"github.com/polyarch/polyarch/dictexpand/internal/ours"
	"github.com/polyarch/polyarch/internal/documented"
)

type (
	template = dictexpandtest.Template
	cluster  = dictexpandtest.Cluster
	made     = dictexpandtest.Expansion
)

const architectures = dictexpand.AnnotationArchitectures

// A defect is a mistake that was met, put into package dictexpand.
type defect struct {
	name  string
	rules []string // that find it, sorted
	impl  func() dictexpandtest.Impl
}

func defects() []defect {
	return []defect{
		{"the default reference leads to an architecture without a cron", []string{"reference-has-an-image"}, expanding(firstArchitecture)},
		{"a template without an annotation has no platform set", []string{"default-architecture-alone"}, expanding(noPlatform)},
		{"a reference is made in the default namespace", []string{"made-data-source-is-no-reference", "reference-has-an-image"}, expanding(defaultNamespace)},
		{"one of two templates for a DataSource is dropped", []string{"blocked-claims-its-names", "names-are-needed-once", "order-of-templates", "reference-is-shared"}, expanding(dropSecond)},
		{"a template as written shadows one architecture of another", []string{"names-are-needed-once"}, expanding(shadow)},
		{"a node of an architecture that is not supported fails everything", []string{"unusable-architecture-is-skipped"}, expanding(failOnUnsupported)},
		{"the annotation is split without trimming", []string{"blanks-do-not-matter"}, untrimmed},
		{"names of more than 63 characters are passed on", []string{"metadata-is-valid"}, expanding(restore(shortenNames))},
		{"labels, annotations and namespaces are passed on unchecked", []string{"metadata-is-valid"}, expanding(restore(dropMetadata))},
		{"specs are passed on that CDI refuses", []string{"architecture-can-be-set", "disk-has-a-size", "one-source", "registry-is-whole", "schedule-parses", "unsettable-is-not-set", "values-are-known"}, expanding(restore(soundSpec))},
		{"a changed spec is written into the cron", []string{"changed-spec-is-a-new-cron", "held-spec-stays", "history-settles", "no-answer-holds-all", "no-endless-waiting", "refused-spec-keeps-the-cron", "target-image-is-awaited"}, updateSpecs()},
		{"a DataSource that lost its label, or has another cron's, is as it should be", []string{"history-settles", "label-names-the-cron", "no-endless-waiting", "taken-makes-no-cron", "takeover-is-awaited"}, stepping(noLabels)},
		{"the old cron goes before the new one works", []string{"cron-labels-go", "history-keeps-images", "label-names-the-cron", "led-to-is-kept", "missing-target-is-not-led-to", "redirected", "reference-is-awaited", "replacement-is-awaited", "takeover-is-awaited"}, stepping(noWaiting)},
		{"a reference keeps the labels of the cron whose deletion takes it along", []string{"cron-labels-go", "history-settles", "made-by-cdi-is-ours", "no-endless-waiting", "reference-is-awaited", "switched-cron-goes"}, stepping(keepLabels)},
		{"a cron goes before CDI was asked for the new one", []string{"dry-run-refused", "dry-run-unknown", "history-asks-first", "no-answer-holds-all", "refused-spec-keeps-the-cron"}, drying(func(s dictexpand.Step, _ error) dictexpand.DryRun { return dictexpand.DryRunOf(s, nil) })},
		{"a webhook that cannot be reached passes for acceptance", []string{"dry-run-unknown", "no-answer-holds-all"}, drying(transportAccepts)},
		{"a cron of the name in the way passes for a refusal", []string{"changed-spec-is-a-new-cron", "dry-run-accepted", "held-spec-stays", "history-settles", "no-answer-holds-all", "no-endless-waiting", "refused-spec-keeps-the-cron", "target-image-is-awaited"}, drying(existsRefuses)},
		{"a template with a mistake claims no names", []string{"blocked-claims-its-names"}, expanding(mistakenClaimNothing)},
		{"what a template with a mistake had is deleted", []string{"blocked-by-name", "blocked-claims-its-names", "blocked-crons-stay", "blocked-sharer-keeps-the-image", "history-keeps-images"}, reconciling(ours.Operator{Expand: forgetBlocked})},
		{"somebody else's cron makes a reference dangle", []string{"missing-target-is-not-led-to"}, stepping(dangling)},
		{"a DataSource of the operator's own becomes a reference", []string{"made-data-source-is-no-reference"}, expanding(ownBecomesReference)},
		{"what CDI made for a template that is gone is nobody's for ever", []string{"made-by-cdi-is-ours"}, reconciling(ours.Operator{Plan: nobodys})},
		{"a template with a mistake freezes a reference that dangles", []string{"blocked-sharer-keeps-the-image"}, stepping(frozenSharer)},
		{"two templates of one name are taken for two", []string{"names-are-needed-once"}, expanding(twoOfOneName)},
		{"what an architecture had is deleted when its last node goes", []string{"held-crons-stay", "held-spec-stays"}, clustered(func(c *cluster) { c.Held = nil })},
		{"nodes whose architecture is not known yet are not there", []string{"frozen-deletes-nothing"}, clustered(func(c *cluster) { c.Incomplete = false })},
		{"a typo in one of several architectures deletes its cron", []string{"unclear-keeps-its-crons"}, reconciling(ours.Operator{Expand: neverUnclear})},
		{"every cron is taken for the operator's own", []string{"history-leaves-others-alone", "label-names-the-cron", "missing-target-is-not-led-to", "others-crons-stay", "others-data-source-stays", "replacement-is-awaited", "taken-is-not-labeled", "taken-keeps-the-cron", "taken-makes-no-cron", "target-image-is-awaited"}, reconciling(ours.Operator{Plan: ownsAll})},
		{"a placeholder that is not ready passes for a user's own image", []string{"placeholder-is-not-own"}, ownImages(placeholders)},
		{"a DataSource that lost its label passes for a user's own image", []string{"imported-is-not-own"}, ownImages(lostLabels)},
	}
}

func judge(t *testing.T, newImpl func() dictexpandtest.Impl) (broken []string, texts string) {
	t.Helper()
	report := conformance.Judge(t, dictexpandtest.Suite(), func(testing.TB) dictexpandtest.Impl { return newImpl() }, conformance.Options{RuleSet: "v1"})
	for _, r := range report.Rules {
		if r.State == conformance.StateFail {
			broken = append(broken, r.Rule.ID)
			texts += r.Failures[0] + "\n"
		}
	}
	slices.Sort(broken)
	return broken, texts
}

func TestDefects(t *testing.T) {
	if broken, texts := judge(t, ours.Impl); broken != nil {
		t.Errorf("package dictexpand breaks %v\n%s", broken, texts)
	}
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			if broken, texts := judge(t, d.impl); !slices.Equal(broken, d.rules) {
				t.Errorf("found by %q, want %q\n%s", broken, d.rules, texts)
			}
		})
	}
}

// docs/conformance.md has the same defects and rules, no more and no fewer.
func TestDefectsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []documented.Defect
	for _, d := range defects() {
		found = append(found, documented.Defect{Name: d.name, Rules: d.rules})
	}
	documented.Defects(t, string(text), "dictexpand", found)
}

// upstream expands as the operators of today do, where that was seen to go wrong.
func upstream() dictexpandtest.Impl {
	right := untrimmed().Expand
	for _, wrong := range []func([]template, cluster, func([]template, cluster) made) made{
		firstArchitecture, noPlatform, defaultNamespace, dropSecond, shadow, failOnUnsupported, restore(shortenNames), restore(soundSpec), mistakenClaimNothing,
	} {
		inner := right
		right = func(templates []template, c cluster) made { return wrong(templates, c, inner) }
	}
	return dictexpandtest.Impl{Architectures: untrimmed().Architectures, Expand: right}
}

// upstreamFails are the rules of strength Upstream that the operators of today break.
var upstreamFails = []string{"reference-has-an-image"}

func TestWhatUpstreamFails(t *testing.T) {
	report := conformance.Judge(t, dictexpandtest.Suite(), func(testing.TB) dictexpandtest.Impl { return upstream() },
		conformance.Options{RuleSet: "v1", Strengths: []conformance.Strength{conformance.StrengthUpstream}})
	var broken []string
	for _, r := range report.Rules {
		if r.State == conformance.StateFail {
			broken = append(broken, r.Rule.ID)
		}
	}
	if !slices.Equal(broken, upstreamFails) {
		t.Errorf("upstream fails %q, want %q", broken, upstreamFails)
	}
	src, err := os.ReadFile("../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(src), "\n### dictexpand\n")
	section, _, _ = strings.Cut(section, "\n#")
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(section, -1) {
		listed = append(listed, m[1])
	}
	if !slices.Equal(listed, upstreamFails) {
		t.Errorf("docs/conformance.md says that upstream fails %q, want %q", listed, upstreamFails)
	}
}
