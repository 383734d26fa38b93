package main

import (
	"fmt"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

func importmodeClaims() []claim {
	return []claim{
		// A new stream against a loop that sets the mode wherever it is empty. Ours
		// decides, then writes, as an apiserver does. Both sides first empty the
		// modes again, which is the cheapest way to have a fresh request each time.
		{name: "default_create_100", limit: 2.0, setup: func() (ours, floor func() error, err error) {
			request := streamOf(100, "")
			ours = defaulting(request, nil, imagev1.ImportModePreserveOriginal)
			floor = func() error {
				clearModes(request)
				tags := request.Spec.Tags
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
			ours = defaulting(request, stored, imagev1.ImportModeLegacy)
			floor = func() error {
				clearModes(request)
				byName := make(map[string]imagev1.ImportModeType, len(stored.Spec.Tags))
				for i := range stored.Spec.Tags {
					byName[stored.Spec.Tags[i].Name] = stored.Spec.Tags[i].ImportPolicy.ImportMode
				}
				tags := request.Spec.Tags
				for i := range tags {
					if tags[i].ImportPolicy.ImportMode == "" {
						tags[i].ImportPolicy.ImportMode = byName[tags[i].Name]
					}
				}
				return checkModes(request, imagev1.ImportModeLegacy)
			}
			return ours, floor, nil
		}},
		// The same update of 1000 tags against that of 100.
		{name: "default_update_growth", limit: 12, setup: func() (ours, floor func() error, err error) {
			ours = defaulting(streamOf(1000, ""), streamOf(1000, imagev1.ImportModeLegacy), imagev1.ImportModeLegacy)
			floor = defaulting(streamOf(100, ""), streamOf(100, imagev1.ImportModeLegacy), imagev1.ImportModeLegacy)
			return ours, floor, nil
		}},
		// The growth once more with the stored tags in the opposite order, which no
		// order of asking finds in place.
		{name: "default_update_reversed_growth", setup: func() (ours, floor func() error, err error) {
			ours = defaulting(streamOf(1000, ""), reversed(streamOf(1000, imagev1.ImportModeLegacy)), imagev1.ImportModeLegacy)
			floor = defaulting(streamOf(100, ""), reversed(streamOf(100, imagev1.ImportModeLegacy)), imagev1.ImportModeLegacy)
			return ours, floor, nil
		}},
	}
}

// defaulting empties the modes of request, has them decided over stored, and
// writes them.
func defaulting(request, stored *imagev1.ImageStream, want imagev1.ImportModeType) func() error {
	var decisions []importmode.TagDecision
	return func() error {
		clearModes(request)
		decisions = importmode.DefaultImageStream(decisions[:0], request, stored, imagev1.ImportModePreserveOriginal, importmode.Options{})
		tags := request.Spec.Tags
		for i := range decisions {
			tags[decisions[i].Index].ImportPolicy.ImportMode = decisions[i].Mode
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

func reversed(s *imagev1.ImageStream) *imagev1.ImageStream {
	tags := s.Spec.Tags
	for i, j := 0, len(tags)-1; i < j; i, j = i+1, j-1 {
		tags[i], tags[j] = tags[j], tags[i]
	}
	return s
}

func clearModes(s *imagev1.ImageStream) {
	for i := range s.Spec.Tags {
		s.Spec.Tags[i].ImportPolicy.ImportMode = ""
	}
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
