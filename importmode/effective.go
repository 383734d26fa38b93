package importmode

import imagev1 "github.com/openshift/api/image/v1"

// EffectiveMode returns the mode under which a tag is imported: an empty one is
// Legacy. A value that is no mode comes back as it is, so that it never passes
// for one.
func EffectiveMode(m imagev1.ImportModeType) imagev1.ImportModeType {
	if m == "" {
		return imagev1.ImportModeLegacy
	}
	return m
}

// ModeChanged reports whether a tag that is stored with one mode and requested
// with another has another effective mode (rule 26): an explicit Legacy on a tag that
// is stored with an empty mode is no change. A tag that imports an image is to be
// imported again then, under a new generation. A tag without a "from", or one that
// follows another tag or an image of a stream, imports nothing, and a change of its
// mode is no reason to import.
func ModeChanged(stored, request imagev1.ImportModeType) bool {
	return EffectiveMode(stored) != EffectiveMode(request)
}
