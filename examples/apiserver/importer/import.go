package importer

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	imagev1 "github.com/openshift/api/image/v1"
	"golang.org/x/sync/errgroup"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/polyarch/polyarch/internal/quote"
	"github.com/polyarch/polyarch/manifestlist"
)

// Import reads an image as it is wished for. The error becomes a status by
// [Status].
func (s *Session) Import(ctx context.Context, w Wish) (Result, error) {
	src, ref, err := s.open(w.From, w.Insecure)
	if err != nil {
		return Result{}, err
	}
	result, err := src.read(ctx, ref, w)
	if isUnauthorized(err) && src.hasCredentials(ctx) {
		// Registries refuse wrong credentials for images that anyone may read.
		open, openErr := src.anonymous().read(ctx, ref, w)
		switch {
		case isUnauthorized(openErr):
			err = &CredentialsError{err}
		default:
			result, err = open, openErr
		}
	}
	return result, err
}

func (s source) read(ctx context.Context, ref name.Reference, w Wish) (Result, error) {
	wanted := ocispec.Platform{Architecture: w.PreferArch, OS: w.PreferOS}
	if _, byDigest := ref.(name.Digest); byDigest {
		wanted = ocispec.Platform{}
	}
	doc, err := s.manifest(ctx, ref.Identifier())
	if err != nil {
		return Result{}, err
	}
	switch {
	case doc.index == nil:
		image, err := s.image(ctx, doc, w.From)
		return Result{Image: image}, err
	case w.Mode == imagev1.ImportModePreserveOriginal:
		return s.preserve(ctx, doc, w.From)
	}
	entry, note, err := s.choose(doc.index, wanted)
	if err != nil {
		return Result{}, err
	}
	image, err := s.entryImage(ctx, entry, w.From)
	if err != nil {
		return Result{}, err
	}
	return Result{Image: image, Notes: note}, nil
}

// choose takes one image of a list, as Legacy does.
func (s source) choose(index *manifestlist.Index, wanted ocispec.Platform) (ocispec.Descriptor, []string, error) {
	choice, err := manifestlist.Select(index.Index, wanted, manifestlist.SelectOptions{Policy: manifestlist.OpenShiftLegacy, Host: s.session.importer.host})
	if err != nil {
		return ocispec.Descriptor{}, nil, &ContentError{"no image can be chosen of the manifest list" + code(err)}
	}
	entry := index.Manifests[choice.Position]
	var notes []string
	switch choice.Reason {
	case manifestlist.ReasonFallbackLinuxAMD64, manifestlist.ReasonFallbackFirst:
		orDefault(&wanted.OS, s.session.importer.host.OS)
		orDefault(&wanted.Architecture, s.session.importer.host.Architecture)
		notes = []string{fmt.Sprintf("the manifest list has no image for %s, its image for %s was imported", quote.Cut(wanted.OS+"/"+wanted.Architecture), platform(entry.Platform))}
	}
	return entry, notes, nil
}

// entryImage reads the image of an entry, which must not be a list.
func (s source) entryImage(ctx context.Context, entry ocispec.Descriptor, from string) (*imagev1.Image, error) {
	doc, err := s.entry(ctx, entry)
	if err == nil && doc.index != nil {
		err = &ContentError{"it is a manifest list in a manifest list"}
	}
	var image *imagev1.Image
	if err == nil {
		image, err = s.image(ctx, doc, from)
	}
	if err != nil {
		return nil, &EntryError{entry.Digest, platform(entry.Platform), err}
	}
	return image, nil
}

func (s source) entry(ctx context.Context, entry ocispec.Descriptor) (*document, error) {
	if err := entry.Digest.Validate(); err != nil {
		return nil, &ContentError{"its digest is not valid"}
	}
	return s.manifest(ctx, entry.Digest.String())
}

// preserve reads a list and all that it lists.
func (s source) preserve(ctx context.Context, doc *document, from string) (Result, error) {
	if len(doc.index.Manifests) == 0 {
		return Result{}, &ContentError{"the manifest list is empty"}
	}
	entries := make([]imagev1.ImageManifest, len(doc.index.Manifests))
	result := Result{Manifests: make([]imagev1.Image, len(entries))}
	reduced := make([]bool, len(entries))
	// The others are not canceled with one that fails: other images of the import may
	// wait for the same request.
	var group errgroup.Group
	group.SetLimit(s.session.importer.limits.Parallel)
	var failed atomic.Bool
	errs := make([]error, len(entries))
	attestations := 0
	for i, entry := range doc.index.Manifests {
		if manifestlist.IsAttestation(entry) {
			attestations++
		}
		group.Go(func() error {
			if failed.Load() {
				return nil
			}
			image, is, wasList, err := s.child(ctx, entry, from)
			if err != nil {
				failed.Store(true)
				errs[i] = &EntryError{entry.Digest, platform(entry.Platform), err}
				return nil
			}
			result.Manifests[i], entries[i], reduced[i] = *image, listed(is), wasList
			return nil
		})
	}
	_ = group.Wait() // which returns no error, as its functions do not
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return Result{}, errs[i]
	}
	for i, was := range reduced {
		if was {
			result.Notes = append(result.Notes, fmt.Sprintf("entry %s of the manifest list is a manifest list itself, of which %s was imported",
				shown(doc.index.Manifests[i].Digest), entries[i].Digest))
		}
	}
	if attestations > 0 {
		result.Notes = append(result.Notes, fmt.Sprintf("%d of the %d entries of the manifest list are attestations, and were imported as images", attestations, len(entries)))
	}
	result.Image = listImage(doc, from, entries)
	return result, nil
}

// child reads the image of an entry, and of a list in a list the one that Legacy
// would take. The descriptor is of the image that was read.
func (s source) child(ctx context.Context, entry ocispec.Descriptor, from string) (*imagev1.Image, ocispec.Descriptor, bool, error) {
	doc, err := s.entry(ctx, entry)
	wasList := err == nil && doc.index != nil
	if wasList {
		if entry, _, err = s.choose(doc.index, ocispec.Platform{}); err == nil {
			doc, err = s.entry(ctx, entry)
		}
		if err == nil && doc.index != nil {
			err = &ContentError{"it is a manifest list in a manifest list"}
		}
	}
	if err != nil {
		return nil, entry, wasList, err
	}
	image, err := s.image(ctx, doc, from)
	return image, entry, wasList, err
}

// listed is an entry as the Image of the list shows it.
func listed(entry ocispec.Descriptor) imagev1.ImageManifest {
	m := imagev1.ImageManifest{Digest: entry.Digest.String(), MediaType: entry.MediaType, ManifestSize: entry.Size}
	if p := entry.Platform; p != nil {
		m.Architecture, m.OS, m.Variant = p.Architecture, p.OS, p.Variant
	}
	return m
}

// An EntryError is an entry of a list that cannot be imported.
type EntryError struct {
	Digest   digest.Digest
	Platform string
	Err      error
}

func (e *EntryError) Error() string {
	if e == nil {
		return "bad entry"
	}
	return fmt.Sprintf("manifest %s (%s) of the list: %v", shown(e.Digest), e.Platform, e.Err)
}

func (e *EntryError) Unwrap() error { return e.Err }
