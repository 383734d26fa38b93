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
	// Create asks to create the object of the step.
	Create Verb = "Create"
	// Relabel asks to update an object whose labels or annotations differ. The
	// spec is the one it has.
	Relabel Verb = "Relabel"
	// Update asks to update a DataSource. A cron is never updated: CDI admits no
	// change of its spec.
	Update Verb = "Update"
	// Delete asks to delete the object that has the UID of the step.
	Delete Verb = "Delete"

	// Keep asks for nothing: the object is as it should be.
	Keep Verb = "Keep"
	// Wait asks for nothing now: something is being deleted first. Its going is
	// an event that calls for another plan.
	Wait Verb = "Wait"
	// LeaveAlone asks for nothing: the object is not as it should be, or should
	// not be at all, but it must not be touched.
	LeaveAlone Verb = "LeaveAlone"
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
	Reason    Reason
	// Detail is for people, and only there where the reason does not say all.
	Detail string
	// Cron is the object to write, for Create and Relabel of a cron.
	Cron *cdiv1beta1.DataImportCron
	// DataSource is the object to write, for Create, Relabel and Update of a
	// DataSource.
	DataSource *cdiv1beta1.DataSource
	// UID and ResourceVersion are those of the object that exists. A Delete
	// should be conditional on them.
	UID             types.UID
	ResourceVersion string
	// Data is what a Delete of a cron does to the images it imported.
	Data ImportedData
}

// Writes reports whether the step asks for a write.
func (s Step) Writes() bool {
	switch s.Verb {
	case Create, Relabel, Update, Delete:
		return true
	}
	return false
}

// phase is the first part of the order of steps. A DataSource is written before
// the crons change: once it is a reference, the cron that goes cannot take it
// along, and it never leads to a DataSource that has gone. A cron that goes must
// go before another one takes its name or its DataSource.
func (s Step) phase() int {
	switch {
	case !s.Writes():
		return 3
	case s.Kind == KindDataSource:
		return 0
	case s.Verb == Delete:
		return 1
	}
	return 2
}

func sortSteps(steps []Step) {
	slices.SortFunc(steps, func(a, b Step) int {
		return cmp.Or(
			cmp.Compare(a.phase(), b.phase()), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.UID, b.UID))
	})
}
