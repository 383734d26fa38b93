package importmodetest

import imagev1 "github.com/openshift/api/image/v1"

// A ManagedCase is a row of a stream of the release payload.
type ManagedCase struct {
	Rule, Name         string
	Manifest, Existing *imagev1.ImageStream
	// Want is what is written to the tags of the manifest.
	Want []TagMode
}

// ManagedCases returns the rows of a stream of the release payload.
func ManagedCases() []ManagedCase {
	one := func(mode imagev1.ImportModeType) *imagev1.ImageStream { return StreamOf(Tag("v1", mode)) }
	want := func(mode imagev1.ImportModeType) []TagMode { return []TagMode{{"v1", mode}} }
	return []ManagedCase{
		{"manifest-mode-wins", "Legacy in a new stream", one(legacy), nil, want(legacy)},
		{"manifest-mode-wins", "PreserveOriginal over Legacy", one(preserve), one(legacy), want(preserve)},
		{"manifest-mode-wins", "Legacy over PreserveOriginal", one(legacy), one(preserve), want(legacy)},
		{"manifest-mode-wins", "Legacy over Legacy", one(legacy), one(legacy), want(legacy)},
		{"managed-preserves", "new stream", one(""), nil, want(preserve)},
		{"managed-preserves", "appended tag", one(""), StreamOf(Tag("v0", legacy)), want(preserve)},
		{"managed-preserves", "existing PreserveOriginal stays", one(""), one(preserve), want(preserve)},
		{"managed-preserves", "existing Legacy goes", one(""), one(legacy), want(preserve)},
		{"managed-preserves", "existing empty mode goes", one(""), one(""), want(preserve)},
		{"managed-preserves", "existing value that is no mode goes", one(""), one("Whole"), want(preserve)},
	}
}

type managedInput struct{ Manifest, Existing *imagev1.ImageStream }

// call returns what is written for the tags of the manifest.
func (in managedInput) call(i Impl) []TagMode {
	return named(i.Managed(in.Manifest.DeepCopy(), in.Existing.DeepCopy()), in.Manifest)
}

// named returns the modes in s of the tags that are in list too.
func named(s, list *imagev1.ImageStream) (all []TagMode) {
	for _, t := range ModesOf(list) {
		all = append(all, TagMode{t.Name, modeOf(s, t.Name)})
	}
	return all
}

func managedRows() (rows []row) {
	for _, c := range ManagedCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasManaged, Call: func(i Impl) outcome {
			in := managedInput{c.Manifest, c.Existing}
			return outcome{Input: in, Want: c.Want, Got: in.call(i)}
		}})
	}
	return append(rows, row{Rule: "absent-tag-not-decided", Name: "tags of others beside a manifest", Implemented: hasManaged, Call: func(i Impl) outcome {
		in := managedInput{StreamOf(Tag("b", preserve)), StreamOf(Tag("a", legacy), Tag("b", preserve), Tag("c", ""))}
		got := i.Managed(in.Manifest.DeepCopy(), in.Existing.DeepCopy())
		// Whether the tags of others are in the result at all is of no account.
		var others []TagMode
		for _, t := range ModesOf(in.Existing) {
			if m := modeOf(got, t.Name); t.Name != "b" && m != t.Mode && m != "(no such tag)" {
				others = append(others, TagMode{t.Name, m})
			}
		}
		return outcome{Input: in, Want: []TagMode(nil), Got: others}
	}})
}
