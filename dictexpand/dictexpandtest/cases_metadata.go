package dictexpandtest

import "strings"

// A MetadataCase is what somebody writes into the metadata of a template.
type MetadataCase struct {
	Name string
	Edit func(*Template)
	// Refused is the field below metadata for which the API server refuses the cron, ""
	// if it takes it.
	Refused string
}

// MetadataCases are namespaces, labels and annotations.
func MetadataCases() []MetadataCase {
	return []MetadataCase{
		{"a namespace that is none", func(x *Template) { x.Namespace = "a.b" }, "namespace"},
		{"a namespace of 64", func(x *Template) { x.Namespace = strings.Repeat("a", 64) }, "namespace"},
		{"a label without a key", func(x *Template) { x.Labels = map[string]string{"": "v"} }, "labels"},
		{"a label with two prefixes", func(x *Template) { x.Labels = map[string]string{"a/b/c": "v"} }, "labels"},
		{"a label with a bad prefix", func(x *Template) { x.Labels = map[string]string{"a_b/c": "v"} }, "labels"},
		{"a label with a prefix and nothing else", func(x *Template) { x.Labels = map[string]string{"a.b/": "v"} }, "labels"},
		{"keys of all kinds", func(x *Template) {
			x.Labels = map[string]string{"a.b-c/D_e.f": "v", "G": "v", "a": "", strings.Repeat("a.", 100) + "b/c": "v"}
			x.Annotations = map[string]string{"A.B/C": strings.Repeat("v", 1000), "lower.case/d": ""}
		}, ""},
		{"an annotation with a bad key", func(x *Template) { x.Annotations = map[string]string{"a b": "v"} }, "annotations"},
		{"annotations of more than 256 KiB", func(x *Template) {
			x.Annotations = map[string]string{"a": strings.Repeat("v", 256<<10)}
		}, "annotations"},
	}
}

func metadataRows() []row {
	var all []row
	for _, c := range MetadataCases() {
		all = append(all, acceptanceRow("metadata-is-valid", c.Name, c.Refused == "", c.Edit))
	}
	return all
}
