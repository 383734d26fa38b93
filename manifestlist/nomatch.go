package manifestlist

import (
	"cmp"
	"fmt"
	"slices"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// A NoMatchError says that a policy chooses nothing out of an index, and what
// there was to choose from.
type NoMatchError struct {
	Policy Policy
	Wanted ocispec.Platform
	// Have are the platforms of the index, in its order.
	Have []ocispec.Platform
	// WithoutPlatform counts the entries that name no platform.
	WithoutPlatform int
}

func (e *NoMatchError) Error() string {
	have := listPlatforms(e.Have, "nothing")
	switch {
	case e.WithoutPlatform > 0 && len(e.Have) == 0:
		have = fmt.Sprintf("%d without a platform", e.WithoutPlatform)
	case e.WithoutPlatform > 0:
		have += fmt.Sprintf(", %d without a platform", e.WithoutPlatform)
	}
	return fmt.Sprintf("no entry for %s under policy %s; the index has %s",
		quote.Cut(platformText(e.Wanted)), cmp.Or(e.Policy, Strict), have)
}

func noMatch(manifests []ocispec.Descriptor, wanted ocispec.Platform, policy Policy) error {
	wanted.OSFeatures = slices.Clone(wanted.OSFeatures)
	e := &NoMatchError{Policy: policy, Wanted: wanted}
	for i := range manifests {
		if manifests[i].Platform == nil {
			e.WithoutPlatform++
			continue
		}
		p := *manifests[i].Platform
		p.OSFeatures = slices.Clone(p.OSFeatures)
		e.Have = append(e.Have, p)
	}
	return e
}
