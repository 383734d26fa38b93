package dictexpandtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/polyarch/polyarch/conformance"
)

// An ExpandCase is templates and what they come to on TwoArchitectures.
type ExpandCase struct {
	Rule      string // its ID
	Name      string // no two cases have one
	Templates []Template
	// Cluster changes the cluster.
	Cluster func(*Cluster)
	// Want is what Summary says. The namespace GoldenImages is left out.
	Want string
}

// On returns the cluster of the case.
func (c ExpandCase) On() Cluster {
	cluster := TwoArchitectures()
	if c.Cluster != nil {
		c.Cluster(&cluster)
	}
	return cluster
}

// ExpandCases are templates with everything that can be said of an expansion by the
// names of crons and DataSources.
func ExpandCases() []ExpandCase {
	return slices.Concat(expansionCases(), leftOpenCases(), limitCases(), conflictCases(), referenceCases(), heldCases())
}

// ExpandCaseNamed returns the case of that name. There must be one.
func ExpandCaseNamed(name string) ExpandCase {
	all := ExpandCases()
	return all[slices.IndexFunc(all, func(c ExpandCase) bool { return c.Name == name })]
}

// Summary says what an expansion holds, one object a line: each cron, the DataSource that
// it manages and its architecture; each reference and where it leads to.
func Summary(e Expansion) string {
	var crons, references []string
	for _, c := range e.Crons {
		architecture := "any"
		if s := c.Spec.Template.Spec.Source; s != nil && s.Registry != nil && s.Registry.Platform != nil && s.Registry.Platform.Architecture != "" {
			architecture = s.Registry.Platform.Architecture
		}
		crons = append(crons, fmt.Sprintf("cron %s/%s manages %s arch %s\n", c.Namespace, c.Name, c.Spec.ManagedDataSource, architecture))
	}
	for _, r := range e.References {
		target := "nothing"
		if to := r.Spec.Source.DataSource; to != nil {
			target = to.Name
			if to.Namespace != r.Namespace {
				target = to.Namespace + "/" + to.Name
			}
		}
		references = append(references, fmt.Sprintf("reference %s/%s to %s\n", r.Namespace, r.Name, target))
	}
	slices.Sort(crons)
	slices.Sort(references)
	return strings.ReplaceAll(strings.Join(append(crons, references...), ""), GoldenImages+"/", "")
}

// onlyCrons cuts the references off a summary.
func onlyCrons(summary string) string {
	if i := strings.Index("\n"+summary, "\nreference "); i >= 0 {
		return summary[:i]
	}
	return summary
}

// An expandInput is what Expand is called with.
type expandInput struct {
	Templates []Template
	Cluster   Cluster
}

func (i Impl) expand(templates []Template, cluster Cluster) Expansion {
	return i.Expand(copyTemplates(templates), cluster.clone())
}

// aboutReferences are the rules whose cases are judged by references too. All others are
// judged by their crons, so that a mistake in references does not fail them.
var aboutReferences = []string{
	"reference-has-an-image", "reference-is-shared", "own-image-is-no-reference", "made-data-source-is-no-reference",
}

func expandRows() []row {
	var all []row
	for _, c := range ExpandCases() {
		all = append(all, row{Rule: c.Rule, Name: c.Name, Implemented: hasExpand, Call: func(i Impl) outcome {
			on := c.On()
			want, got := c.Want, Summary(i.expand(c.Templates, on))
			if !slices.Contains(aboutReferences, c.Rule) {
				want, got = onlyCrons(want), onlyCrons(got)
			}
			return outcome{Input: expandInput{c.Templates, on}, Want: want, Got: got}
		}})
	}
	return slices.Concat(all, objectRows(), specRows(), scheduleRows(), metadataRows())
}

type (
	row      = conformance.Row[Impl]
	property = conformance.Property[Impl]
	outcome  = conformance.Outcome
)

// amd64Left is a cluster that amd64 has left a short time ago.
func amd64Left(c *Cluster) {
	c.Architectures, c.Workload, c.Held = []string{"arm64"}, []string{"arm64"}, []string{"amd64", "arm64"}
}
