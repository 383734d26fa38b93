package buildplan

import (
	"strings"
	"testing"
)

// An annotation of a quarter of a megabyte is not repeated in an event.
func TestFindingsAreShort(t *testing.T) {
	t.Run("36,54: values of any length", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		long := strings.Repeat("x", 250_000)
		f.Config.Annotations = map[string]string{AnnotationAttempt: long}
		object.Annotations[AnnotationImage+"amd64"] = long
		findings := mustPlan(t, f).Findings
		if len(findings) != 2 {
			t.Errorf("%d findings, want 2", len(findings))
		}
		for _, finding := range findings {
			if n := len(finding.String()); finding.Code != FindingRecordUnreadable || n > 400 {
				t.Errorf("%s of %d characters", finding.Code, n)
			}
		}
	})
}
