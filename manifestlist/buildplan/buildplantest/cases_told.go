package buildplantest

import (
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/conformance"
)

// A WarnedCase is facts that somebody is told something odd of, or not. Nothing is in
// the way of a build.
type WarnedCase struct {
	Rule   string // its ID
	Name   string
	Facts  Facts
	Warned bool
}

// WarnedCases are facts that somebody is told something odd of, or not.
func WarnedCases() []WarnedCase {
	const payload, unused, missing = "several-architectures-need-a-multi-payload", "unused-containerfile-is-told", "missing-containerfile-is-told"
	single := func(f *Facts) { f.SinglePayload = true }
	own := func(entries ...mcfgv1.MachineOSContainerfile) func(*Facts) {
		return func(f *Facts) { f.Config.Spec.Containerfile = entries }
	}
	return []WarnedCase{
		{payload, "two architectures, a single payload", with(single, "amd64", "arm64"), true},
		{payload, "two architectures, a multi payload", FactsFor("amd64", "arm64"), false},
		{payload, "one architecture, a single payload", with(single, "amd64"), false},
		{unused, "for an architecture that no node has", with(own(entry("", "FROM any"), entry(mcfgv1.S390, "FROM own")), "amd64"), true},
		{unused, "for one that a node has", with(own(entry("", "FROM any"), entry(mcfgv1.Amd64, "FROM own")), "amd64"), false},
		{missing, "for one of two architectures", with(own(entry(mcfgv1.Amd64, "FROM own")), "amd64", "arm64"), true},
		{missing, "none at all is nothing odd", with(own(), "amd64", "arm64"), false},
	}
}

func toldRows() (all []row) {
	for _, c := range WarnedCases() {
		all = append(all, row{Rule: c.Rule, Name: c.Name, Implemented: hasPlan, Call: func(i Impl) conformance.Outcome {
			return conformance.Outcome{Input: c.Facts, Want: c.Warned, Got: must(i, c.Facts).Warned}
		}})
	}
	return all
}

// unreadableRows are what is planned beside images that are there, gone, or unreadable.
func unreadableRows() (all []row) {
	for _, c := range []struct {
		rule, name string
		registry   func(f *Facts, image string)
		want       next
	}{
		{"equal-images-are-built-once", "planned beside an image of before", func(*Facts, string) {}, next{true, list("arm64")}},
		{"lost-image-is-built-again", "planned beside an image that is gone", func(f *Facts, image string) { f.Gone = []string{image} }, next{true, list("amd64 arm64")}},
		{"unreadable-is-not-gone", "planned beside an image that is unreadable", func(f *Facts, image string) { f.Unreadable = []string{image} }, next{true, list("arm64")}},
	} {
		all = append(all, row{Rule: c.rule, Name: c.name, Implemented: hasPlan, Call: func(i Impl) conformance.Outcome {
			f, object := create(i, FactsFor("amd64"))
			f = run(i, f, object, Succeeded)
			image := Repository + "@" + f.Jobs[0].Digest
			later := FactsFor("amd64", "arm64")
			later.Builds, later.Jobs = f.Builds, f.Jobs
			c.registry(&later, image)
			return planned(i, later, c.want)
		}})
	}
	for _, c := range []struct {
		rule, name string
		registry   func(f *Facts, image string)
		want       next
	}{
		{"done-is-left-alone", "planned when all is published", func(*Facts, string) {}, nothing()},
		{"unreadable-is-not-gone", "planned when what is published is unreadable", func(f *Facts, image string) { f.Unreadable = []string{image} }, nothing()},
		{"lost-image-is-built-again", "planned when what is published is gone", func(f *Facts, image string) { f.Gone = []string{image} }, next{true, list("amd64")}},
	} {
		all = append(all, row{Rule: c.rule, Name: c.name, Implemented: hasPlan, Call: func(i Impl) conformance.Outcome {
			f, object := create(i, FactsFor("amd64"))
			f = run(i, f, object, Succeeded)
			image := Repository + "@" + f.Jobs[0].Digest
			end(object, mcfgv1.MachineOSBuildSucceeded, image)
			c.registry(&f, image)
			return planned(i, f, c.want)
		}})
	}
	return all
}
