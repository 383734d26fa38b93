package importmode

import "strconv"

// EffectReason is the machine-readable ground of a TagEffect. It takes one byte, since
// there is one for every tag of every stream.
type EffectReason uint8

const (
	// ReasonNotAdded is the reason of the zero TagEffect.
	ReasonNotAdded EffectReason = iota
	// ReasonReference: the tag is a reference, which is not imported.
	ReasonReference
	// ReasonFollows: the tag follows an image stream tag or an image of a stream, and
	// holds what that holds.
	ReasonFollows
	// ReasonNoSource: the tag has nothing to import from.
	ReasonNoSource
	// ReasonModeEmpty: the tag is stored without a mode and stays Legacy.
	ReasonModeEmpty
	// ReasonModeGiven: the tag is stored with a mode, which it keeps.
	ReasonModeGiven
	// ReasonModeUnknown: the tag is stored with a value that is no mode, and is imported
	// by the cluster's mode.
	ReasonModeUnknown
	// ReasonStatusOnly: the tag is not in the spec; images are pushed to it.
	ReasonStatusOnly
)

var effectReasons = [...]string{"NotAdded", "Reference", "Follows", "NoSource", "ModeEmpty", "ModeGiven", "ModeUnknown", "StatusOnly"}

// String returns the name of the constant without its prefix, such as "ModeEmpty", and
// "EffectReason(n)" for any other value.
func (r EffectReason) String() string { return nameOf(effectReasons[:], "EffectReason", uint8(r)) }

// Content is what the source of a tag is known to hold.
type Content uint8

const (
	// ContentUnknown: the caller did not give the manifest.
	ContentUnknown Content = iota
	// ContentImage: a single image, which both modes import alike.
	ContentImage
	// ContentList: a manifest list.
	ContentList
)

var contents = [...]string{"Unknown", "Image", "List"}

// String returns the name of the constant without its prefix, such as "List", and
// "Content(n)" for any other value.
func (c Content) String() string { return nameOf(contents[:], "Content", uint8(c)) }

// Patch is a change to one tag of an image stream. TagEffect.JSONPatch writes it.
type Patch uint8

const (
	// PatchNone is no change.
	PatchNone Patch = iota
	// PatchPreserveOriginal sets importPolicy.importMode to PreserveOriginal.
	PatchPreserveOriginal
	// PatchLegacy sets importPolicy.importMode to Legacy.
	PatchLegacy
	// PatchSource sets referencePolicy.type to Source, so that pulls copy no layers
	// into the internal registry.
	PatchSource
)

var patches = [...]string{"None", "PreserveOriginal", "Legacy", "Source"}

// String returns the name of the constant without its prefix, such as "Source", and
// "Patch(n)" for any other value.
func (p Patch) String() string { return nameOf(patches[:], "Patch", uint8(p)) }

// nameOf returns the name of a value of an enum, and the type with the number where it
// has none.
func nameOf(names []string, enum string, value uint8) string {
	if int(value) < len(names) {
		return names[value]
	}
	return enum + "(" + strconv.Itoa(int(value)) + ")"
}
