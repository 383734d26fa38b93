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
	"encoding/json"
	"fmt"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist"
)

// Options are how to push. The zero value pushes an OCI index of exactly the
// images given, without credentials.
type Options struct {
	// Index is what the index is to be like. Nested is not looked at: images are
	// pushed, no indexes.
	Index manifestlist.Options
	// Remote goes with every request: credentials, transport, retries.
	Remote []remote.Option
	// Progress, if set, is told how many bytes of the layers of an image have
	// arrived, out of how many. It is called from one goroutine at a time.
	Progress func(image name.Digest, arrived, total int64)
}

// An Error is the image or index that could not be read or written, and why.
type Error struct {
	// Op is read, copy, push or tag.
	Op        string
	Reference name.Reference
	Err       error
}

func (e *Error) Error() string { return fmt.Sprintf("%s %s: %v", e.Op, e.Reference, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Assemble reads the manifests and configs of the images and makes their index.
// It writes nothing. The error is an [*Error] or [manifestlist.IndexErrors], whose
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
// the whole index is known to be right.
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
		return manifestlist.Result{}, &Error{Op: "push", Reference: byDigest, Err: err}
	}
	if err := remote.Put(to, index{result}, opts.remote(ctx)...); err != nil {
		return manifestlist.Result{}, &Error{Op: "tag", Reference: to, Err: err}
	}
	return result, nil
}

func (o *Options) remote(ctx context.Context, more ...remote.Option) []remote.Option {
	all := append([]remote.Option{remote.WithContext(ctx)}, o.Remote...)
	return append(all, more...)
}

// A source is an image where it is now.
type source struct {
	ref   name.Digest
	image v1.Image // nil for what is no image, which Assemble refuses
	child manifestlist.Child
}

func readAll(ctx context.Context, images []name.Digest, opts Options) ([]source, error) {
	sources := make([]source, len(images))
	for i, ref := range images {
		var err error
		if sources[i], err = read(ref, opts.remote(ctx)); err != nil {
			return nil, &Error{Op: "read", Reference: ref, Err: err}
		}
	}
	return sources, nil
}

// read gets the manifest, which go-containerregistry holds against the digest,
// and the config, if it is that of an image.
func read(ref name.Digest, opts []remote.Option) (source, error) {
	d, err := remote.Get(ref, opts...)
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
		return source{}, fmt.Errorf("its media type is %s, want that of an image manifest", d.MediaType)
	}
	if s.image, err = d.Image(); err != nil {
		return source{}, err
	}
	var m struct {
		Config v1.Descriptor `json:"config"`
	}
	if err := json.Unmarshal(d.Manifest, &m); err != nil {
		return source{}, fmt.Errorf("its manifest: %w", err)
	}
	if m.Config.MediaType != types.OCIConfigJSON && m.Config.MediaType != types.DockerConfigJSON {
		return s, nil // an artifact: its config may be anything
	}
	if m.Config.Size > manifestlist.MaxSize {
		return source{}, fmt.Errorf("its config is %d bytes, want at most %d", m.Config.Size, manifestlist.MaxSize)
	}
	s.child.Config, err = s.image.RawConfigFile()
	return s, err
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

// copyAll copies the images that the index holds.
func copyAll(ctx context.Context, to name.Repository, sources []source, result manifestlist.Result, opts Options) error {
	parsed, err := manifestlist.Parse(result.Bytes)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, d := range parsed.Manifests {
		wanted[string(d.Digest)] = true
	}
	for _, s := range sources {
		if s.ref.Context().Name() == to.Name() || !wanted[s.ref.DigestStr()] {
			continue
		}
		delete(wanted, s.ref.DigestStr()) // once is enough
		if err := copyImage(ctx, to, s, opts); err != nil {
			return &Error{Op: "copy", Reference: s.ref, Err: err}
		}
	}
	return nil
}

// copyImage leaves the work to go-containerregistry: blobs that are there are
// skipped, those in another repository of the same registry mounted, others
// streamed; then the manifest is put, byte for byte.
func copyImage(ctx context.Context, to name.Repository, s source, opts Options) error {
	var more []remote.Option
	if opts.Progress != nil {
		updates := make(chan v1.Update, 16)
		reported := make(chan struct{})
		go func() {
			defer close(reported)
			for u := range updates { // remote.Write closes it, once it has read its options
				if u.Error == nil {
					opts.Progress(s.ref, u.Complete, u.Total)
				}
			}
		}()
		defer func() { <-reported }()
		more = append(more, remote.WithProgress(updates))
	}
	return remote.Write(to.Digest(s.ref.DigestStr()), s.image, opts.remote(ctx, more...)...)
}

// index is what remote.Put takes.
type index struct{ result manifestlist.Result }

func (x index) RawManifest() ([]byte, error) { return x.result.Bytes, nil }

func (x index) MediaType() (types.MediaType, error) {
	return types.MediaType(x.result.Descriptor.MediaType), nil
}
