package dictexpand

// Reason is the machine-readable ground of an Outcome, a Cron, a Reference or a
// Step.
type Reason string

// Why a template was expanded the way it was: the reason of Outcomes and Crons.
const (
	// ReasonMultiArchOff: multiple architectures are switched off, so there is
	// one cron as written.
	ReasonMultiArchOff Reason = "MultiArchOff"
	// ReasonNoAnnotation: the template lists no architectures, so there is one
	// cron as written.
	ReasonNoAnnotation Reason = "NoAnnotation"
	// ReasonDefaultArchitecture: the template lists no architectures, but the
	// caller makes its DataSource per architecture, so there is one cron for the
	// default one.
	ReasonDefaultArchitecture Reason = "DefaultArchitecture"
	// ReasonPerArchitecture: there is one cron for each compatible architecture
	// that the template lists.
	ReasonPerArchitecture Reason = "PerArchitecture"
)

// Why a template is blocked: the reason of Outcomes.
const (
	// ReasonInvalid: the template has a problem of its own.
	ReasonInvalid Reason = "Invalid"
	// ReasonConflict: what the template comes to collides with what another one
	// comes to.
	ReasonConflict Reason = "Conflict"
	// ReasonNoCompatibleArchitecture: no architecture is listed, supported and in
	// the cluster.
	ReasonNoCompatibleArchitecture Reason = "NoCompatibleArchitecture"
)

// Why a Reference leads where it does.
const (
	// ReasonFirstWithWorkload: the first architecture in the order of preference
	// that has an image and nodes for workload.
	ReasonFirstWithWorkload Reason = "FirstWithWorkload"
	// ReasonFirstWithImage: no architecture with an image has nodes for workload,
	// so it is the first in the order of preference that has an image.
	ReasonFirstWithImage Reason = "FirstWithImage"
)

// Why a Step is what it is.
const (
	// ReasonMissing: it should exist and does not.
	ReasonMissing Reason = "Missing"
	// ReasonUpToDate: it is as it should be.
	ReasonUpToDate Reason = "UpToDate"
	// ReasonSpecChanged: it should have another spec, and CDI admits no change of
	// one, so it is deleted and created.
	ReasonSpecChanged Reason = "SpecChanged"
	// ReasonMetadataChanged: labels or annotations that the caller sets differ.
	ReasonMetadataChanged Reason = "MetadataChanged"
	// ReasonTemplateRemoved: there is no template for it any more.
	ReasonTemplateRemoved Reason = "TemplateRemoved"
	// ReasonArchitectureRemoved: its template or the cluster no longer has its
	// architecture.
	ReasonArchitectureRemoved Reason = "ArchitectureRemoved"
	// ReasonMultiArchSwitched: its template gives a cron per architecture now, or
	// no longer does.
	ReasonMultiArchSwitched Reason = "MultiArchSwitched"
	// ReasonAutoUpdateOff: its DataSource points to an image of a user's own.
	ReasonAutoUpdateOff Reason = "AutoUpdateOff"
	// ReasonBecomesReference: the DataSource should lead to the one of an
	// architecture and has an image of its own.
	ReasonBecomesReference Reason = "BecomesReference"
	// ReasonRedirected: the DataSource should lead to another one.
	ReasonRedirected Reason = "Redirected"
	// ReasonBackToCron: the DataSource was a reference and is to be managed by a
	// cron, which needs its label.
	ReasonBackToCron Reason = "BackToCron"
	// ReasonUnused: nothing needs the reference any more.
	ReasonUnused Reason = "Unused"

	// ReasonBeingDeleted: it has a deletion timestamp.
	ReasonBeingDeleted Reason = "BeingDeleted"
	// ReasonNotOwned: it does not carry the marks of the caller.
	ReasonNotOwned Reason = "NotOwned"
	// ReasonTemplateBlocked: it may belong to a blocked template.
	ReasonTemplateBlocked Reason = "TemplateBlocked"
	// ReasonArchitecturesIncomplete: a node may yet turn out to be of the
	// architecture that it is for.
	ReasonArchitecturesIncomplete Reason = "ArchitecturesIncomplete"
	// ReasonDataSourceTaken: a cron that is not touched manages its DataSource, or
	// the one that it leads to.
	ReasonDataSourceTaken Reason = "DataSourceTaken"
)
