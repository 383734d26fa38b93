package payloadarch

import (
	"fmt"

	configv1 "github.com/openshift/api/config/v1"
)

// A DesiredUpdate is what CheckDesiredUpdate says of an edit. The zero value says
// nothing.
type DesiredUpdate struct {
	Reason DesiredUpdateReason
	// Field is the path of the fact that decided, in the ClusterVersion.
	Field string
	// Findings holds the finding AlreadyMulti or nothing.
	Findings []Finding
}

// CheckDesiredUpdate looks at an edit of spec.desiredUpdate of a ClusterVersion
// before it is stored, by rules 42 to 47 of the package. Stored is what the edit
// replaces; either may be nil. An edit that asks for the multi payload on a
// cluster whose payload is Multi is no migration, and the cluster version operator
// does not refuse it: that is a finding. An edit that keeps an earlier request for
// Multi is not.
func CheckDesiredUpdate(stored, proposed *configv1.Update, current Kind) DesiredUpdate {
	const (
		multi = configv1.ClusterVersionArchitectureMulti

		path      = clusterVersionPath + "spec.desiredUpdate"
		askedPath = path + ".architecture"
	)
	switch {
	case proposed == nil:
		return DesiredUpdate{Reason: ReasonNoUpdate, Field: path}
	case proposed.Architecture != multi:
		return DesiredUpdate{Reason: ReasonMultiNotAsked, Field: askedPath}
	case stored != nil && stored.Architecture == multi:
		return DesiredUpdate{Reason: ReasonAskedBefore, Field: askedPath}
	case current == Single:
		return DesiredUpdate{Reason: ReasonMigration, Field: askedPath}
	case current != Multi:
		return DesiredUpdate{Reason: ReasonPayloadUnknown, Field: askedPath}
	}
	return DesiredUpdate{Reason: ReasonAlreadyMulti, Field: askedPath, Findings: []Finding{{FindingAlreadyMulti, askedPath,
		fmt.Sprintf("%q asks for a migration, and the payload is multi already; leave it empty to update to another version", multi)}}}
}
