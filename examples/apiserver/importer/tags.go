package importer

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// Tags lists the tags of a repository, those first that an import of some of them
// takes.
func (s *Session) Tags(ctx context.Context, from string, insecure bool) ([]string, error) {
	src, _, err := s.open(from, insecure)
	if err != nil {
		return nil, err
	}
	tags, err := src.tags(ctx)
	if isUnauthorized(err) && src.hasCredentials(ctx) {
		open, openErr := src.anonymous().tags(ctx)
		if isUnauthorized(openErr) {
			return nil, &CredentialsError{err}
		}
		tags, err = open, openErr
	}
	if err != nil {
		return nil, err
	}
	prioritize(tags)
	return slices.Compact(tags), nil
}

func (s source) tags(ctx context.Context) ([]string, error) {
	puller, err := s.session.puller(s.key)
	if err != nil {
		return nil, err
	}
	var tags []string
	var lister *remote.Lister
	limit := s.session.importer.limits.Tags
	for pages := 0; lister == nil || lister.HasNext(); pages++ {
		err := s.exchange(ctx, func(ctx context.Context) (err error) {
			if lister == nil {
				lister, err = puller.Lister(ctx, s.repo)
				return err
			}
			page, err := lister.Next(ctx)
			if err == nil {
				tags = append(tags, page.Tags...)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		// A page may be empty, and name another one that is.
		if len(tags) > limit || pages > maxPages {
			return nil, &ContentError{fmt.Sprintf("the repository lists more than %d tags: import those that you want by name", limit)}
		}
	}
	return slices.DeleteFunc(tags, func(tag string) bool { return !tagName.MatchString(tag) }), nil
}

// maxPages is how many pages of tags are read. A registry that gives 100 at a time,
// as few do, comes to the default limit of tags.
const maxPages = 200

// tagName is what a registry takes for a tag; anything else is not asked for.
var tagName = regexp.MustCompile(`^[\w][\w.-]{0,127}$`)

var (
	minorVersion = regexp.MustCompile(`^v?(0|[1-9]\d*)\.(0|[1-9]\d*)(-[\w.-]+)?$`)
	fullVersion  = regexp.MustCompile(`^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)`)
)

// prioritize is PrioritizeTags of library-go (pkg/image/imageutil): latest, then
// versions such as 5.1 and v5.1-rc1, then full ones, both downwards, then the others
// by name.
func prioritize(tags []string) {
	type ranked struct {
		class int
		of    *version.Version
	}
	rank := func(tag string) ranked {
		number := strings.TrimPrefix(tag, "v")
		switch {
		case tag == "latest":
			return ranked{class: 0}
		case minorVersion.MatchString(tag):
			core, pre, _ := strings.Cut(number, "-")
			if pre != "" {
				pre = "-" + pre
			}
			if v, err := version.ParseSemantic(core + ".0" + pre); err == nil {
				return ranked{1, v}
			}
		case fullVersion.MatchString(tag):
			if v, err := version.ParseSemantic(number); err == nil {
				return ranked{2, v}
			}
		}
		return ranked{class: 3}
	}
	slices.SortFunc(tags, func(a, b string) int {
		x, y := rank(a), rank(b)
		switch {
		case x.class != y.class:
			return cmp.Compare(x.class, y.class)
		case x.of == nil:
		case x.of.LessThan(y.of):
			return 1
		case y.of.LessThan(x.of):
			return -1
		}
		return strings.Compare(a, b)
	})
}
