package osimagestream

import "testing"

func TestRoles(t *testing.T) {
	for _, tc := range []struct {
		name   string
		labels map[string]string
		want   role
		both   bool
	}{
		{"no labels", nil, noRole, false},
		{"bootc true", map[string]string{LabelOS: "true"}, osImage, false},
		{"bootc True, without case", map[string]string{LabelOS: "TrUe"}, osImage, false},
		{"bootc 1", map[string]string{LabelOS: "1"}, osImage, false},
		{"bootc 0", map[string]string{LabelOS: "0"}, noRole, false},
		{"bootc yes", map[string]string{LabelOS: "yes"}, noRole, false},
		{"bootc empty", map[string]string{LabelOS: ""}, noRole, false},
		{"bootc with a blank", map[string]string{LabelOS: " true"}, noRole, false},
		{"extensions true", map[string]string{LabelExtensions: "true"}, extensionsImage, false},
		{"extensions TRUE, without case", map[string]string{LabelExtensions: "TRUE"}, extensionsImage, false},
		{"extensions 1 is not true", map[string]string{LabelExtensions: "1"}, noRole, false},
		{"extensions false", map[string]string{LabelExtensions: "false"}, noRole, false},
		{"both: the OS image wins", map[string]string{LabelOS: "1", LabelExtensions: "true"}, osImage, true},
		{"the key in another case is another key", map[string]string{"Containers.Bootc": "true"}, noRole, false},
	} {
		if got, both := roleOf(tc.labels); got != tc.want || both != tc.both {
			t.Errorf("%s: %v, %t", tc.name, got, both)
		}
	}
}
