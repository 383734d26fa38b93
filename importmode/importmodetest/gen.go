package importmodetest

import (
	"strings"

	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
)

// KnownMode draws one of the two modes.
func KnownMode() *rapid.Generator[imagev1.ImportModeType] {
	return rapid.SampledFrom([]imagev1.ImportModeType{legacy, preserve})
}

// UnknownMode draws a value that is no mode.
func UnknownMode() *rapid.Generator[imagev1.ImportModeType] {
	return rapid.SampledFrom([]imagev1.ImportModeType{"Whole", "legacy", "LEGACY", " ", " Legacy", "Legacy\n", "\x00",
		imagev1.ImportModeType(strings.Repeat("x", 300))})
}

// Mode draws any mode of a tag.
func Mode() *rapid.Generator[imagev1.ImportModeType] {
	empty := rapid.Just(imagev1.ImportModeType(""))
	return rapid.OneOf(empty, empty, rapid.Just(legacy), rapid.Just(preserve), UnknownMode())
}

// goodMode draws a mode or none.
func goodMode() *rapid.Generator[imagev1.ImportModeType] {
	return rapid.SampledFrom([]imagev1.ImportModeType{"", legacy, preserve})
}

func configMode(g *rapid.Generator[imagev1.ImportModeType]) *rapid.Generator[configv1.ImportModeType] {
	return rapid.Map(g, func(m imagev1.ImportModeType) configv1.ImportModeType { return configv1.ImportModeType(m) })
}

// AnyPayload draws what is known of the payload.
func AnyPayload() *rapid.Generator[Payload] {
	return rapid.SampledFrom([]Payload{PayloadUnknown, PayloadSingle, PayloadInstalling, PayloadMulti})
}

func tagWith(names []string, mode *rapid.Generator[imagev1.ImportModeType]) *rapid.Generator[imagev1.TagReference] {
	return rapid.Custom(func(t *rapid.T) imagev1.TagReference {
		return Tag(rapid.SampledFrom(names).Draw(t, "name"), mode.Draw(t, "mode"))
	})
}

// streamWith draws a stream without repeated names.
func streamWith(mode *rapid.Generator[imagev1.ImportModeType]) *rapid.Generator[*imagev1.ImageStream] {
	one := tagWith([]string{"latest", "1", "2", "v1", "v1.2", "4.20-ubi9", "4.21"}, mode)
	return rapid.Custom(func(t *rapid.T) *imagev1.ImageStream {
		return StreamOf(rapid.SliceOfNDistinct(one, 0, 6, func(r imagev1.TagReference) string { return r.Name }).Draw(t, "tags")...)
	})
}

// Stream draws a stream as people write them.
func Stream() *rapid.Generator[*imagev1.ImageStream] {
	empty := rapid.Just(imagev1.ImportModeType(""))
	return streamWith(rapid.OneOf(empty, KnownMode()))
}

// AnyStream draws a stream that only a server without validation stores.
func AnyStream() *rapid.Generator[*imagev1.ImageStream] {
	plain := tagWith([]string{"", "a", "b", "c", "d", "e", "f", "v1", " "}, Mode())
	one := rapid.Custom(func(t *rapid.T) imagev1.TagReference {
		tag := plain.Draw(t, "tag")
		if kinds := tagKinds(); rapid.Bool().Draw(t, "of a kind") {
			kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")].set(&tag)
		}
		return tag
	})
	return rapid.Custom(func(t *rapid.T) *imagev1.ImageStream {
		return StreamOf(rapid.SliceOfN(one, 0, 8).Draw(t, "tags")...)
	})
}
