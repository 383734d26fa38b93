package osimagestream

import "testing"

func TestRoles(t *testing.T) {
	for _, tc := range []struct {
		name   string
		labels map[string]string
		want   Role
		both   bool
	}{
		{"12: no labels", nil, RoleNone, false},
		{"9: bootc true", map[string]string{LabelOS: "true"}, RoleOS, false},
		{"13: bootc TrUe", map[string]string{LabelOS: "TrUe"}, RoleOS, false},
		{"9: bootc 1", map[string]string{LabelOS: "1"}, RoleOS, false},
		{"12: bootc 0", map[string]string{LabelOS: "0"}, RoleNone, false},
		{"12: bootc yes", map[string]string{LabelOS: "yes"}, RoleNone, false},
		{"12: bootc empty", map[string]string{LabelOS: ""}, RoleNone, false},
		{"12: bootc with a blank", map[string]string{LabelOS: " true"}, RoleNone, false},
		{"10: extensions true", map[string]string{LabelExtensions: "true"}, RoleExtensions, false},
		{"13: extensions TRUE", map[string]string{LabelExtensions: "TRUE"}, RoleExtensions, false},
		{"12: extensions 1 is not true", map[string]string{LabelExtensions: "1"}, RoleNone, false},
		{"12: extensions false", map[string]string{LabelExtensions: "false"}, RoleNone, false},
		{"11: both: the OS image wins", map[string]string{LabelOS: "1", LabelExtensions: "true"}, RoleOS, true},
		{"13: the key in another case is another key", map[string]string{"Containers.Bootc": "true"}, RoleNone, false},
	} {
		if got, both := RoleOf(tc.labels); got != tc.want || both != tc.both {
			t.Errorf("%s: %v, %t", tc.name, got, both)
		}
	}
}
