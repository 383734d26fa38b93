package server

import (
	"context"

	"k8s.io/apiserver/pkg/storage/value"
	encryptidentity "k8s.io/apiserver/pkg/storage/value/encrypt/identity"
)

// A measure in a context is told the size of what is read and written, in bytes.
type measure struct{ read, written int64 }

type measureKey struct{}

// measuring looks at the bytes on their way from and to etcd, and leaves them.
type measuring struct{ value.Transformer }

// newMeasuring is around what storage uses where nothing is encrypted.
func newMeasuring() value.Transformer {
	return measuring{encryptidentity.NewEncryptCheckTransformer()}
}

func (t measuring) TransformFromStorage(ctx context.Context, data []byte, about value.Context) ([]byte, bool, error) {
	heard(ctx)
	if m, ok := ctx.Value(measureKey{}).(*measure); ok {
		m.read += int64(len(data))
	}
	return t.Transformer.TransformFromStorage(ctx, data, about)
}

func (t measuring) TransformToStorage(ctx context.Context, data []byte, about value.Context) ([]byte, error) {
	if m, ok := ctx.Value(measureKey{}).(*measure); ok {
		m.written = int64(len(data))
	}
	return t.Transformer.TransformToStorage(ctx, data, about)
}
