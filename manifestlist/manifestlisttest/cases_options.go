package manifestlisttest

// An IndexFieldsCase is what Update makes of the fields of the index itself.
type IndexFieldsCase struct {
	Rules   string // their IDs
	Name    string
	Options Options
	Want    Options // Annotations, ArtifactType and Subject that the index then has
}

// IndexFieldsSource is the index that the [IndexFieldsCases] update.
func IndexFieldsSource() []byte {
	one := Described("one", "nil")
	return AssembleOracle(nil, Options{Annotations: map[string]string{"a": "1"}, ArtifactType: "a/b", Subject: &one})
}

// IndexFieldsCases are what options replace and what they leave.
func IndexFieldsCases() []IndexFieldsCase {
	one, two := Described("one", "nil"), Described("two", "nil")
	had := Options{Annotations: map[string]string{"a": "1"}, ArtifactType: "a/b", Subject: &one}
	other := map[string]string{"b": "2"}
	return []IndexFieldsCase{
		{"index-stays-as-it-is", "nothing asked for", Options{}, had},
		{"index-stays-as-it-is", "everything asked for", Options{Annotations: other, ArtifactType: "c/d", Subject: &two}, Options{Annotations: other, ArtifactType: "c/d", Subject: &two}},
		{"annotations-cleared-on-demand", "empty annotations take nothing away", Options{Annotations: map[string]string{}}, had},
		{"annotations-cleared-on-demand", "cleared", Options{ClearAnnotations: true}, Options{ArtifactType: "a/b", Subject: &one}},
		{"annotations-cleared-on-demand", "cleared, then set", Options{ClearAnnotations: true, Annotations: other}, Options{Annotations: other, ArtifactType: "a/b", Subject: &one}},
	}
}
