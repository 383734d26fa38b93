package importer

import (
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/examples/internal/dockerconfig"
)

// Keychain makes one out of the secrets of a namespace: those with credentials for
// registries, but for the excluded ones, as the subresource imagestreams/secrets
// lists them upstream. Of two entries for one registry, the first counts. A secret
// that cannot be read is passed over.
func Keychain(secrets []corev1.Secret) authn.Keychain {
	all := dockerconfig.Keychain{}
	for i := range secrets {
		secret := &secrets[i]
		if secret.Type != corev1.SecretTypeDockerConfigJson && secret.Type != corev1.SecretTypeDockercfg ||
			secret.Annotations[imagev1.ExcludeImageSecretAnnotation] == "true" {
			continue
		}
		entries, err := dockerconfig.Read(secret)
		if err != nil {
			continue
		}
		for key, entry := range entries {
			if key = scope(key); all[key] == (authn.AuthConfig{}) {
				all[key] = entry
			}
		}
	}
	return all
}

// scope writes an entry's key as registry[/path]: docker login writes URLs, and for
// Docker Hub one of its first version.
func scope(key string) string {
	key = strings.TrimPrefix(strings.TrimPrefix(key, "https://"), "http://")
	key = strings.TrimSuffix(key, "/")
	key = strings.TrimSuffix(strings.TrimSuffix(key, "/v1"), "/v2")
	host, path, _ := strings.Cut(key, "/")
	switch host {
	case "docker.io", "registry-1.docker.io":
		host = name.DefaultRegistry
	}
	if path == "" {
		return host
	}
	return host + "/" + path
}
