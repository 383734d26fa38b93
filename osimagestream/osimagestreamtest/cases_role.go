package osimagestreamtest

// A RoleCase is a row of Role.
type RoleCase struct {
	Rules, Name string
	Labels      map[string]string
	Want        Role
	Both        bool // package osimagestream reports that the labels claim both roles
}

// RoleCases are the rows of Role.
func RoleCases() []RoleCase {
	return []RoleCase{
		{"neither-label-is-no-role", "no labels", nil, NoRole, false},
		{"bootc-label-is-an-os-image", "bootc true", map[string]string{labelOS: "true"}, OS, false},
		{"label-values-in-any-case", "bootc TrUe", map[string]string{labelOS: "TrUe"}, OS, false},
		{"bootc-label-is-an-os-image", "bootc 1", map[string]string{labelOS: "1"}, OS, false},
		{"neither-label-is-no-role", "bootc 0", map[string]string{labelOS: "0"}, NoRole, false},
		{"neither-label-is-no-role", "bootc yes", map[string]string{labelOS: "yes"}, NoRole, false},
		{"neither-label-is-no-role", "bootc empty", map[string]string{labelOS: ""}, NoRole, false},
		{"neither-label-is-no-role", "bootc with a blank", map[string]string{labelOS: " true"}, NoRole, false},
		{"extensions-label-is-an-extensions-image", "extensions true", map[string]string{labelExtensions: "true"}, Extensions, false},
		{"label-values-in-any-case", "extensions TRUE", map[string]string{labelExtensions: "TRUE"}, Extensions, false},
		{"neither-label-is-no-role", "extensions 1 is not true", map[string]string{labelExtensions: "1"}, NoRole, false},
		{"neither-label-is-no-role", "extensions false", map[string]string{labelExtensions: "false"}, NoRole, false},
		{"both-labels-are-an-os-image", "both: the OS image wins", map[string]string{labelOS: "1", labelExtensions: "true"}, OS, true},
		{"label-values-in-any-case", "the key in another case is another key", map[string]string{"Containers.Bootc": "true"}, NoRole, false},
	}
}
