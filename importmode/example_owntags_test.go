package importmode_test

import (
	"fmt"
	"maps"
	"slices"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

// Tags as an API server has them inside: a map of structs of its own.
type (
	ownMode   string
	ownTag    struct{ ImportPolicy ownPolicy }
	ownPolicy struct{ ImportMode ownMode }
)

// A caller whose tags are in a map, and of types of its own.
func ExampleDefaultTag_ownTags() {
	const cluster = imagev1.ImportModePreserveOriginal
	storedTags := map[string]ownTag{"old": {}, "v1": {ownPolicy{"Legacy"}}}
	tags := map[string]ownTag{"old": {}, "v1": {}, "v2": {}}

	for name, tag := range tags {
		stored, isStored := storedTags[name]
		given, was := imagev1.ImportModeType(tag.ImportPolicy.ImportMode), imagev1.ImportModeType(stored.ImportPolicy.ImportMode)
		tag.ImportPolicy.ImportMode = ownMode(importmode.DefaultTag(given, was, isStored, cluster, importmode.Options{}).Store)
		tags[name] = tag
	}

	for _, name := range slices.Sorted(maps.Keys(tags)) {
		fmt.Printf("%s %q\n", name, tags[name].ImportPolicy.ImportMode)
	}
	// Output:
	// old ""
	// v1 "Legacy"
	// v2 "PreserveOriginal"
}
