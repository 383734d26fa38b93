package osimagestream

import (
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Name is the name of the only OSImageStream that a cluster can have.
const Name = "cluster"

// MaxStreams is how many streams the CRD takes at most.
const MaxStreams = 100

// The annotations without which MCO ignores the object or writes it anew.
const (
	AnnotationReleaseVersion = "machineconfiguration.openshift.io/release-image-version"
	AnnotationReleaseImage   = "machineconfiguration.openshift.io/release-payload-image"
)

// Release is what the object is annotated with. The zero value annotates nothing.
type Release struct {
	// Version is what the operator that renders pools compares with its own
	// version: MCO uses the hash of its build, not the number of the release.
	Version string
	// Image is the pull spec of the release payload, as in ClusterVersion
	// status.desired.image.
	Image string
}

// annotations returns the annotations for what is known of the release, nil for
// nothing.
func (r Release) annotations() map[string]string {
	var a map[string]string
	set := func(key, value string) {
		if value == "" {
			return
		}
		if a == nil {
			a = make(map[string]string, 2)
		}
		a[key] = value
	}
	set(AnnotationReleaseVersion, r.Version)
	set(AnnotationReleaseImage, r.Image)
	return a
}

// New returns the OSImageStream as it is to be created. It has no status, because
// the API server drops a status that comes with a creation, and no annotations,
// because those say that the status is there.
func New(defaultStream string) *mcfgv1.OSImageStream {
	return &mcfgv1.OSImageStream{
		TypeMeta:   metav1.TypeMeta{APIVersion: mcfgv1.GroupVersion.String(), Kind: "OSImageStream"},
		ObjectMeta: metav1.ObjectMeta{Name: Name},
		Spec:       mcfgv1.OSImageStreamSpec{DefaultStream: defaultStream},
	}
}
