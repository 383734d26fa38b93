package buildplan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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

// An IncompleteError says which architectures a build requires and has no image
// for. Less than what is required is never published.
type IncompleteError struct {
	Build   string
	Missing []string
}

func (e *IncompleteError) Error() string {
	return "machineosbuilds[" + e.Build + "] has no image for " + strings.Join(e.Missing, ", ")
}

// An ImageError says that an image cannot be published as that of an
// architecture, or, if Architecture is empty, at all.
type ImageError struct {
	Architecture string
	// Err is a manifestlist.IndexErrors, or says what else is wrong.
	Err error
}

func (e *ImageError) Error() string {
	if e.Architecture == "" {
		return e.Err.Error()
	}
	return e.Architecture + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *ImageError) Unwrap() error { return e.Err }

// Publish returns what to push under the final tag of a build: an index of the
// images that it records, or the image itself if it requires only one. It is for
// a publishing job, which first copies those images whose Record says so. The
// children are the recorded images with their manifest and config bytes; their
// order does not matter to the result.
//
// The error joins an *IncompleteError if the build records no image for an
// architecture, or no child is that image, and an *ImageError per child that is
// no recorded image or is not for its architecture; for a nil build or a push
// spec without a form by digest it is an *InputError.
func Publish(build *mcfgv1.MachineOSBuild, children []manifestlist.Child) (Publication, error) {
	if build == nil {
		return Publication{}, &InputError{"build", "is nil"}
	}
	records := Records(build)
	if len(records) == 0 {
		return Publication{}, &InputError{"build", "is " + build.Name + ", which records no key"}
	}
	var errs []error
	var missing []string
	var required []ocispec.Platform
	used := make([]bool, len(children))
	chosen := make([]manifestlist.Child, 0, len(records))
	var alone manifestlist.Result
	for _, r := range records {
		required = append(required, ocispec.Platform{OS: "linux", Architecture: r.Architecture})
		want, _ := digestOf(r.Image)
		i := find(children, want)
		if r.Image == "" || i < 0 {
			missing = append(missing, r.Architecture)
			continue
		}
		used[i] = true
		chosen = append(chosen, children[i])
		// Alone first, so that images which swapped places are found.
		var err error
		if alone, err = manifestlist.Assemble(children[i:i+1], manifestlist.Options{Required: required[len(required)-1:]}); err != nil {
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
	var err error
	if len(chosen) == 1 {
		var index manifestlist.Index
		if index, err = manifestlist.Parse(alone.Bytes); err != nil {
			return Publication{}, &ImageError{records[0].Architecture, err}
		}
		image := index.Manifests[0]
		p.MediaType, p.Digest, p.Bytes = image.MediaType, image.Digest, slices.Clone(chosen[0].Manifest)
	} else {
		result, err := manifestlist.Assemble(chosen, manifestlist.Options{Required: required})
		if err != nil {
			return Publication{}, &ImageError{"", err}
		}
		p.Index, p.Bytes, p.Findings = true, result.Bytes, result.Findings
		p.MediaType, p.Digest = result.Descriptor.MediaType, result.Descriptor.Digest
	}
	if p.PullSpec, err = PullSpec(p.PushSpec, string(p.Digest)); err != nil {
		return Publication{}, err
	}
	return p, nil
}

func find(children []manifestlist.Child, want string) int {
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
