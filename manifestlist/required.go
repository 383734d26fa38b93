package manifestlist

import (
	"fmt"
	"slices"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// checkRequired is rule A8.
func (a *assembly) checkRequired() {
	for i := range a.opts.Required {
		want := &a.opts.Required[i]
		if slices.ContainsFunc(a.entries, func(e entry) bool { return e.class == classPlatform && strictMatch(e.desc.Platform, want) }) {
			continue
		}
		a.report(&IndexError{
			Code: CodeMissingPlatform, Path: fmt.Sprintf("options.required[%d]", i),
			Value: platformText(*want), Want: "a child for it; there is " + a.platforms(),
		})
	}
}

// platforms names the platforms that are there.
func (a *assembly) platforms() string {
	var all []ocispec.Platform
	for i := range a.entries {
		if e := &a.entries[i]; e.class == classPlatform {
			all = append(all, *e.desc.Platform)
		}
	}
	return listPlatforms(all, "nothing")
}

// listPlatforms names platforms for people, but no more than anybody reads.
func listPlatforms(platforms []ocispec.Platform, none string) string {
	const most = 32
	var names []string
	for i, p := range platforms {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(platforms)-most))
			break
		}
		names = append(names, quote.Cut(platformText(p)))
	}
	if names == nil {
		return none
	}
	return strings.Join(names, ", ")
}
