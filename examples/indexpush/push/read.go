package push

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"golang.org/x/sync/errgroup"

	"github.com/polyarch/polyarch/manifestlist"
)

// A source is an image where it is now.
type source struct {
	ref   name.Digest
	image v1.Image // nil for what is no image, which Assemble refuses
	child manifestlist.Child
}

// readAll reads several images at a time. What is wrong with one image leaves the
// others to be read, so that all such errors come at once. When a registry fails,
// no further image is begun: two hundred of them would fail alike, each after its
// own retries. Images are begun in their order, so the first error is the same
// however the answers overtake each other.
func readAll(ctx context.Context, images []name.Digest, opts Options) ([]source, error) {
	parallel := cmp.Or(opts.Parallel, DefaultParallel)
	// One puller logs in once for each repository, not once for each image. Its
	// number of jobs bounds the configs that are read at the same time.
	puller, err := remote.NewPuller(append([]remote.Option{remote.WithJobs(parallel)}, opts.Remote...)...)
	if err != nil {
		return nil, err
	}
	sources, failed := make([]source, len(images)), make([]*Error, len(images))
	var stop atomic.Bool
	var group errgroup.Group
	group.SetLimit(parallel)
	for i, ref := range images {
		if stop.Load() { // here, not in the goroutine, which may run after later ones
			break
		}
		group.Go(func() error {
			var err error
			if sources[i], err = read(ctx, puller, ref); err != nil {
				failed[i] = newError(ctx, OpRead, ref, err)
				if !failed[i].Reason.ofOneImage() {
					stop.Store(true)
				}
			}
			return nil
		})
	}
	_ = group.Wait() // errors are kept by position
	var errs Errors
	for _, err := range failed {
		if err != nil {
			errs = append(errs, err)
		}
	}
	if errs != nil {
		return nil, errs
	}
	return sources, nil
}

// read gets the manifest, which go-containerregistry holds against the digest,
// and the config, if it is that of an image.
func read(ctx context.Context, puller *remote.Puller, ref name.Digest) (source, error) {
	d, err := puller.Get(ctx, ref)
	if err != nil {
		return source{}, err
	}
	s := source{ref: ref, child: manifestlist.Child{
		Descriptor: ocispec.Descriptor{MediaType: string(d.MediaType)},
		Manifest:   d.Manifest,
	}}
	switch {
	case d.MediaType.IsIndex():
		return s, nil
	case !d.MediaType.IsImage():
		return source{}, notImageError(fmt.Sprintf("its media type is %s, want that of an image manifest", cut(string(d.MediaType))))
	}
	if s.image, err = d.Image(); err != nil {
		return source{}, err
	}
	var m struct {
		Config v1.Descriptor `json:"config"`
	}
	if err := json.Unmarshal(d.Manifest, &m); err != nil {
		return source{}, notImageError("its manifest: " + cut(err.Error()))
	}
	if m.Config.MediaType != types.OCIConfigJSON && m.Config.MediaType != types.DockerConfigJSON {
		return s, nil // an artifact: its config may be anything
	}
	if m.Config.Size > manifestlist.MaxSize {
		return source{}, notImageError(fmt.Sprintf("its config is %d bytes, want at most %d", m.Config.Size, manifestlist.MaxSize))
	}
	s.child.Config, err = s.image.RawConfigFile()
	return s, err
}
