package importmodetest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
)

// Payload is what is known of the release payload.
type Payload string

const (
	// PayloadUnknown: the cluster version operator has not reported it yet. An
	// operator that reads ClusterVersion sees an empty architecture.
	PayloadUnknown Payload = "Unknown"
	// PayloadSingle: it is reported, and of one architecture.
	PayloadSingle Payload = "Single"
	// PayloadInstalling: the cluster is being installed, and nothing says that the
	// payload is multi.
	PayloadInstalling Payload = "Installing"
	// PayloadMulti: it is reported, and of several architectures.
	PayloadMulti Payload = "Multi"
)

// Imported is what becomes of one image of an import.
type Imported struct {
	// Tag is empty for an image that goes to no tag.
	Tag string
	// Store is the mode that the tag is stored with, Import the one that the image
	// is imported by.
	Store, Import imagev1.ImportModeType
}

// Impl is an implementation of the decisions, or of some of them. A function that is
// nil is not implemented. None may change its arguments.
type Impl struct {
	// Decide returns the mode that status.imageStreamImportMode of the image config
	// ought to have, empty where nothing is to be written, and an error where the
	// spec holds no mode. The error may stand beside a mode.
	Decide func(spec, current configv1.ImportModeType, payload Payload) (configv1.ImportModeType, error)
	// Suggest reports whether an administrator is told that Legacy may suit the
	// cluster. Nodes are the architectures seen, and complete says that these are all.
	Suggest func(spec configv1.ImportModeType, payload Payload, nodes []string, complete bool) bool
	// Condition returns the conditions of a ClusterOperator with
	// EvaluationConditionsDetected joined in. The line of the message names
	// imageStreamImportMode and the value.
	Condition func(existing []configv1.ClusterOperatorStatusCondition, spec configv1.ImportModeType, now metav1.Time) []configv1.ClusterOperatorStatusCondition

	// Observe is the config observer: image and listErr are what the lister gives,
	// existing is the configuration observed before. Event says that one was sent.
	Observe func(image *configv1.Image, listErr error, existing map[string]any) (observed map[string]any, event bool, err error)

	// Configure reads the configuration file of openshift-apiserver.
	Configure func(openshiftcontrolplanev1.ImagePolicyConfig) (imagev1.ImportModeType, error)
	// Convert reads a mode out of a text.
	Convert func(text string) (imagev1.ImportModeType, error)
	// DefaultTag returns the mode to store a tag with and the mode to import it by.
	DefaultTag func(given, stored imagev1.ImportModeType, isStored bool, cluster imagev1.ImportModeType) (store, importBy imagev1.ImportModeType)
	// DefaultTagOfOldClient is DefaultTag for a client that sends Legacy unasked.
	DefaultTagOfOldClient func(given, stored imagev1.ImportModeType, isStored bool, cluster imagev1.ImportModeType) (store, importBy imagev1.ImportModeType)
	// ModeChanged reports whether a tag is to be imported again.
	ModeChanged func(stored, requested imagev1.ImportModeType) bool
	// ReadStream returns a stream as it is read out of storage.
	ReadStream func(stored *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStream
	// CreateStream returns what is stored for a stream that is created.
	CreateStream func(request *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStream
	// UpdateStream returns what is stored for an update of stored. Its arguments
	// stand in the order of PrepareForUpdate.
	UpdateStream func(request, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStream
	// PutTag returns the image stream tag as it is stored after a create or update.
	// Stored is its stream, nil if there is none.
	PutTag func(request *imagev1.ImageStreamTag, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStreamTag
	// ImportImages returns what becomes of each of spec.images, in their order.
	ImportImages func(request *imagev1.ImageStreamImport, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) []Imported
	// ImportRepository returns what becomes of each of the tags that the registry
	// listed for spec.repository, in their order.
	ImportRepository func(request *imagev1.ImageStreamImport, tags []string, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) []Imported
	// ValidateStream validates a stream. Stored is nil at create.
	ValidateStream func(request, stored *imagev1.ImageStream) field.ErrorList
	// ValidateTag validates an image stream tag. Stored is nil at create.
	ValidateTag func(request, stored *imagev1.ImageStreamTag) field.ErrorList
	// ValidateImport validates an import.
	ValidateImport func(request *imagev1.ImageStreamImport) field.ErrorList

	// Managed returns the stream that is written for a manifest of the release
	// payload. Existing is nil if it is not in the cluster.
	Managed func(manifest, existing *imagev1.ImageStream) *imagev1.ImageStream
}
