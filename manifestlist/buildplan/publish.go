package buildplan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist"
)

// A Publication is what to push under the final tag of a build.
type Publication struct {
	// PushSpec is where to push Bytes: the repository and the build's tag.
	PushSpec mcfgv1.ImageTagFormat
	// PullSpec is how nodes will name it.
	PullSpec mcfgv1.ImageDigestFormat
	// Index is false if Bytes is the manifest of the only image.
	Index     bool
	MediaType string
	Digest    digest.Digest
	Bytes     []byte
	// Findings are those of manifestlist.
	Findings []manifestlist.Finding
}

// Publish returns what to push under the final tag of a build: an index of the
// images that it records, or the image itself if it requires only one. It is for
// a publishing job, which first copies those images whose Record says so. The
// children are the recorded images with their manifest and config bytes; their
// order does not matter to the result.
//
// The error joins an *IncompleteError if the build records no image for an
// architecture, or no child is that image, and an *ImageError per child that is
// no recorded image or is not for its architecture; for a nil build or a push
// spec without a form by digest it is an *InputError. It is a *RecordError if the
// records of the build are not those that its name was made of: what it requires
// is not known then.
func Publish(build *mcfgv1.MachineOSBuild, children []manifestlist.Child) (Publication, error) {
	if build == nil {
		return Publication{}, &InputError{"build", "is nil"}
	}
	if _, _, intact := readRecords(build, nil); !intact {
		return Publication{}, &RecordError{build.Name}
	}
	records := Records(build)
	var errs []error
	var missing []string
	var required []ocispec.Platform
	used := make([]bool, len(children))
	chosen := make([]manifestlist.Child, 0, len(records))
	var alone ocispec.Descriptor
	for _, r := range records {
		required = append(required, ocispec.Platform{OS: "linux", Architecture: r.Architecture})
		want, _ := digestOf(r.PullSpec)
		i := indexOf(children, want)
		if r.PullSpec == "" || i < 0 {
			missing = append(missing, r.Architecture)
			continue
		}
		used[i] = true
		chosen = append(chosen, children[i])
		// Alone first, so that images which swapped places are found.
		var err error
		if alone, _, err = manifestlist.Describe(children[i], manifestlist.Options{Required: required[len(required)-1:]}); err != nil {
			errs = append(errs, &ImageError{r.Architecture, err})
		}
	}
	if len(records) == 1 && len(chosen) == 1 && chosen[0].Manifest == nil {
		errs = append(errs, &ImageError{records[0].Architecture, errors.New("comes without the manifest to push")})
	}
	if missing != nil {
		errs = append(errs, &IncompleteError{build.Name, missing})
	}
	for i := range children {
		if !used[i] {
			errs = append(errs, &ImageError{"", fmt.Errorf("children[%d] is %s, which the build does not record", i, childDigest(&children[i]))})
		}
	}
	if errs != nil {
		return Publication{}, errors.Join(errs...)
	}

	p := Publication{PushSpec: build.Spec.RenderedImagePushSpec}
	if len(chosen) == 1 {
		p.MediaType, p.Digest, p.Bytes = alone.MediaType, alone.Digest, slices.Clone(chosen[0].Manifest)
	} else {
		result, err := manifestlist.Assemble(chosen, manifestlist.Options{Required: required})
		if err != nil {
			return Publication{}, &ImageError{"", err}
		}
		p.Index, p.Bytes, p.Findings = true, result.Bytes, result.Findings
		p.MediaType, p.Digest = result.Descriptor.MediaType, result.Descriptor.Digest
	}
	var err error
	if p.PullSpec, err = PullSpec(p.PushSpec, string(p.Digest)); err != nil {
		return Publication{}, err
	}
	return p, nil
}

func indexOf(children []manifestlist.Child, want string) int {
	for i := range children {
		if string(childDigest(&children[i])) == want {
			return i
		}
	}
	return -1
}

// childDigest is the digest of the bytes where there are bytes: what a child says
// of itself is checked by manifestlist.
func childDigest(c *manifestlist.Child) digest.Digest {
	if c.Manifest != nil {
		return digest.FromBytes(c.Manifest)
	}
	return c.Descriptor.Digest
}
