package dockerconfig_test

import (
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/examples/internal/dockerconfig"
)

func TestRead(t *testing.T) {
	// dTpw is u:p.
	for _, tc := range []struct {
		name, key, content, repository string
		user, err                      string
	}{
		{"the registry", corev1.DockerConfigJsonKey, `{"auths":{"quay.io":{"auth":"dTpw"}}}`, "quay.io/a/b", "u", ""},
		{"the longest path", corev1.DockerConfigJsonKey, `{"auths":{"quay.io":{"username":"x","password":"y"},"quay.io/a":{"auth":"dTpw"}}}`, "quay.io/a/b", "u", ""},
		{"a path ends at a slash", corev1.DockerConfigJsonKey, `{"auths":{"quay.io/a":{"auth":"dTpw"}}}`, "quay.io/ab/c", "", ""},
		{"another registry", corev1.DockerConfigJsonKey, `{"auths":{"quay.io":{"auth":"dTpw"}}}`, "example.com/a/b", "", ""},
		{"the older type", corev1.DockerConfigKey, `{"quay.io":{"auth":"dTpw"}}`, "quay.io/a/b", "u", ""},
		{"no JSON", corev1.DockerConfigJsonKey, "u:p", "quay.io/a/b", "", "secret ns/s: .dockerconfigjson: "},
		{"no key", "else", "{}", "quay.io/a/b", "", "secret ns/s: .dockerconfigjson: "},
		{"no base64", corev1.DockerConfigJsonKey, `{"auths":{"quay.io":{"auth":"u:p"}}}`, "quay.io/a/b", "", "secret ns/s: .dockerconfigjson: "},
	} {
		keychain, err := dockerconfig.Read(&corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "s"}, Data: map[string][]byte{tc.key: []byte(tc.content)},
		})
		if tc.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), tc.err) || strings.Contains(err.Error(), "u:p") {
				t.Errorf("%s: %v", tc.name, err)
			}
			continue
		}
		repository, failed := name.NewRepository(tc.repository)
		if err != nil || failed != nil {
			t.Errorf("%s: %v, %v", tc.name, err, failed)
			continue
		}
		auth, err := keychain.Resolve(repository)
		if err != nil {
			t.Fatal(err)
		}
		config, err := auth.Authorization()
		if err != nil || config.Username != tc.user || (tc.user != "" && config.Password != "p") {
			t.Errorf("%s: %+v, %v", tc.name, config, err)
		}
	}
}
