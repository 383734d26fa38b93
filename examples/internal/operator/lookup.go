package operator

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Lookup reads the object of that name into the given one and returns it, or
// nil if there is none. No object has the empty name.
func Lookup[T any, P interface {
	*T
	client.Object
}](ctx context.Context, reader client.Reader, key client.ObjectKey, into P) (P, error) {
	if key.Name == "" {
		return nil, nil
	}
	err := reader.Get(ctx, key, into)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return into, nil
}
