package dictexpand

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// Verb is what a Step asks for.
type Verb string

const (
	// VerbCreate asks to create the object of the step.
	VerbCreate Verb = "Create"
	// VerbRelabel asks to update a cron whose labels or annotations differ. The
	// spec is the one it has.
	VerbRelabel Verb = "Relabel"
	// VerbUpdate asks to update a DataSource. No step asks that of a cron: CDI
	// admits no change of its spec.
	VerbUpdate Verb = "Update"
	// VerbDelete asks to delete the object that has the UID of the step.
	VerbDelete Verb = "Delete"

	// VerbDryRun asks to try whether the cron of the step could be created, with
	// metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}. Nothing is written.
	// The cron that exists under its name should get this spec, and CDI admits no
	// change of one, so it has to make room; Plan deletes it only once the API
	// server has accepted the new one. The caller adds DryRunOf(step, err) to
	// Existing.DryRuns and plans again.
	VerbDryRun Verb = "DryRun"

	// VerbKeep asks for nothing: the object is as it should be.
	VerbKeep Verb = "Keep"
	// VerbWait asks for nothing now: something must be gone first that is being
	// deleted, or must be there first. When it is, that is an event that calls for
	// another plan.
	VerbWait Verb = "Wait"
	// VerbLeaveAlone asks for nothing: the object is not as it should be, or should
	// not exist, but it must not be touched.
	VerbLeaveAlone Verb = "LeaveAlone"
)

// The kinds of object that a plan is about.
const (
	KindDataImportCron = "DataImportCron"
	KindDataSource     = "DataSource"
)

// ImportedData is what becomes of the images that a cron imported when it is
// deleted.
type ImportedData string

const (
	// DataKept: CDI keeps them, and the DataSource that leads to the latest.
	// Nothing updates or collects them any more.
	DataKept ImportedData = "Kept"
	// DataDeleted: CDI deletes them together with the cron, because its
	// retentionPolicy is None, or was None when they were imported.
	DataDeleted ImportedData = "Deleted"
)

// A Step is the decision about one object, or one half of it: a cron whose spec
// should change has a step that deletes it and a step that creates it.
type Step struct {
	Verb      Verb
	Kind      string
	Namespace string
	Name      string
	Reason    StepReason
	// Detail is for people. It is empty where the reason says all.
	Detail string
	// Cron is the object to write if a cron is to be created or relabeled, and the
	// object to try in a dry run.
	Cron *cdiv1beta1.DataImportCron
	// DataSource is the object to write if one is to be created or updated.
	DataSource *cdiv1beta1.DataSource
	// UID and ResourceVersion are those of the object that exists; rule 113.
	UID             types.UID
	ResourceVersion string
	// Data is what the deletion of a cron does to the images that it imported.
	Data ImportedData
}

// Writes reports whether the step asks for a write. A dry run is none.
func (s Step) Writes() bool {
	switch s.Verb {
	case VerbCreate, VerbRelabel, VerbUpdate, VerbDelete:
		return true
	}
	return false
}

// phase is the first part of the order of steps; rules 107 to 111.
func (s Step) phase() int {
	switch {
	case s.Verb == VerbDryRun:
		return 0
	case !s.Writes():
		return 4
	case s.Kind == KindDataSource:
		return 1
	case s.Verb == VerbDelete:
		return 2
	}
	return 3
}

func sortSteps(steps []Step) {
	slices.SortFunc(steps, func(a, b Step) int {
		return cmp.Or(
			cmp.Compare(a.phase(), b.phase()), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}
