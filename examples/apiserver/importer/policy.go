package importer

import (
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
)

// A Policy is what the registrySources of image.config.openshift.io/cluster say of
// registries. An entry is a scope as that API describes it: host[:port][/path], or
// *.domain. Upstream compares the whole entry with the host, so that there scopes
// with a path or a wildcard are without effect.
type Policy struct {
	// Blocked registries are not imported from.
	Blocked []string
	// InsecureRegistries may speak plain HTTP, or have certificates of their own making.
	InsecureRegistries []string
}

// blocks reports whether nothing may be imported from the repository.
func (p Policy) blocks(repository name.Repository) bool {
	return inScope(p.Blocked, repository.RegistryStr(), repository.RepositoryStr())
}

func (p Policy) insecure(host, repository string) bool {
	return inScope(p.InsecureRegistries, host, repository)
}

// inScope reports whether an entry stands for the repository. Docker Hub is known by
// the name that users write.
func inScope(scopes []string, host, repository string) bool {
	if host == name.DefaultRegistry && inScope(scopes, "docker.io", repository) {
		return true
	}
	return slices.ContainsFunc(scopes, func(scope string) bool {
		if domain, wildcard := strings.CutPrefix(scope, "*."); wildcard {
			hostname, _, _ := strings.Cut(host, ":")
			return strings.HasSuffix(hostname, "."+domain)
		}
		below, is := strings.CutPrefix(host+"/"+repository, scope)
		return is && (below == "" || below[0] == '/')
	})
}
