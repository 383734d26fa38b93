package importmodetest

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
)

// refused returns the types and fields of problems.
func refused(problems field.ErrorList) (all []string) {
	for _, p := range problems {
		all = append(all, string(p.Type)+" "+p.Field)
	}
	return all
}

// A ValidateCase is a row of the validation of a stream.
type ValidateCase struct {
	Rule, Name      string
	Request, Stored *imagev1.ImageStream
	// Want are the names of the tags that are refused.
	Want []string
}

// ValidateCases returns the rows of the validation of a stream.
func ValidateCases() []ValidateCase {
	const bad, kept = "unknown-given-refused", "unknown-stored-valid"
	return []ValidateCase{
		{bad, "the three valid values", StreamOf(Tag("a", legacy), Tag("b", preserve), Tag("c", "")), nil, nil},
		{bad, "every bad value, in order", StreamOf(Tag("a", "Whole"), Tag("b", legacy), Tag("c", "legacy"), Tag("d", " ")), nil, []string{"a", "c", "d"}},
		{bad, "in place of another bad value", StreamOf(Tag("a", "Whole")), StreamOf(Tag("a", "All")), []string{"a"}},
		{bad, "in place of a mode", StreamOf(Tag("a", "Whole")), StreamOf(Tag("a", legacy)), []string{"a"}},
		{bad, "stored on another tag", StreamOf(Tag("b", "Whole")), StreamOf(Tag("a", "Whole")), []string{"b"}},
		{kept, "put back", StreamOf(Tag("b", legacy), Tag("a", "Whole")), StreamOf(Tag("a", "Whole")), nil},
	}
}

func paths(names []string) (all []string) {
	for _, n := range names {
		all = append(all, "FieldValueNotSupported spec.tags["+n+"].importPolicy.importMode")
	}
	return all
}

func validateRows() (rows []row) {
	for _, c := range ValidateCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasValidStream, Call: func(i Impl) outcome {
			return outcome{Input: managedInput{c.Request, c.Stored}, Want: paths(c.Want), Got: refused(i.ValidateStream(c.Request, c.Stored))}
		}})
	}
	istag := func(mode imagev1.ImportModeType) *imagev1.ImageStreamTag {
		spec := Tag("v1", mode)
		return &imagev1.ImageStreamTag{Tag: &spec}
	}
	atTag := []string{"FieldValueNotSupported tag.importPolicy.importMode"}
	for _, c := range []struct {
		rule, name      string
		request, stored *imagev1.ImageStreamTag
		want            []string
	}{
		{"unknown-given-refused", "image stream tag", istag("Whole"), nil, atTag},
		{"unknown-given-refused", "image stream tag without a spec tag", &imagev1.ImageStreamTag{}, nil, nil},
		{"unknown-given-refused", "image stream tag, over another bad value", istag("Whole"), istag("All"), atTag},
		{"unknown-given-refused", "image stream tag, over a mode", istag("Whole"), istag(legacy), atTag},
		{"unknown-given-refused", "image stream tag, mended", istag(legacy), istag("Whole"), nil},
		{"unknown-given-refused", "image stream tag that had no spec tag", istag("Whole"), &imagev1.ImageStreamTag{}, atTag},
		{"unknown-stored-valid", "image stream tag, read and put back", istag("Whole"), istag("Whole"), nil},
	} {
		rows = append(rows, row{Rule: c.rule, Name: c.name, Implemented: hasValidTag, Call: func(i Impl) outcome {
			in := struct{ Request, Stored *imagev1.ImageStreamTag }{c.request, c.stored}
			return outcome{Input: in, Want: c.want, Got: refused(i.ValidateTag(c.request, c.stored))}
		}})
	}
	return append(rows, row{Rule: "unknown-given-refused", Name: "import: repository and images", Implemented: hasValidImport, Call: func(i Impl) outcome {
		in := repositoryOf("Whole")
		in.Spec.Images = []imagev1.ImageImportSpec{Image("h/x/y", "a", "All"), Image("h/x/y", "b", ""), Image("h/x/y", "c", "None")}
		var want []string
		for _, at := range []string{"spec.repository", "spec.images[0]", "spec.images[2]"} {
			want = append(want, "FieldValueNotSupported "+at+".importPolicy.importMode")
		}
		return outcome{Input: in, Want: want, Got: refused(i.ValidateImport(in))}
	}})
}

// longestText is that of 128 characters of a value, and the words around them.
const longestText = 1000

// textRows hold that a value of half a megabyte is not repeated in a text.
func textRows() (rows []row) {
	huge := strings.Repeat("x", 500_000)
	add := func(name string, implemented func(Impl) bool, text func(Impl) string) {
		rows = append(rows, row{Rule: "texts-cut", Name: name, Implemented: implemented, Call: func(i Impl) outcome {
			return outcome{Input: "a value of 500,000 characters", Want: true, Got: len(text(i)) <= longestText}
		}})
	}
	textOf := func(err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	add("the spec", hasDecide, func(i Impl) string {
		_, err := i.Decide(configv1.ImportModeType(huge), "", PayloadMulti)
		return textOf(err)
	})
	add("the condition", hasCondition, func(i Impl) (text string) {
		for _, c := range i.Condition(nil, configv1.ImportModeType(huge), conditionNow) {
			text += c.Message
		}
		return text
	})
	add("the observed status", hasObserve, func(i Impl) string {
		_, _, err := i.Observe(imageConfig(configv1.ImportModeType(huge)), nil, nil)
		return textOf(err)
	})
	add("the configuration", hasConfigure, func(i Impl) string {
		_, err := i.Configure(openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: openshiftcontrolplanev1.ImportModeType(huge)})
		return textOf(err)
	})
	add("a text", hasConvert, func(i Impl) string {
		_, err := i.Convert(huge)
		return textOf(err)
	})
	add("a mode in a request", hasValidStream, func(i Impl) string {
		return textOf(i.ValidateStream(StreamOf(Tag("v1", imagev1.ImportModeType(huge))), nil).ToAggregate())
	})
	return rows
}
