package push

import (
	"context"
	"errors"
	"io"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/polyarch/polyarch/manifestlist"
)

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
			var reading *readingError
			if errors.As(err, &reading) {
				return newError(ctx, OpRead, s.ref, reading.err)
			}
			return newError(ctx, OpWrite, to.Digest(s.ref.DigestStr()), err)
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
	return remote.Write(to.Digest(s.ref.DigestStr()), sourceImage{s.image}, opts.remote(ctx, more...)...)
}

// A readingError comes from the registry that a blob is read from, so that it is
// told apart from those of the registry that it is written to: one call of
// remote.Write speaks to both.
type readingError struct{ err error }

func (e *readingError) Error() string { return e.err.Error() }

func (e *readingError) Unwrap() error { return e.err }

// A sourceImage marks what goes wrong while its blobs are read.
type sourceImage struct{ v1.Image }

func (i sourceImage) Layers() ([]v1.Layer, error) {
	layers, err := i.Image.Layers()
	for n := range layers {
		layers[n] = markReading(layers[n])
	}
	return layers, err
}

// ConfigLayer is there so that remote.Write can mount the config as well.
func (i sourceImage) ConfigLayer() (v1.Layer, error) {
	layer, err := partial.ConfigLayer(i.Image)
	if err != nil {
		return nil, err
	}
	return markReading(layer), nil
}

// markReading keeps the type by which remote.Write knows that a layer may be
// mounted.
func markReading(layer v1.Layer) v1.Layer {
	if m, ok := layer.(*remote.MountableLayer); ok {
		return &remote.MountableLayer{Layer: sourceLayer{m.Layer}, Reference: m.Reference}
	}
	return sourceLayer{layer}
}

type sourceLayer struct{ v1.Layer }

func (l sourceLayer) Compressed() (io.ReadCloser, error) {
	blob, err := l.Layer.Compressed()
	if err != nil {
		return nil, &readingError{err}
	}
	return sourceBlob{blob}, nil
}

type sourceBlob struct{ io.ReadCloser }

func (b sourceBlob) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = &readingError{err}
	}
	return n, err
}
