package main

import (
	"fmt"
	"slices"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

func importmodeClaims() []claim {
	return []claim{
		// A new stream against a loop that sets the mode wherever it is empty. Ours
		// decides, then writes, as an apiserver does.
		{name: "default_create_100", limit: 2.4, setup: func() (ours, floor func() error, err error) {
			request := streamOf(100, "")
			sent := slices.Clone(request.Spec.Tags)
			ours = defaulting(request, nil, imagev1.ImportModePreserveOriginal)
			floor = func() error {
				tags := request.Spec.Tags
				copy(tags, sent)
				for i := range tags {
					if tags[i].ImportPolicy.ImportMode == "" {
						tags[i].ImportPolicy.ImportMode = imagev1.ImportModePreserveOriginal
					}
				}
				return checkModes(request, imagev1.ImportModePreserveOriginal)
			}
			return ours, floor, nil
		}},
		// An update that omits every mode, with the stored tags in the same order,
		// against a loop that puts the stored tags in a map by name first and sets
		// each empty mode from it.
		{name: "default_update_100", limit: 1.2, setup: func() (ours, floor func() error, err error) {
			request, stored := streamOf(100, ""), streamOf(100, imagev1.ImportModeLegacy)
			sent := slices.Clone(request.Spec.Tags)
			ours = defaulting(request, stored, imagev1.ImportModeLegacy)
			floor = func() error {
				tags := request.Spec.Tags
				copy(tags, sent)
				byName := make(map[string]imagev1.ImportModeType, len(stored.Spec.Tags))
				for i := range stored.Spec.Tags {
					byName[stored.Spec.Tags[i].Name] = stored.Spec.Tags[i].ImportPolicy.ImportMode
				}
				for i := range tags {
					if tags[i].ImportPolicy.ImportMode == "" {
						tags[i].ImportPolicy.ImportMode = byName[tags[i].Name]
					}
				}
				return checkModes(request, imagev1.ImportModeLegacy)
			}
			return ours, floor, nil
		}},
		// The decisions of the same update for 1000 tags against those for 100.
		{name: "default_update_growth", limit: 12, setup: func() (ours, floor func() error, err error) {
			return deciding(1000, inOrder), deciding(100, inOrder), nil
		}},
		// One image stream tag of a stream that has 100, the last of them, against a
		// scan for its name.
		{name: "default_tag_of_100", limit: 1.5, setup: defaultTagOf100},
		// The growth once more with the stored tags in the opposite order, where no
		// tag is found in its place.
		{name: "default_update_reversed_growth", setup: func() (ours, floor func() error, err error) {
			return deciding(1000, slices.Reverse), deciding(100, slices.Reverse), nil
		}},
	}
}

func defaultTagOf100() (ours, floor func() error, err error) {
	stored := streamOf(100, imagev1.ImportModePreserveOriginal)
	last := stored.Spec.Tags[99].Name
	request := &imagev1.ImageStreamTag{Tag: &imagev1.TagReference{Name: last}}
	request.Name = "stream:" + last
	check := func(mode imagev1.ImportModeType) error {
		if mode != imagev1.ImportModePreserveOriginal {
			return fmt.Errorf("the tag has mode %q", mode)
		}
		return nil
	}
	ours = func() error {
		return check(importmode.DefaultImageStreamTag(request, stored, imagev1.ImportModeLegacy, importmode.Options{}).Store)
	}
	floor = func() error {
		_, name, _ := strings.Cut(request.Name, ":")
		for i := range stored.Spec.Tags {
			if stored.Spec.Tags[i].Name == name {
				return check(stored.Spec.Tags[i].ImportPolicy.ImportMode)
			}
		}
		return fmt.Errorf("no tag %q", name)
	}
	return ours, floor, nil
}

// deciding has the modes of a request of n tags decided over stored tags of the
// same names, which are put in order first.
func deciding(n int, order func([]imagev1.TagReference)) func() error {
	request, stored := streamOf(n, ""), streamOf(n, imagev1.ImportModeLegacy)
	order(stored.Spec.Tags)
	room := make([]importmode.DecidedTag, 0, n)
	return func() error {
		decisions := importmode.DefaultImageStream(room, request, stored, imagev1.ImportModePreserveOriginal, importmode.Options{})
		if d := decisions[n-1]; len(decisions) != n || d.Store != imagev1.ImportModeLegacy || d.Changed {
			return fmt.Errorf("%d decisions, the last one %+v", len(decisions), d)
		}
		return nil
	}
}

func inOrder([]imagev1.TagReference) {}

// defaulting has the modes of request decided over stored and writes them. As on
// the floors, each operation starts from the request as it was sent, so that
// both sides pay alike for having a fresh one.
func defaulting(request, stored *imagev1.ImageStream, want imagev1.ImportModeType) func() error {
	sent := slices.Clone(request.Spec.Tags)
	room := make([]importmode.DecidedTag, 0, len(sent))
	return func() error {
		tags := request.Spec.Tags
		copy(tags, sent)
		decisions := importmode.DefaultImageStream(room, request, stored, imagev1.ImportModePreserveOriginal, importmode.Options{})
		for i := range decisions {
			tags[i].ImportPolicy.ImportMode = decisions[i].Store
		}
		return checkModes(request, want)
	}
}

func streamOf(n int, mode imagev1.ImportModeType) *imagev1.ImageStream {
	s := &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: make([]imagev1.TagReference, n)}}
	for i := range s.Spec.Tags {
		s.Spec.Tags[i].Name = fmt.Sprintf("v1.%d", i)
		s.Spec.Tags[i].ImportPolicy.ImportMode = mode
	}
	return s
}

// checkModes looks at the ends and the middle only, so as not to blur the ratio.
func checkModes(s *imagev1.ImageStream, want imagev1.ImportModeType) error {
	tags := s.Spec.Tags
	for _, i := range [...]int{0, len(tags) / 2, len(tags) - 1} {
		if got := tags[i].ImportPolicy.ImportMode; got != want {
			return fmt.Errorf("tag %q has mode %q, want %q", tags[i].Name, got, want)
		}
	}
	return nil
}
