package osimagestream

import "strings"

// The labels by which an image says what it is.
const (
	LabelStream     = "io.openshift.os.streamclass"
	LabelOS         = "containers.bootc"
	LabelExtensions = "io.openshift.os.extensions"
)

type role uint8

const (
	noRole role = iota
	osImage
	extensionsImage
)

func (r role) String() string {
	switch r {
	case osImage:
		return "OS image"
	case extensionsImage:
		return "extensions image"
	}
	return "image of no known role"
}

// roleOf returns what the labels make of an image; both says that they claim both
// roles, of which the OS image wins, as in MCO.
func roleOf(labels map[string]string) (r role, both bool) {
	os := strings.EqualFold(labels[LabelOS], "true") || labels[LabelOS] == "1"
	extensions := strings.EqualFold(labels[LabelExtensions], "true")
	switch {
	case os:
		return osImage, extensions
	case extensions:
		return extensionsImage, false
	}
	return noRole, false
}
