package manifestlisttest

import (
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/conformance"
)

type row = conformance.Row[Impl]

func hasAssemble(i Impl) bool { return i.Assemble != nil }
func hasDescribe(i Impl) bool { return i.Describe != nil }
func hasUpdate(i Impl) bool   { return i.Update != nil }
func hasEdit(i Impl) bool     { return i.Edit != nil }
func hasParse(i Impl) bool    { return i.Parse != nil }

// each makes a row for every rule of a case.
func each(rules, name string, has func(Impl) bool, call func(i Impl, rule string) conformance.Outcome) (all []row) {
	for rule := range strings.FieldsSeq(rules) {
		all = append(all, row{Rule: rule, Name: name, Implemented: has, Call: func(i Impl) conformance.Outcome { return call(i, rule) }})
	}
	return all
}

// What the functions of an Impl are called with.
type (
	assembleInput struct {
		Children []Child
		Options  Options
	}
	updateInput struct {
		Index    string
		Children []Child
		Options  Options
	}
	selectInput struct {
		Policy string
		Index  ocispec.Index
		Wanted ocispec.Platform
		Host   ocispec.Platform
	}
)

func rows() []row {
	var all []row
	for _, f := range []func() []row{assembleRows, byteRows, documentRows, describeRows, updateRows, fieldRows, editRows, parseRows, selectRows} {
		all = append(all, f()...)
	}
	return all
}

func assemble(i Impl, in assembleInput, want outcome, ordered bool) conformance.Outcome {
	if !ordered {
		want.Entries = inAnyOrder(want.Entries)
	}
	b, _, err := i.Assemble(in.Children, in.Options)
	return conformance.Outcome{Input: in, Want: want, Got: became(b, err, want, ordered)}
}

func assembleRows() (all []row) {
	for _, c := range AssembleCases() {
		want := outcome{MediaType: ocispec.MediaTypeImageIndex, Entries: c.Layout}
		if c.Docker {
			want.MediaType = DockerList
		}
		all = append(all, each(c.Rules, c.Name, hasAssemble, func(i Impl, rule string) conformance.Outcome {
			return assemble(i, assembleInput{c.Children, c.Options}, want, rule == "canonical-order")
		})...)
	}
	for _, c := range RefusedCases() {
		all = append(all, each(c.Rules, "refused: "+c.Name, hasAssemble, func(i Impl, _ string) conformance.Outcome {
			return assemble(i, assembleInput{c.Children, c.Options}, refused(), false)
		})...)
	}
	return all
}

// aChild is what an index of one child says of it.
type aChild struct {
	Refused    bool
	Error      string
	Descriptor *ocispec.Descriptor
}

func oneChild(i Impl, c Child, want aChild) conformance.Outcome {
	b, _, err := i.Assemble([]Child{c}, Options{})
	got := aChild{Refused: err != nil}
	switch {
	case err != nil && !want.Refused:
		got.Error = err.Error()
	case err == nil:
		got.Descriptor = firstOf(b)
	}
	if want.Descriptor == nil {
		got.Descriptor = nil // whatever it is
	}
	return conformance.Outcome{Input: c, Want: want, Got: got}
}

func byteRows() (all []row) {
	for _, c := range ChildCases() {
		all = append(all, each(c.Rules, "child: "+c.Name, hasAssemble, func(i Impl, _ string) conformance.Outcome {
			return oneChild(i, c.Child, aChild{Refused: c.Want == nil, Descriptor: c.Want})
		})...)
	}
	for _, c := range append(ManifestCases(), ConfigCases()...) {
		all = append(all, each(c.Rules, "bytes: "+c.Name, hasAssemble, func(i Impl, _ string) conformance.Outcome {
			return oneChild(i, c.Child, aChild{Refused: c.Code != ""})
		})...)
	}
	return all
}

func describeRows() (all []row) {
	for _, c := range DescribeCases() {
		all = append(all, each(c.Rules, c.Name, hasDescribe, func(i Impl, _ string) conformance.Outcome {
			want := aChild{Refused: c.Errors != nil}
			if !want.Refused {
				want.Descriptor = &c.Want
			}
			d, err := i.Describe(c.Child, c.Options)
			got := aChild{Refused: err != nil}
			switch {
			case err != nil && !want.Refused:
				got.Error = err.Error()
			case err == nil:
				got.Descriptor = &d
			}
			return conformance.Outcome{Input: struct {
				Child   Child
				Options Options
			}{c.Child, c.Options}, Want: want, Got: got}
		})...)
	}
	return all
}

// parseInput is what is read. A document of megabytes is cut in what is printed.
type parseInput struct {
	Source string
	Bytes  int
	Limit  int
}

func parseRows() (all []row) {
	for _, c := range ParseCases() {
		all = append(all, each(c.Rules, c.Name, hasParse, func(i Impl, _ string) conformance.Outcome {
			_, err := i.Parse([]byte(c.Source), c.Limit)
			in := parseInput{c.Source[:min(len(c.Source), 2000)], len(c.Source), c.Limit}
			return accepted(in, c.Code == "", err)
		})...)
	}
	return all
}

// accepted compares only whether something is taken.
func accepted(in any, want bool, err error) conformance.Outcome {
	got := outcome{Refused: err != nil}
	if want && err != nil {
		got.Error = err.Error()
	}
	return conformance.Outcome{Input: in, Want: outcome{Refused: !want}, Got: got}
}
