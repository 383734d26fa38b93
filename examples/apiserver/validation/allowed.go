package validation

import (
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/go-containerregistry/pkg/name"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/quote"
)

// AllowedRegistries is allowedRegistriesForImport of the configuration. It models
// RegistryWhitelister of openshift-apiserver (pkg/image/apis/image/validation/
// whitelist/whitelister.go, bbe554a). Upstream lets those pass who may create images,
// which the one user of this server may; here the list is for all.
type AllowedRegistries []allowedRegistry

// An allowedRegistry matches host and port, with wildcards in both.
type allowedRegistry struct {
	shown      string
	host, port *regexp.Regexp
}

// NewAllowedRegistries reads the list, of which an entry is host or host:port.
func NewAllowedRegistries(config openshiftcontrolplanev1.AllowedRegistries) (AllowedRegistries, error) {
	var all AllowedRegistries
	for i, location := range config {
		host, port, _ := strings.Cut(location.DomainName, ":")
		if host == "" || strings.Contains(port, ":") || !utf8.ValidString(location.DomainName) {
			return nil, fmt.Errorf("imagePolicyConfig.allowedRegistriesForImport[%d].domainName is %s, must be host or host:port", i, quote.Quote(location.DomainName))
		}
		if port == "" {
			port = defaultPort(location.Insecure)
		}
		all = append(all, allowedRegistry{net.JoinHostPort(host, port), wildcard(host), wildcard(port)})
	}
	return all, nil
}

func defaultPort(insecure bool) string {
	if insecure {
		return "80"
	}
	return "443"
}

// wildcard is IsWildcardMatch there: * is any number of characters, ? is one.
func wildcard(pattern string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern)) + "$")
}

// admit refuses an image from a registry that is not allowed. Without a list, all
// are.
func (a AllowedRegistries) admit(image string, insecure bool, at *field.Path) *field.Error {
	ref, err := name.ParseReference(image)
	if len(a) == 0 || err != nil {
		return nil // what is no name is refused for that
	}
	registry := ref.Context().RegistryStr()
	host, port, err := net.SplitHostPort(registry)
	if err != nil {
		host, port = registry, defaultPort(insecure)
	}
	hosts := []string{host}
	if host == name.DefaultRegistry {
		hosts = append(hosts, "docker.io", "registry-1.docker.io")
	}
	for _, allowed := range a {
		if allowed.port.MatchString(port) && slices.ContainsFunc(hosts, allowed.host.MatchString) {
			return nil
		}
	}
	const most = 5
	var shown []string
	for _, allowed := range a[:min(len(a), most)] {
		shown = append(shown, allowed.shown)
	}
	more := ""
	if len(a) > most {
		more = fmt.Sprintf(" and %d more", len(a)-most)
	}
	return field.Forbidden(at, fmt.Sprintf("registry %s not allowed by allowedRegistriesForImport: %s%s", quote.Quote(registry), strings.Join(shown, ", "), more))
}

// AdmitImport is ValidateAllowedRegistries of pkg/image/apiserver/registry/
// imagestreamimport/strategy.go there.
func (a AllowedRegistries) AdmitImport(request *imagev1.ImageStreamImport) field.ErrorList {
	var problems field.ErrorList
	for i := range request.Spec.Images {
		image := &request.Spec.Images[i]
		if err := a.admit(image.From.Name, image.ImportPolicy.Insecure, field.NewPath("spec", "images").Index(i).Child("from", "name")); err != nil {
			problems = append(problems, err)
		}
	}
	if repository := request.Spec.Repository; repository != nil {
		if err := a.admit(repository.From.Name, repository.ImportPolicy.Insecure, field.NewPath("spec", "repository", "from", "name")); err != nil {
			problems = append(problems, err)
		}
	}
	return problems
}

// AdmitStream refuses tags that are imported, if they are new or have another
// source.
func (a AllowedRegistries) AdmitStream(stream, stored *imagev1.ImageStream) field.ErrorList {
	var problems field.ErrorList
	tags := TagsByName(stored)
	for i := range stream.Spec.Tags {
		tag := &stream.Spec.Tags[i]
		was := tags[tag.Name]
		if tag.From == nil || tag.From.Kind != KindDockerImage || was != nil && was.From != nil && *was.From == *tag.From {
			continue
		}
		if err := a.admit(tag.From.Name, tag.ImportPolicy.Insecure, field.NewPath("spec", "tags").Key(quote.Cut(tag.Name)).Child("from", "name")); err != nil {
			problems = append(problems, err)
		}
	}
	return problems
}
