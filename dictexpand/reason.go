package dictexpand

// OutcomeReason is why a template came to what it came to: the reason of an
// Outcome, and of the Crons of a template that is not blocked.
type OutcomeReason string

const (
	// ReasonMultiArchOff: multiple architectures are switched off, so there is
	// one cron as written.
	ReasonMultiArchOff OutcomeReason = "MultiArchOff"
	// ReasonNoAnnotation: the template lists no architectures, so there is one
	// cron as written.
	ReasonNoAnnotation OutcomeReason = "NoAnnotation"
	// ReasonDefaultArchitecture: the template lists no architectures, but the
	// caller makes its DataSource per architecture, so there is one cron for the
	// default one.
	ReasonDefaultArchitecture OutcomeReason = "DefaultArchitecture"
	// ReasonPerArchitecture: there is one cron for each compatible architecture
	// that the template lists.
	ReasonPerArchitecture OutcomeReason = "PerArchitecture"
	// ReasonAutoUpdateOff: every DataSource that a cron of the template would
	// manage points to a user's own image, so there is no cron.
	ReasonAutoUpdateOff OutcomeReason = "AutoUpdateOff"

	// ReasonInvalid: the template has a problem of its own and is blocked.
	ReasonInvalid OutcomeReason = "Invalid"
	// ReasonConflict: the template needs a name that another one needs too, and
	// both are blocked.
	ReasonConflict OutcomeReason = "Conflict"
	// ReasonNoCompatibleArchitecture: no architecture is listed, supported and in
	// the cluster, so the template is blocked.
	ReasonNoCompatibleArchitecture OutcomeReason = "NoCompatibleArchitecture"
)

// ReferenceReason is why a Reference leads to the architecture that it leads to.
type ReferenceReason string

const (
	// ReasonFirstWithWorkload: it is the first architecture in the order of
	// preference that has an image and nodes for workload.
	ReasonFirstWithWorkload ReferenceReason = "FirstWithWorkload"
	// ReasonFirstWithImage: no architecture with an image has nodes for workload,
	// so it is the first in the order of preference that has an image.
	ReasonFirstWithImage ReferenceReason = "FirstWithImage"
)

// StepReason is why a Step asks for what it asks for.
type StepReason string

const (
	// ReasonMissing: the object should exist and does not.
	ReasonMissing StepReason = "Missing"
	// ReasonUpToDate: the object is as it should be.
	ReasonUpToDate StepReason = "UpToDate"
	// ReasonSpecChanged: the cron should have another spec. CDI admits no change
	// of a spec, so the cron is deleted and created.
	ReasonSpecChanged StepReason = "SpecChanged"
	// ReasonMetadataChanged: labels or annotations that the caller sets differ.
	ReasonMetadataChanged StepReason = "MetadataChanged"
	// ReasonTemplateRemoved: the template of the cron is gone.
	ReasonTemplateRemoved StepReason = "TemplateRemoved"
	// ReasonArchitectureRemoved: the architecture of the cron has left its
	// template or the cluster.
	ReasonArchitectureRemoved StepReason = "ArchitectureRemoved"
	// ReasonMultiArchSwitched: the template of the cron now gives one cron for
	// each architecture, or no longer does.
	ReasonMultiArchSwitched StepReason = "MultiArchSwitched"
	// ReasonOwnImage: the DataSource of the cron points to a user's own image.
	ReasonOwnImage StepReason = "OwnImage"
	// ReasonBecomesReference: the DataSource has an image, or the labels of a
	// cron, and should be a reference.
	ReasonBecomesReference StepReason = "BecomesReference"
	// ReasonRedirected: the reference should lead to another DataSource.
	ReasonRedirected StepReason = "Redirected"
	// ReasonCronLabel: the label of the DataSource does not name the cron that
	// manages it. CDI from 1.60 on updates no such DataSource.
	ReasonCronLabel StepReason = "CronLabel"
	// ReasonBackToCron: the DataSource was a reference and is to be managed by a
	// cron, which needs its label.
	ReasonBackToCron StepReason = "BackToCron"
	// ReasonUnused: nothing needs the reference any more.
	ReasonUnused StepReason = "Unused"

	// ReasonBeingDeleted: the object has a deletion timestamp.
	ReasonBeingDeleted StepReason = "BeingDeleted"
	// ReasonNotOwned: the object does not carry the marks of the caller.
	ReasonNotOwned StepReason = "NotOwned"
	// ReasonTemplateBlocked: the object may belong to a blocked template.
	ReasonTemplateBlocked StepReason = "TemplateBlocked"
	// ReasonArchitecturesIncomplete: a node whose architecture is not known yet
	// may be of the architecture that the object is for.
	ReasonArchitecturesIncomplete StepReason = "ArchitecturesIncomplete"
	// ReasonArchitectureHeld: the architecture of the object has left the cluster,
	// and the caller holds what was made for it. See Options.HeldArchitectures.
	ReasonArchitectureHeld StepReason = "ArchitectureHeld"
	// ReasonTemplateUnclear: the template does not list the architecture of the cron,
	// but may have meant to. See Outcome.Unclear.
	ReasonTemplateUnclear StepReason = "TemplateUnclear"
	// ReasonDryRunRefused: the cron should have another spec, but the API server or
	// CDI refuses it. There is a problem that says why.
	ReasonDryRunRefused StepReason = "DryRunRefused"
	// ReasonDryRunUnknown: nobody knows whether a cron that is to be replaced could
	// be created again. While that is so, nothing is deleted or redirected.
	ReasonDryRunUnknown StepReason = "DryRunUnknown"
	// ReasonReplacementAwaited: something works that the object is part of, and what
	// takes its place is not there yet, or has no image yet.
	ReasonReplacementAwaited StepReason = "ReplacementAwaited"
	// ReasonTargetMissing: nothing makes the DataSource that the reference should
	// lead to.
	ReasonTargetMissing StepReason = "TargetMissing"
	// ReasonDataSourceTaken: a cron that stays manages the DataSource of the
	// object, or the one that it leads to.
	ReasonDataSourceTaken StepReason = "DataSourceTaken"
)
