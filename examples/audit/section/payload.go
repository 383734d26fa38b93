package section

import (
	"fmt"
	"strings"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/payloadarch"
)

const clusterVersionObject = "clusterversions[version]"

var _ = report.Register(
	report.Code{Code: "payload.Unrecognized", Level: report.Broken,
		Impact: "Nobody can tell a multi payload from a single one: the import mode stays as it is.",
		Remedy: "Find out who wrote the value; only the cluster version operator writes this field."},
	report.Code{Code: "payload.NotSettled", Level: report.Note,
		Impact: "Operators keep the mode that they have until the kind of the payload is known.",
		Remedy: "Wait for the update to complete, or enable the feature gate; the reason says which."},
	report.Code{Code: "payload.AlreadyMulti", Level: report.Note,
		Impact: "The cluster asks for a migration that has been made.",
		Remedy: "Nothing has to be done."},
	report.Code{Code: "payload.UpdatesNotRetrieved", Level: report.Risk,
		Impact: "The cluster version operator finds a multi payload, and any other update, in what it retrieves from the update service.",
		Remedy: "Mend what the condition names: the channel, the upstream, or the way to it. Without an update service, update by --to-image."},
	report.Code{Code: "payload.MigrationRefused", Level: report.Note,
		Impact: "oc adm upgrade --to-multi-arch refuses while this is so.",
		Remedy: "Wait for it to pass, or mend what the condition names."},
)

// Payload tells the kind of the payload, and what stands in the way of another one.
func (f *Facts) PayloadSection() report.Section {
	s := f.begin("payload", "Payload", source.ClusterVersions, source.FeatureGates)
	objects := []string{clusterVersionObject, "featuregates[cluster]"}
	s.Decisions = append(s.Decisions, report.Decision{
		Name: "kind", Answer: f.Payload.Kind.String(), Reason: string(f.Payload.Reason), Field: f.Payload.Field, Objects: objects,
	})
	for _, p := range f.Payload.Problems {
		s.Entries = append(s.Entries, report.New("payload.Unrecognized", clusterVersionObject, p.Field, p.ErrorBody()))
	}
	cv := f.ClusterVersion
	if cv == nil {
		return s
	}
	if f.Payload.Kind == payloadarch.Unknown && len(f.Payload.Problems) == 0 {
		s.Entries = append(s.Entries, report.New("payload.NotSettled", clusterVersionObject, f.Payload.Field, "the reason is "+string(f.Payload.Reason)))
	}
	s.Tables = append(s.Tables, history(cv))

	// What oc adm upgrade --to-multi-arch asks for: openshift/oc at 0328dfa,
	// pkg/cli/admin/upgrade/upgrade.go, Options.Run.
	migrate := &configv1.Update{Architecture: configv1.ClusterVersionArchitectureMulti, Version: cv.Status.Desired.Version}
	edit := payloadarch.CheckDesiredUpdate(cv.Spec.DesiredUpdate, migrate, f.Payload.Kind)
	s.Decisions = append(s.Decisions, report.Decision{
		Name: "oc adm upgrade --to-multi-arch", Answer: string(edit.Reason), Field: edit.Field, Objects: objects[:1],
	})
	s.Entries = append(s.Entries, inTheWay(cv, edit.Reason)...)
	return s
}

// inTheWay repeats the conditions for which oc or the cluster version operator does not
// migrate: Failing, Progressing and Invalid are those of checkForUpgrade in the same file.
func inTheWay(cv *configv1.ClusterVersion, reason payloadarch.DesiredUpdateReason) (entries []report.Entry) {
	for _, c := range cv.Status.Conditions {
		field := fmt.Sprintf("status.conditions[%s]", c.Type)
		detail := strings.TrimSpace(fmt.Sprintf("%s is %s: %s %s", c.Type, c.Status, c.Reason, c.Message))
		switch {
		case c.Type == configv1.RetrievedUpdates && c.Status == configv1.ConditionFalse:
			entries = append(entries, report.New("payload.UpdatesNotRetrieved", clusterVersionObject, field, detail))
		case reason != payloadarch.ReasonMigration || c.Status != configv1.ConditionTrue:
		case c.Type == "Failing" || c.Type == "Invalid" || c.Type == configv1.OperatorProgressing:
			entries = append(entries, report.New("payload.MigrationRefused", clusterVersionObject, field, detail))
		}
	}
	return entries
}

// maxHistory is how many entries of the history are shown.
const maxHistory = 10

func history(cv *configv1.ClusterVersion) report.Table {
	t := report.Table{Name: "history", Title: "updates, newest first", Columns: []string{"state", "version", "image", "completed"}}
	for i, h := range cv.Status.History {
		if i == maxHistory {
			t.Omitted = len(cv.Status.History) - i
			break
		}
		completed := ""
		if h.CompletionTime != nil {
			completed = h.CompletionTime.UTC().Format("2006-01-02T15:04:05Z")
		}
		t.Rows = append(t.Rows, []string{string(h.State), h.Version, h.Image, completed})
	}
	return t
}
