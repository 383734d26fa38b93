package osimagestream

import "strings"

// The labels by which an image says which stream it belongs to, and as what.
const (
	LabelStream     = "io.openshift.os.streamclass"
	LabelOS         = "containers.bootc"
	LabelExtensions = "io.openshift.os.extensions"
)

// Role is the part that an image plays in a stream. The zero value is none.
type Role uint8

const (
	// RoleNone: the labels give the image no role.
	RoleNone Role = iota
	// RoleOS: the operating system that nodes run.
	RoleOS
	// RoleExtensions: the packages that can be added to it.
	RoleExtensions
)

// String returns "OS image", "extensions image" or "image without a role". An
// unknown value reads as the last one.
func (r Role) String() string {
	switch r {
	case RoleOS:
		return "OS image"
	case RoleExtensions:
		return "extensions image"
	}
	return "image without a role"
}

// RoleOf returns the role that its labels give an image, by rules 9 to 13; both
// reports whether they claim both roles. The value of LabelStream names the stream.
func RoleOf(labels map[string]string) (role Role, both bool) {
	os := strings.EqualFold(labels[LabelOS], "true") || labels[LabelOS] == "1"
	extensions := strings.EqualFold(labels[LabelExtensions], "true")
	switch {
	case os:
		return RoleOS, extensions
	case extensions:
		return RoleExtensions, false
	}
	return RoleNone, false
}
