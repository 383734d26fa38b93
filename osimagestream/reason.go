package osimagestream

// Reason says which rule chose a stream, as the default or as OKD's only one.
type Reason string

const (
	// ReasonSpec: spec.defaultStream names it.
	ReasonSpec Reason = "Spec"
	// ReasonStatus: spec names none, status.defaultStream does.
	ReasonStatus Reason = "Status"
	// ReasonSole: nothing names one, and it is the only stream.
	ReasonSole Reason = "SoleStream"
	// ReasonBuiltIn: nothing names one, and it is the flavor's own default.
	ReasonBuiltIn Reason = "BuiltIn"
	// ReasonHighest: no other rule for OKD matches, and its version is the highest.
	ReasonHighest Reason = "HighestVersion"
	// ReasonAdvanced: on OKD, the stream that is named has left the payload.
	ReasonAdvanced Reason = "Advanced"
	// ReasonNotOffered: none is chosen, because the one that is named or built in
	// is not offered. A problem names the choices.
	ReasonNotOffered Reason = "NotOffered"
	// ReasonIncomplete: none is chosen, because not all was seen. There may be
	// more streams than were discovered.
	ReasonIncomplete Reason = "Incomplete"
	// ReasonNoStreams: none is chosen, because there is none.
	ReasonNoStreams Reason = "NoStreams"
	// ReasonInstallVersion: none is chosen, because the built-in default depends
	// on the install version, which is not known.
	ReasonInstallVersion Reason = "InstallVersionUnknown"
)

// StepReason says why a step is needed.
type StepReason string

const (
	// ReasonCreate: there is no object.
	ReasonCreate StepReason = "Create"
	// ReasonFillSpec: spec is empty, which the CRD no longer takes.
	ReasonFillSpec StepReason = "FillSpec"
	// ReasonPublish: status differs from what the release offers.
	ReasonPublish StepReason = "Publish"
	// ReasonFollow: spec or the annotations differ from what status says.
	ReasonFollow StepReason = "Follow"
)

// PoolReason says where a pool's stream comes from.
type PoolReason string

const (
	// ReasonOwn: the pool names it.
	ReasonOwn PoolReason = "Own"
	// ReasonWorker: a custom pool names none, the worker pool does.
	ReasonWorker PoolReason = "Worker"
	// ReasonDefault: it is status.defaultStream.
	ReasonDefault PoolReason = "Default"
	// ReasonUnresolved: the pool takes the default, and there is none yet.
	ReasonUnresolved PoolReason = "Unresolved"
)

// DegradedReason says why a pool is degraded. The zero value says that it is not.
type DegradedReason string

const (
	// ReasonStreamNotOffered: the OSImageStream does not offer the pool's stream.
	ReasonStreamNotOffered DegradedReason = "StreamNotOffered"
	// ReasonSelectorInvalid: the pool's machineConfigSelector cannot be read.
	ReasonSelectorInvalid DegradedReason = "MachineConfigSelectorInvalid"
	// ReasonURLConflict: the pool names a stream, and a machine config of a user
	// sets an OS image.
	ReasonURLConflict DegradedReason = "OSImageURLConflict"
)

// ManageReason says why the OSImageStream is kept or not.
type ManageReason string

const (
	// ReasonGateEnabled: the gate is enabled for the running version.
	ReasonGateEnabled ManageReason = "GateEnabled"
	// ReasonGateDisabled: the running version has an entry, which does not enable
	// the gate.
	ReasonGateDisabled ManageReason = "GateDisabled"
	// ReasonGateUnknown: the running version has no entry yet.
	ReasonGateUnknown ManageReason = "GateUnknown"
	// ReasonTopologyUnknown: there is no Infrastructure object yet.
	ReasonTopologyUnknown ManageReason = "TopologyUnknown"
	// ReasonHyperShift: the control plane is hosted, and there are no pools.
	ReasonHyperShift ManageReason = "HyperShift"
	// ReasonMicroShift: MicroShift has no pools.
	ReasonMicroShift ManageReason = "MicroShift"
)
