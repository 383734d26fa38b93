package operator

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/internal/dockerconfig"
)

// Credentials returns those of a Secret, none if there is no such Secret.
func Credentials(ctx context.Context, reader client.Reader, key client.ObjectKey) (dockerconfig.Keychain, error) {
	secret, err := Lookup(ctx, reader, key, &corev1.Secret{})
	if err != nil || secret == nil {
		return nil, err
	}
	return dockerconfig.Read(secret)
}
