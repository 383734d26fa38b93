// Package push publishes per-architecture images of any registry as one image
// index under one tag. What is in the index is decided by
// github.com/polyarch/polyarch/manifestlist; this package moves bytes.
//
// The order is what keeps a tag good at every moment: the images first, then the
// index by its digest, then the tag. Whatever interrupts it, the tag leads to the
// whole old index or to the whole new one. Pushing again goes on where it was
// interrupted, since blobs that have arrived are not sent twice.
package push

import (
	"context"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/polyarch/polyarch/manifestlist"
)

// DefaultParallel is how many images are read at the same time unless
// [Options] say otherwise.
const DefaultParallel = 8

// Options are how to push. The zero value pushes an OCI index of exactly the
// images given, without credentials.
type Options struct {
	// Index is what the index is to be like. Nested is not looked at: images are
	// pushed, no indexes.
	Index manifestlist.Options
	// Remote goes with every request: credentials, transport, retries.
	Remote []remote.Option
	// Parallel is how many images are read at the same time; 0 stands for
	// [DefaultParallel].
	Parallel int
	// Progress, if set, is told how many bytes of the layers of an image have
	// arrived, out of how many. It is called from one goroutine at a time.
	Progress func(image name.Digest, arrived, total int64)
}

// Assemble reads the manifests and configs of the images and makes their index.
// It writes nothing. The error is [Errors], or [manifestlist.IndexErrors] whose
// positions are places in images and whose names are the images.
func Assemble(ctx context.Context, images []name.Digest, opts Options) (manifestlist.Result, error) {
	sources, err := readAll(ctx, images, opts)
	if err != nil {
		return manifestlist.Result{}, err
	}
	return assemble(sources, opts)
}

// Push makes the index of the images, copies those that are not in the
// repository of to yet, pushes the index and tags it. Nothing is written unless
// the whole index is known to be right. Besides the errors of [Assemble] there is
// the [*Error] of what could not be copied or written.
func Push(ctx context.Context, to name.Tag, images []name.Digest, opts Options) (manifestlist.Result, error) {
	sources, err := readAll(ctx, images, opts)
	if err != nil {
		return manifestlist.Result{}, err
	}
	result, err := assemble(sources, opts)
	if err != nil {
		return manifestlist.Result{}, err
	}
	if err := copyAll(ctx, to.Context(), sources, result, opts); err != nil {
		return manifestlist.Result{}, err
	}
	byDigest := to.Context().Digest(string(result.Descriptor.Digest))
	if err := remote.Put(byDigest, index{result}, opts.remote(ctx)...); err != nil {
		return manifestlist.Result{}, newError(ctx, OpPush, byDigest, err)
	}
	if err := remote.Put(to, index{result}, opts.remote(ctx)...); err != nil {
		return manifestlist.Result{}, newError(ctx, OpTag, to, err)
	}
	return result, nil
}

func (o *Options) remote(ctx context.Context, more ...remote.Option) []remote.Option {
	all := append([]remote.Option{remote.WithContext(ctx)}, o.Remote...)
	return append(all, more...)
}

func assemble(sources []source, opts Options) (manifestlist.Result, error) {
	children := make([]manifestlist.Child, len(sources))
	for i := range sources {
		children[i] = sources[i].child
		children[i].Name = sources[i].ref.String()
	}
	opts.Index.Nested = manifestlist.RefuseNested
	return manifestlist.Assemble(children, opts.Index)
}

// index is what remote.Put takes.
type index struct{ result manifestlist.Result }

func (x index) RawManifest() ([]byte, error) { return x.result.Bytes, nil }

func (x index) MediaType() (types.MediaType, error) {
	return types.MediaType(x.result.Descriptor.MediaType), nil
}
