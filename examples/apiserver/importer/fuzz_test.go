package importer

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/examples/internal/dockerconfig"
)

// FuzzRead holds that a manifest is a list or an image or refused, whatever it is.
func FuzzRead(f *testing.F) {
	const list, image = "application/vnd.oci.image.index.v1+json", "application/vnd.oci.image.manifest.v1+json"
	f.Add([]byte(`{"schemaVersion":2,"mediaType":"`+list+`","manifests":[]}`), "")                             // an empty list
	f.Add([]byte(`{"schemaVersion":2,"manifests":[{"digest":"sha256:0"}]}`), list)                             // a digest that is none
	f.Add([]byte(`{"schemaVersion":2,"config":{"digest":"`+emptyDigest+`"},"layers":[]}`), image)              // an image
	f.Add([]byte(`{"schemaVersion":2,"config":null,"layers":null,"manifests":null}`), image)                   // both, of nothing
	f.Add([]byte(`{"schemaVersion":1,"fsLayers":[]}`), "application/vnd.docker.distribution.manifest.v1+json") // an image of the first schema
	f.Add([]byte(`{}`), ";")                                                                                   // a media type that cannot be read
	importer := New(Options{})
	f.Fuzz(func(t *testing.T, content []byte, told string) {
		doc, err := importer.read(content, told, "")
		switch {
		case err != nil:
			_ = Status(err, "x")
		case doc.index == nil && doc.image.Config.Digest.Validate() != nil:
			t.Errorf("%q is neither a list nor an image with a config", content)
		}
	})
}

const emptyDigest = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// FuzzKeychain: whatever a Secret holds, a registry gets only credentials that stand in
// it for that registry.
func FuzzKeychain(f *testing.F) {
	f.Add([]byte(`{"auths":{"quay.io":{"auth":"dTpw"}}}`), false, "quay.io/a/b")                                        // as podman login writes it
	f.Add([]byte(`{"auths":{"https://index.docker.io/v1/":{"auth":"dTpw"}}}`), false, "busybox")                        // as docker login does
	f.Add([]byte(`{"registry.example.com:5000":{"username":"u","password":"p"}}`), true, "registry.example.com:5000/a") // the older form
	f.Add([]byte(`{"auths":{"quay.io/a":{"auth":"dTpw"},"quay.io":{"identitytoken":"t"}}}`), false, "quay.io/ab")       // a path that only begins alike
	f.Add([]byte(`{"auths":{"":{"auth":"dTpw"},"/":{"auth":"dTpw"},"http://":{}}}`), false, "quay.io/a")                // keys of nothing
	f.Add([]byte(`{"auths":{"quay.io":{"auth":"dTp"}}}`), false, "quay.io/a")                                           // no base64
	f.Add([]byte(`{"auths":null}`), false, "a")                                                                         // nothing
	f.Fuzz(func(t *testing.T, content []byte, old bool, image string) {
		repository, err := name.NewRepository(image)
		if err != nil {
			t.Skip("no repository")
		}
		secret := corev1.Secret{Type: corev1.SecretTypeDockerConfigJson, Data: map[string][]byte{corev1.DockerConfigJsonKey: content}}
		if old {
			secret = corev1.Secret{Type: corev1.SecretTypeDockercfg, Data: map[string][]byte{corev1.DockerConfigKey: content}}
		}
		auth, err := Keychain([]corev1.Secret{secret}).Resolve(repository)
		if err != nil {
			t.Fatal(err)
		}
		if auth == authn.Anonymous {
			return
		}
		config, err := authn.Authorization(context.Background(), auth)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := dockerconfig.Read(&secret)
		if err != nil {
			t.Fatalf("credentials out of a Secret that cannot be read: %v", err)
		}
		for key, entry := range entries {
			if entry == *config && isFor(key, repository) {
				return
			}
		}
		t.Fatalf("%s gets credentials that are for none of %q", repository, content)
	})
}

// isFor reports whether a key of a file of credentials stands for the repository, part
// by part.
func isFor(key string, repository name.Repository) bool {
	key = strings.TrimPrefix(strings.TrimPrefix(key, "https://"), "http://")
	parts := strings.Split(strings.TrimSuffix(key, "/"), "/")
	if last := len(parts) - 1; last > 0 && (parts[last] == "v1" || parts[last] == "v2") {
		parts = parts[:last] // the version of the API; a repository of that name has another parent
	}
	if parts[0] == "docker.io" || parts[0] == "registry-1.docker.io" {
		parts[0] = name.DefaultRegistry
	}
	of := strings.Split(repository.String(), "/")
	for len(parts) > 1 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return len(parts) <= len(of) && slices.Equal(parts, of[:len(parts)])
}

// FuzzPolicy: an entry of blocked or insecure registries stands for what it says part by
// part, and for nothing that only begins or ends alike.
func FuzzPolicy(f *testing.F) {
	f.Add("quay.io", "quay.io/a/b:v1")               // a registry
	f.Add("quay.io/a", "quay.io/ab")                 // a path that only begins alike
	f.Add("docker.io/library", "busybox")            // Docker Hub as users write it
	f.Add("*.example.com", "a.b.example.com:5000/x") // a domain
	f.Add("*.example.com", "badexample.com/x")       // one that only ends alike
	f.Add("localhost:5000", "localhost:50000/x")     // a port
	f.Add("", "a")                                   // nothing
	f.Add("*.", "a.:1/x")                            // the root
	f.Add("quay.io/", "quay.io/a@"+emptyDigest)      // a slash at the end
	f.Fuzz(func(t *testing.T, scope, image string) {
		ref, err := name.ParseReference(image)
		if err != nil {
			t.Skip("no image")
		}
		repository := ref.Context()
		want := covers(scope, repository.RegistryStr(), repository.RepositoryStr()) ||
			repository.RegistryStr() == name.DefaultRegistry && covers(scope, "docker.io", repository.RepositoryStr())
		if got := (Policy{Blocked: []string{"other.example.com", scope}}).blocks(repository); got != want {
			t.Fatalf("%q stands for %s: %t", scope, repository, got)
		}
	})
}

func covers(scope, host, repository string) bool {
	if domain, wildcard := strings.CutPrefix(scope, "*."); wildcard {
		hostname, _, _ := strings.Cut(host, ":")
		labels, of := strings.Split(hostname, "."), strings.Split(domain, ".")
		return len(labels) > len(of) && slices.Equal(labels[len(labels)-len(of):], of)
	}
	parts, of := strings.Split(scope, "/"), append([]string{host}, strings.Split(repository, "/")...)
	return len(parts) <= len(of) && slices.Equal(parts, of[:len(parts)])
}

// FuzzPrioritize: whatever a registry calls its tags and in which order it lists them,
// they come in one order, none is lost, and latest is first.
func FuzzPrioritize(f *testing.F) {
	f.Add("v1 latest 1.2 v1.10.0 1.9.0-rc1") // versions of all forms
	f.Add("01.2.3 1.2.3.4 v1.2-01 1.2.3+b")  // nearly versions
	f.Add("a a A _ -")                       // twice, and no versions
	f.Add("99999999999999999999.1 1.0-")     // too large a number, nothing behind the hyphen
	f.Fuzz(func(t *testing.T, list string) {
		tags := strings.Fields(list)
		forward, backward := slices.Clone(tags), slices.Clone(tags)
		slices.Reverse(backward)
		prioritize(forward)
		prioritize(backward)
		if !slices.Equal(forward, backward) {
			t.Fatalf("%q come as %q, and from the end as %q", tags, forward, backward)
		}
		if slices.Contains(tags, "latest") && forward[0] != "latest" {
			t.Fatalf("%q come as %q", tags, forward)
		}
		slices.Sort(forward)
		if slices.Sort(tags); !slices.Equal(tags, forward) {
			t.Fatalf("%q become %q", tags, forward)
		}
	})
}
