package embedding_test

// The types below stand for the internal types of openshift-apiserver, package
// pkg/apis/image. They have no JSON, and tags are a map: nothing of image/v1 fits.

// ImportModeType is the internal type of a mode.
type ImportModeType string

// TagImportPolicy is the internal type of an import policy.
type TagImportPolicy struct {
	Insecure   bool
	Scheduled  bool
	ImportMode ImportModeType
}

// TagReference is the internal type of a spec tag.
type TagReference struct {
	Name         string
	From         *ObjectReference
	Generation   *int64
	ImportPolicy TagImportPolicy
}

// ObjectReference is the part of core.ObjectReference that is needed.
type ObjectReference struct{ Kind, Name string }

// ImageStream is the internal type of an image stream.
type ImageStream struct {
	Generation int64
	Spec       struct {
		Tags map[string]TagReference
	}
}
