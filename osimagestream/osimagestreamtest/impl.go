package osimagestreamtest

import (
	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
)

// Flavor tells the two products apart.
type Flavor string

// The flavors.
const (
	OCP Flavor = "OCP"
	OKD Flavor = "OKD"
)

// Role is the part that an image plays in a stream.
type Role string

// The roles.
const (
	NoRole     Role = ""
	OS         Role = "OS"
	Extensions Role = "Extensions"
)

// A Pair is an OS image with its extensions image, both by pull spec.
type Pair struct{ OSImage, OSExtensionsImage string }

// Sources are where streams are looked for.
type Sources struct {
	CLI       *Pair                // given on the command line
	ConfigMap *corev1.ConfigMap    // machine-config-osimageurl
	Payload   *imagev1.ImageStream // nil if it could not be read
	// Labels are those of each image that was inspected, by pull spec. An image
	// whose inspection failed has no entry. Nil: nobody inspects images.
	Labels map[string]map[string]string
	// AssumeStream names the only stream, for who inspects no images.
	AssumeStream string
}

// An Offer is what the default stream is decided from.
type Offer struct {
	Flavor Flavor
	// Streams are those of the release.
	Streams []mcfgv1.OSImageStreamSet
	// Partial says that not all of the release could be seen.
	Partial        bool
	Stored         *mcfgv1.OSImageStream // nil if there is none
	InstallVersion string
}

// A Cluster is what a reconcile step works on.
type Cluster struct {
	Flavor         Flavor
	InstallVersion string
	// Version and Image are those of the release, with which the OSImageStream is
	// annotated: machineconfiguration.openshift.io/release-image-version and
	// release-payload-image.
	Version, Image string
	// Payload reads image-references. There is no other source of streams.
	Payload func() (*imagev1.ImageStream, error)
	// Inspect returns the labels of an image.
	Inspect func(pullSpec string) (map[string]string, error)
	// Server holds the OSImageStream.
	Server *Server
}

// PoolFacts are what the images of a pool are decided from.
type PoolFacts struct {
	Pool    *mcfgv1.MachineConfigPool // nil asks for the default
	Worker  *mcfgv1.MachineConfigPool // nil if there is none
	Stored  *mcfgv1.OSImageStream     // nil if there is none
	Configs []*mcfgv1.MachineConfig   // all of the cluster
	// Version is that of the operator that asks. Empty accepts the streams of any.
	Version string
}

// PoolImages is what a pool is to run. Empty images say that it keeps what it runs.
type PoolImages struct {
	OSImage, OSExtensionsImage string
	// StatusStream is what the pool's status.osImageStream is to name.
	StatusStream string
}

// Platform are the facts that decide whether the OSImageStream is kept.
type Platform struct {
	Flavor         Flavor
	FeatureGate    *configv1.FeatureGate // nil if there is none yet
	Version        string                // the release version of the operator
	Infrastructure *configv1.Infrastructure
	MicroShift     bool
}

// Impl is an implementation of the decisions, or of some of them. A function that is
// nil is not implemented. None may change its arguments. Where an error is returned,
// rules look at whether there is one, and at no text; it may stand beside a result.
type Impl struct {
	// ReadPayload reads release-manifests/image-references of a release image. Tags
	// that are no candidates may be there or not.
	ReadPayload func(data []byte) (*imagev1.ImageStream, error)
	// Candidate reports whether a tag of the payload may be an OS image or an
	// extensions image, so that it is inspected. What it points to is by digest.
	Candidate func(tag imagev1.TagReference) bool
	// Images returns the pull specs that are to be inspected, in any order.
	Images func(Sources) []string
	// Role returns the role that its labels give an image.
	Role func(labels map[string]string) Role
	// Discover returns the streams, in any order. Complete says that all was seen.
	Discover func(Sources) (streams []mcfgv1.OSImageStreamSet, complete bool, err error)

	// Single returns the one stream that OKD offers; zero if there is none.
	Single func(Offer) (mcfgv1.OSImageStreamSet, error)
	// Default returns the default stream, empty if there is none.
	Default func(Offer) (string, error)
	// BuiltInDefault returns the default of a cluster that was installed with that
	// version, empty if that does not tell.
	BuiltInDefault func(f Flavor, installVersion string) string
	// InstallVersion returns the version that a cluster was installed with, empty if
	// it is not known.
	InstallVersion func(*configv1.ClusterVersion) string

	// Reconcile is one run of the reconcile step of the OSImageStream. Rows call it
	// again until it writes nothing more. An error says that it is to be run again.
	Reconcile func(Cluster) error
	// Restart has the operator of Reconcile forget what it keeps in memory. It is
	// called before each row and history, and whenever the operator starts. Nil is
	// for an operator that keeps nothing.
	Restart func()

	// PoolImages returns what a pool is to run. An error degrades the pool.
	PoolImages func(PoolFacts) (PoolImages, error)
	// ValidatePool refuses a write to a pool with an error. Old is nil at create.
	ValidatePool func(pool, old *mcfgv1.MachineConfigPool, stored *mcfgv1.OSImageStream) error

	// Keep reports whether the OSImageStream is to be kept. "Not yet" is no.
	Keep func(Platform) bool
}

// started returns the implementation with an operator that has just started.
func (i Impl) started() Impl {
	if i.Restart != nil {
		i.Restart()
	}
	return i
}
