package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	imagev1 "github.com/openshift/api/image/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/polyarch/polyarch/examples/apiserver/importer"
	"github.com/polyarch/polyarch/importmode"
)

// An importRun is one import on its way.
type importRun struct {
	importREST
	requested *imagev1.ImageStreamImport
	session   *importer.Session
	opts      importmode.Options

	tags, additional []string // of the repository
	listed           metav1.Status

	images, repository []target // as decided last
	results            outcomes
}

// outcomes are what has been fetched so far.
type outcomes map[importer.Wish]outcome

type outcome struct {
	importer.Result
	status metav1.Status
}

// list finds out which tags of the repository there are, and which are imported.
func (r *importRun) list(ctx context.Context) {
	repository := r.requested.Spec.Repository
	if repository == nil {
		return
	}
	tags, err := r.session.Tags(ctx, repository.From.Name, repository.ImportPolicy.Insecure)
	r.listed = importer.Status(err, repository.From.Name)
	r.tags = tags
	if r.maxTags >= 0 && len(tags) > r.maxTags {
		r.tags, r.additional = tags[:r.maxTags], tags[r.maxTags:]
	}
}

// decide plans the import into the stream as it is stored.
func (r *importRun) decide(stored *imagev1.ImageStream) {
	r.images = planImages(r.requested, stored, r.cluster, r.opts)
	r.repository = planRepository(r.requested, r.tags, stored, r.cluster, r.opts)
}

// targets are all that is imported, in the order in which upstream records it.
func (r *importRun) targets() []target {
	return append(r.repository[:len(r.repository):len(r.repository)], r.images...)
}

// fetch reads what has not been read yet.
func (r *importRun) fetch(ctx context.Context) {
	missing := map[importer.Wish]bool{}
	for _, t := range r.targets() {
		if _, known := r.results[t.wish]; !known {
			missing[t.wish] = true
		}
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	for wish := range missing {
		group.Go(func() {
			result, err := r.session.Import(ctx, wish)
			got := outcome{result, importer.Status(err, wish.From)}
			got.status.Message += strings.Join(result.Notes, "; ")
			mu.Lock()
			defer mu.Unlock()
			r.results[wish] = got
		})
	}
	group.Wait()
}

// A changedError is a stream for which something is to be imported that was not
// fetched.
type changedError struct{ stored *imagev1.ImageStream }

func (*changedError) Error() string { return "the image stream has changed" }

// write stores the images and then the stream that points to them. Images that no
// stream points to do no harm; pruning takes them.
func (r *importRun) write(ctx context.Context, dryRun []string) (*imagev1.ImageStream, error) {
	if err := r.writeImages(ctx, dryRun); err != nil {
		return nil, err
	}
	now := metav1.Now().Rfc3339Copy()
	return edit(func(stored *imagev1.ImageStream) (*imagev1.ImageStream, error) {
		if err := checkVersion(r.requested, stored); err != nil {
			return nil, err
		}
		r.decide(stored)
		for _, t := range r.targets() {
			if _, known := r.results[t.wish]; !known {
				return nil, &changedError{stored.DeepCopy()}
			}
		}
		stream := stored
		if stream == nil {
			stream = &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: request.NamespaceValue(ctx), Name: r.requested.Name}}
		}
		record(stream, r.targets(), r.results, now)
		return stream, nil
	}).apply(ctx, r.streams, r.requested.Name, dryRun)
}

func (r *importRun) writeImages(ctx context.Context, dryRun []string) error {
	ctx = request.WithNamespace(ctx, "")
	written := map[string]bool{}
	for _, t := range r.targets() {
		got := r.results[t.wish]
		if t.tag == "" || got.Image == nil {
			continue
		}
		for _, image := range append([]imagev1.Image{*got.Image}, got.Manifests...) {
			if written[image.Name] {
				continue
			}
			written[image.Name] = true
			_, err := r.importREST.images.Create(ctx, withoutBytes(&image), rest.ValidateAllObjectFunc, &metav1.CreateOptions{DryRun: dryRun})
			var large tooLargeError
			if errors.As(err, &large) {
				// The registry decides how large an image is: the others are imported.
				r.results[t.wish] = outcome{status: large.Status()}
				break
			}
			if err != nil && !apierrors.IsAlreadyExists(err) {
				return err
			}
		}
	}
	return nil
}

// withoutBytes is a copy of the image without manifest and config, which are not
// stored: whoever wants them asks the registry.
func withoutBytes(image *imagev1.Image) *imagev1.Image {
	stored := image.DeepCopy()
	stored.DockerImageManifest, stored.DockerImageConfig = "", ""
	return stored
}

// answer says what has become of each image. Stream is nil if nothing was to be
// stored.
func (r *importRun) answer(ctx context.Context, stream *imagev1.ImageStream) *imagev1.ImageStreamImport {
	r.warnImports(ctx)
	answer := r.requested.DeepCopy()
	answer.Status = imagev1.ImageStreamImportStatus{Import: stream}
	for i, t := range r.images {
		answer.Status.Images = append(answer.Status.Images, r.imageStatus(t, sourceTag(t.wish.From), r.requested.Spec.Images[i].IncludeManifest))
	}
	if spec := r.requested.Spec.Repository; spec != nil {
		repository := &imagev1.RepositoryImportStatus{Status: r.listed, AdditionalTags: r.additional}
		failures := 0
		for _, t := range r.repository {
			status := r.imageStatus(t, t.tag, spec.IncludeManifest)
			if status.Status.Status != metav1.StatusSuccess {
				failures++
			}
			repository.Images = append(repository.Images, status)
		}
		if failures > 0 {
			repository.Status = metav1.Status{Status: metav1.StatusFailure, Reason: "ImportFailed", Message: fmt.Sprintf("%d of the images from this repository failed to import", failures)}
		}
		answer.Status.Repository = repository
	}
	return answer
}

func (r *importRun) imageStatus(t target, tag string, includeManifest bool) imagev1.ImageImportStatus {
	got := r.results[t.wish]
	status := imagev1.ImageImportStatus{Status: got.status, Tag: tag}
	if got.Image == nil {
		return status
	}
	status.Image = got.Image.DeepCopy()
	if !includeManifest {
		status.Image = withoutBytes(got.Image)
	}
	for i := range got.Manifests {
		status.Manifests = append(status.Manifests, *withoutBytes(&got.Manifests[i]))
	}
	return status
}
