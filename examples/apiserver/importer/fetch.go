package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"sync"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/internal/quote"
	"github.com/polyarch/polyarch/manifestlist"
)

// A source is a repository as one image of the import may read it.
type source struct {
	session *Session
	key     pullerKey
	repo    name.Repository
}

// A document is a manifest: a list if index is set, else an image.
type document struct {
	content   []byte
	digest    digest.Digest
	mediaType string
	index     *manifestlist.Index
	image     ocispec.Manifest
}

// A fetch is one request and its outcome, which all that ask for the same share.
type fetch struct {
	once     sync.Once
	document *document
	config   []byte
	err      error
}

func (s source) fetch(what string) *fetch {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	key := fmt.Sprintf("%s %+v %s", s.repo.Name(), s.key, what)
	f := s.session.fetched[key]
	if f == nil {
		f = &fetch{}
		s.session.fetched[key] = f
	}
	return f
}

// exchange does one request within the limits.
func (s source) exchange(ctx context.Context, do func(context.Context) error) error {
	free, err := s.session.slot(ctx)
	if err != nil {
		return err
	}
	defer free()
	ctx, cancel := context.WithTimeout(ctx, s.session.importer.limits.Exchange)
	defer cancel()
	return do(ctx)
}

// manifest reads a manifest by tag or digest.
func (s source) manifest(ctx context.Context, identifier string) (*document, error) {
	f := s.fetch("manifest " + identifier)
	f.once.Do(func() {
		ref := name.Reference(s.repo.Tag(identifier))
		if _, err := digest.Parse(identifier); err == nil {
			ref = s.repo.Digest(identifier)
		}
		f.err = s.exchange(ctx, func(ctx context.Context) error {
			puller, err := s.session.puller(s.key)
			if err != nil {
				return err
			}
			got, err := puller.Get(ctx, ref)
			if err != nil {
				return err
			}
			f.document, err = s.session.importer.read(got.Manifest, string(got.MediaType), digest.Digest(got.Digest.String()))
			return err
		})
	})
	return f.document, f.err
}

// config reads the config of an image, which has to be what the manifest says.
func (s source) config(ctx context.Context, d ocispec.Descriptor) ([]byte, error) {
	f := s.fetch("config " + d.Digest.String())
	f.once.Do(func() {
		if d.Size > s.session.importer.limits.Body {
			f.err = &TooLargeError{s.session.importer.limits.Body}
			return
		}
		f.err = s.exchange(ctx, func(ctx context.Context) error {
			puller, err := s.session.puller(s.key)
			if err != nil {
				return err
			}
			layer, err := puller.Layer(ctx, s.repo.Digest(d.Digest.String()))
			if err != nil {
				return err
			}
			body, err := layer.Compressed()
			if err != nil {
				return err
			}
			defer body.Close()
			f.config, err = io.ReadAll(body)
			return err
		})
	})
	return f.config, f.err
}

// A ContentError is content that is not what it should be.
type ContentError struct{ Why string }

func (e *ContentError) Error() string {
	if e == nil {
		return "bad content"
	}
	return e.Why
}

// code is the rule of manifestlist that the content breaks.
func code(err error) string {
	var of *manifestlist.IndexError
	if errors.As(err, &of) {
		return fmt.Sprintf(" (%s)", of.Code)
	}
	return ""
}

// read tells a list from an image. The type that a manifest declares counts before
// the one that the registry tells of, which is not part of its digest.
func (i *Importer) read(content []byte, told string, d digest.Digest) (*document, error) {
	var declared struct {
		MediaType      string
		SchemaVersion  int
		Manifests      json.RawMessage
		Config, Layers json.RawMessage
		FSLayers       json.RawMessage
	}
	if err := json.Unmarshal(content, &declared); err != nil {
		return nil, &ContentError{"the manifest is no JSON object"}
	}
	doc := &document{content: content, digest: d, mediaType: declared.MediaType}
	if doc.mediaType == "" {
		doc.mediaType, _, _ = mime.ParseMediaType(told)
	}
	is := types.MediaType(doc.mediaType)
	switch {
	case is.IsIndex() || !is.IsImage() && declared.Manifests != nil:
		index, err := manifestlist.ParseLimit(content, int(i.limits.Body))
		if err != nil {
			return nil, &ContentError{"the manifest list is not valid" + code(err)}
		}
		if n := len(index.Manifests); n > i.limits.Entries {
			return nil, &ContentError{fmt.Sprintf("the manifest list has %d entries, of which at most %d are imported", n, i.limits.Entries)}
		}
		doc.index = &index
	case declared.SchemaVersion != 2 || declared.FSLayers != nil || is.IsSchema1():
		return nil, &ContentError{fmt.Sprintf("manifests of schema version %d are not supported", declared.SchemaVersion)}
	case declared.Manifests != nil:
		return nil, &ContentError{"the manifest is an image and a list at once"}
	case declared.Config == nil || !is.IsImage() && declared.Layers == nil:
		return nil, &ContentError{"the type of the manifest is not supported"}
	default:
		if err := json.Unmarshal(content, &doc.image); err != nil {
			return nil, &ContentError{"the manifest is no image manifest"}
		}
		if err := doc.image.Config.Digest.Validate(); err != nil {
			return nil, &ContentError{"the digest of the config is not valid"}
		}
	}
	return doc, nil
}

// hasCredentials reports whether there are any for the repository.
func (s source) hasCredentials(ctx context.Context) bool {
	auth, err := s.session.keychain.Resolve(s.repo)
	if err != nil || auth == authn.Anonymous {
		return false
	}
	config, err := authn.Authorization(ctx, auth)
	return err == nil && *config != (authn.AuthConfig{})
}

// anonymous is the source without credentials.
func (s source) anonymous() source {
	s.key.anonymous = true
	return s
}

// open finds the source of an image.
func (s *Session) open(from string, insecure bool) (source, name.Reference, error) {
	var options []name.Option
	ref, err := name.ParseReference(from)
	if err != nil {
		return source{}, nil, &ContentError{"the name of the image is not valid"}
	}
	repo := ref.Context()
	if s.policy.blocks(repo) {
		return source{}, nil, &BlockedError{repo.RegistryStr()}
	}
	key := pullerKey{}
	if insecure || s.policy.insecure(repo.RegistryStr(), repo.RepositoryStr()) {
		key.insecure = repo.RegistryStr()
		options = append(options, name.Insecure)
		if ref, err = name.ParseReference(from, options...); err != nil {
			return source{}, nil, err
		}
	}
	return source{s, key, ref.Context()}, ref, nil
}

// A BlockedError is a registry that the cluster's configuration blocks.
type BlockedError struct{ Registry string }

func (e *BlockedError) Error() string {
	if e == nil {
		return "registry blocked"
	}
	return fmt.Sprintf("registry %s blocked", quote.Cut(e.Registry))
}
