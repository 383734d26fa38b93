package dictexpandtest

// An AnnotationCase is a value of ssp.kubevirt.io/dict.architectures and what it lists.
type AnnotationCase struct {
	Name, Value string
	Want        []string
}

// AnnotationCases are values as people write them.
func AnnotationCases() []AnnotationCase {
	return []AnnotationCase{
		{"one", "amd64", []string{"amd64"}},
		{"order is kept", "s390x,amd64,arm64", []string{"s390x", "amd64", "arm64"}},
		{"blanks, an empty part and a repetition", " amd64 , arm64,amd64,", []string{"amd64", "arm64"}},
		{"other white space", "\tamd64\n,\u00a0arm64", []string{"amd64", "arm64"}},
		{"no name is judged", "x86_64,AMD64,nope!", []string{"x86_64", "AMD64", "nope!"}},
		{"blanks inside a name stay", "amd 64", []string{"amd 64"}},
		{"empty", "", nil},
		{"blanks only", "  \t", nil},
		{"commas only", ",,,", nil},
		{"blanks and commas only", " , , ", nil},
	}
}

func annotationRows() []row {
	var all []row
	for _, c := range AnnotationCases() {
		all = append(all, row{Rule: "blanks-do-not-matter", Name: "read: " + c.Name, Implemented: hasArchitectures, Call: func(i Impl) outcome {
			return outcome{Input: c.Value, Want: append([]string{}, c.Want...), Got: append([]string{}, i.Architectures(c.Value)...)}
		}})
	}
	return all
}
