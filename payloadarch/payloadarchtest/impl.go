package payloadarchtest

import (
	configv1 "github.com/openshift/api/config/v1"
)

// Kind is what is known of a release payload. The empty Kind counts as KindUnknown.
type Kind string

const (
	// KindUnknown: nothing has told yet. Whoever acts on it keeps what it has.
	KindUnknown Kind = "Unknown"
	// KindSingle: the payload is for one architecture.
	KindSingle Kind = "Single"
	// KindInstalling: the payload looks single while the cluster is being installed,
	// and may be multi after all.
	KindInstalling Kind = "Installing"
	// KindMulti: the payload is for several architectures.
	KindMulti Kind = "Multi"
)

// Change is what becomes of the kind of a payload. The empty Change counts as
// NoChange.
type Change string

const (
	// NoChange: it stays, or one of the two kinds is not known.
	NoChange Change = "NoChange"
	// SingleToMulti is a migration to the multi payload.
	SingleToMulti Change = "SingleToMulti"
	// MultiToSingle is the way back.
	MultiToSingle Change = "MultiToSingle"
)

// A Platform is the platform of one entry of an image index, as far as it matters.
type Platform struct {
	OS, Architecture string
}

// Impl is an implementation of the decisions, or of some of them. A function that is
// nil is not implemented. None may change its arguments.
//
// An error stands beside KindUnknown and says that a value is there that is not legal
// there; its text is what an administrator is shown.
type Impl struct {
	// ClusterVersion returns the kind of the payload that a cluster has or is being
	// updated to. Either object is nil if it is not there (yet).
	ClusterVersion func(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) (Kind, error)
	// ClusterVersionWithoutGates is ClusterVersion where the FeatureGate cannot be
	// read at all.
	ClusterVersionWithoutGates func(cv *configv1.ClusterVersion) (Kind, error)

	// ReleaseArchitecture takes the value of release.openshift.io/architecture, as
	// encoding/json decodes it, and whether the metadata has the key.
	ReleaseArchitecture func(value any, present bool) (Kind, error)
	// ReleaseMetadata takes the bytes of release-manifests/release-metadata.
	ReleaseMetadata func(data []byte) (Kind, error)

	// HostedCluster takes status.payloadArch of a HostedCluster.
	HostedCluster func(payloadArch string) (Kind, error)
	// Hosted takes that and the objects of the hosted cluster.
	Hosted func(payloadArch string, cv *configv1.ClusterVersion, gates *configv1.FeatureGate) (Kind, error)
	// HostedWithoutGates is Hosted where the FeatureGate of the hosted cluster
	// cannot be read at all.
	HostedWithoutGates func(payloadArch string, cv *configv1.ClusterVersion) (Kind, error)
	// HostedConflict reports whether somebody is told that the two sources
	// contradict each other.
	HostedConflict func(payloadArch string, cv *configv1.ClusterVersion, gates *configv1.FeatureGate) bool
	// HostedOwnReport reports whether somebody is told that the answer rests on an
	// object that the administrator of the hosted cluster can write.
	HostedOwnReport func(payloadArch string, cv *configv1.ClusterVersion, gates *configv1.FeatureGate) bool

	// Index takes the platforms of the entries of the release image's index. One is
	// nil where the entry names no platform.
	Index func(entries []*Platform) Kind

	// Reported returns what goes to status.desired.architecture.
	Reported func(Kind) configv1.ClusterVersionArchitecture
	// Transition compares the kind that was stored with the present one. History is
	// that of the ClusterVersion, newest first.
	Transition func(previous, current Kind, history []configv1.UpdateHistory) (c Change, inProgress bool)
	// StoreKind reports whether the present kind is to be stored.
	StoreKind func(previous, current Kind, history []configv1.UpdateHistory) bool
	// AlreadyMulti reports whether somebody is told that an edit of
	// spec.desiredUpdate asks for a migration that has been made. Stored is what the
	// edit replaces; either is nil where there is none.
	AlreadyMulti func(stored, proposed *configv1.Update, current Kind) bool

	// FormatSet returns the text form of a set of architectures.
	FormatSet func(names []string) string
	// ParseSet returns the names in a text form, in ascending order.
	ParseSet func(text string) []string
}

// An Answer is a kind, and whether an error stands beside it.
type Answer struct {
	Kind    Kind
	Problem bool
}

func answer(k Kind, err error) Answer { return Answer{orUnknown(k), err != nil} }

func orUnknown(k Kind) Kind {
	if k == "" {
		return KindUnknown
	}
	return k
}

func orNoChange(c Change) Change {
	if c == "" {
		return NoChange
	}
	return c
}
