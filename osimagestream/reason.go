package osimagestream

// Reason says which rule gave an answer.
type Reason string

// Why a stream was chosen, as default or as OKD's only one.
const (
	// ReasonSpec: spec.defaultStream names it.
	ReasonSpec Reason = "Spec"
	// ReasonStatus: spec names none, status.defaultStream does.
	ReasonStatus Reason = "Status"
	// ReasonSole: nothing names one, and there is no other.
	ReasonSole Reason = "SoleStream"
	// ReasonBuiltIn: nothing names one, and it is the flavor's own default.
	ReasonBuiltIn Reason = "BuiltIn"
	// ReasonHighest: OKD, nothing else applies, and its version is the highest.
	ReasonHighest Reason = "HighestVersion"
	// ReasonAdvanced: OKD, and the stream that was named has left the payload.
	ReasonAdvanced Reason = "Advanced"
	// ReasonNotOffered: the stream that is asked for is not there. A problem
	// names the choices.
	ReasonNotOffered Reason = "NotOffered"
	// ReasonNoStreams: there is no stream at all.
	ReasonNoStreams Reason = "NoStreams"
	// ReasonInstallVersion: the built-in default depends on the install version,
	// and that is not known.
	ReasonInstallVersion Reason = "InstallVersionUnknown"
)

// Why a step is needed.
const (
	// ReasonCreate: there is no object.
	ReasonCreate Reason = "Create"
	// ReasonFillSpec: spec is empty, which the CRD does not take any more.
	ReasonFillSpec Reason = "FillSpec"
	// ReasonPublish: status does not say what the payload offers.
	ReasonPublish Reason = "Publish"
	// ReasonFollow: spec or the annotations do not say what status says.
	ReasonFollow Reason = "Follow"
)

// Where a pool's stream comes from.
const (
	// ReasonOwn: the pool names it.
	ReasonOwn Reason = "Own"
	// ReasonWorker: a custom pool names none, the worker pool does.
	ReasonWorker Reason = "Worker"
	// ReasonDefault: it is status.defaultStream.
	ReasonDefault Reason = "Default"
	// ReasonUnresolved: the pool asks for the default, and there is none yet.
	ReasonUnresolved Reason = "Unresolved"
)

// Whether to manage the object.
const (
	// ReasonGateEnabled: the gate is enabled for the running version.
	ReasonGateEnabled Reason = "GateEnabled"
	// ReasonGateDisabled: the running version has an entry without the gate.
	ReasonGateDisabled Reason = "GateDisabled"
	// ReasonGateUnknown: the running version has no entry yet.
	ReasonGateUnknown Reason = "GateUnknown"
	// ReasonTopologyUnknown: there is no Infrastructure object yet.
	ReasonTopologyUnknown Reason = "TopologyUnknown"
	// ReasonHyperShift: the control plane is hosted, and pools do not exist.
	ReasonHyperShift Reason = "HyperShift"
	// ReasonMicroShift: MicroShift has no pools.
	ReasonMicroShift Reason = "MicroShift"
)

// Why image-references cannot be read.
const (
	// ReasonTooLarge: over MaxImageReferences bytes.
	ReasonTooLarge Reason = "TooLarge"
	// ReasonMalformed: no JSON object, or data after it.
	ReasonMalformed Reason = "Malformed"
	// ReasonWrongKind: an object of another kind or API version.
	ReasonWrongKind Reason = "WrongKind"
)
