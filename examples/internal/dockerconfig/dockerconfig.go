// Package dockerconfig reads the credentials for registries that Secrets hold. It
// knows no client, so that what reads bytes is quick to build and to fuzz.
package dockerconfig

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	corev1 "k8s.io/api/core/v1"
)

// A Keychain holds credentials by registry, or by registry and the beginning of a
// repository's path, as the file that docker login and podman login write. The
// zero value has credentials for nothing.
type Keychain map[string]authn.AuthConfig

// Read returns the credentials of a Secret of either type: kubernetes.io/dockercfg
// is the older one, which service accounts of OpenShift have for its own registry.
func Read(secret *corev1.Secret) (Keychain, error) {
	at, old := corev1.DockerConfigJsonKey, false
	if _, is := secret.Data[at]; !is {
		if _, old = secret.Data[corev1.DockerConfigKey]; old {
			at = corev1.DockerConfigKey
		}
	}
	var file struct{ Auths Keychain }
	into := any(&file)
	if old {
		into = &file.Auths
	}
	if err := json.Unmarshal(secret.Data[at], into); err != nil {
		return nil, fmt.Errorf("secret %s/%s: %s: %w", secret.Namespace, secret.Name, at, err)
	}
	return file.Auths, nil
}

// Resolve returns the credentials of the longest entry that the repository is of.
func (k Keychain) Resolve(repository authn.Resource) (authn.Authenticator, error) {
	for at := repository.String(); at != ""; at = at[:max(0, strings.LastIndexByte(at, '/'))] {
		if config, ok := k[at]; ok {
			return authn.FromConfig(config), nil
		}
	}
	return authn.Anonymous, nil
}
