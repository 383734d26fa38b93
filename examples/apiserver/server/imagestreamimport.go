package server

import (
	"context"
	"errors"
	"fmt"

	imagev1 "github.com/openshift/api/image/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/polyarch/polyarch/examples/apiserver/validation"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/internal/quote"
)

// importREST takes image stream imports, which is what "oc import-image" and the
// image import controller send. It models REST of openshift-apiserver (pkg/image/
// apiserver/registry/imagestreamimport/rest.go, 08af395), but for when it decides:
// registries are slow, so the images are fetched before the stream is written, by
// what was decided of the stream as it stood. At the write it is decided again, and
// what has become another wish is fetched once more.
type importREST struct {
	imports
	streams streamViews
	images  *registry.Store
	cluster imagev1.ImportModeType
}

var (
	_ rest.Creater              = importREST{}
	_ rest.Scoper               = importREST{}
	_ rest.SingularNameProvider = importREST{}
)

var importKind = schema.GroupKind{Group: imagev1.GroupName, Kind: "ImageStreamImport"}

func (importREST) New() runtime.Object     { return &imagev1.ImageStreamImport{} }
func (importREST) Destroy()                {}
func (importREST) NamespaceScoped() bool   { return true }
func (importREST) GetSingularName() string { return "imagestreamimport" }

// importAttempts is how often images are fetched for one import whose stream changes
// meanwhile.
const importAttempts = 3

func (r importREST) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	requested := obj.(*imagev1.ImageStreamImport)
	validation.DefaultImport(requested)
	problems := append(validation.Import(requested, request.NamespaceValue(ctx)), importmode.ValidateImageStreamImport(requested, nil)...)
	problems = append(problems, r.allowed.AdmitImport(requested)...)
	if len(problems) > 0 {
		return nil, apierrors.NewInvalid(importKind, quote.Cut(requested.Name), problems)
	}
	if err := validate(ctx, requested.DeepCopy()); err != nil {
		return nil, err
	}
	stored, err := r.stored(ctx, requested)
	if err != nil {
		return nil, err
	}
	session, err := r.session(ctx, request.NamespaceValue(ctx))
	if err != nil {
		return nil, err
	}
	run := &importRun{importREST: r, requested: requested, session: session, results: outcomes{}, opts: optionsFor(ctx)}
	fetching, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	run.list(fetching)
	for range importAttempts {
		run.decide(stored)
		run.fetch(fetching)
		if !requested.Spec.Import {
			return run.answer(ctx, nil), nil
		}
		stream, err := run.write(ctx, options.DryRun)
		var changed *changedError
		switch {
		case errors.As(err, &changed):
			stored = changed.stored
		case err != nil:
			return nil, err
		default:
			return run.answer(ctx, stream), nil
		}
	}
	return nil, apierrors.NewConflict(streamResource, requested.Name,
		fmt.Errorf("the image stream changed what is to be imported, each of the %d times that it was fetched", importAttempts))
}

// stored reads the stream that is imported into, nil if there is none yet.
func (r importREST) stored(ctx context.Context, requested *imagev1.ImageStreamImport) (*imagev1.ImageStream, error) {
	obj, err := r.streams.Get(ctx, requested.Name, &metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, checkVersion(requested, nil)
	}
	if err != nil {
		return nil, err
	}
	stream := obj.(*imagev1.ImageStream)
	return stream, checkVersion(requested, stream)
}

// checkVersion holds what the client has read against the stream.
func checkVersion(requested *imagev1.ImageStreamImport, stored *imagev1.ImageStream) error {
	switch version, uid := requested.ResourceVersion, requested.UID; {
	case version == "" && uid == "":
	case stored == nil, uid != "" && uid != stored.UID:
		return apierrors.NewConflict(streamResource, requested.Name, errors.New("the image stream is another one, or gone"))
	case version != "" && version != stored.ResourceVersion:
		return apierrors.NewConflict(streamResource, requested.Name, fmt.Errorf("the image stream is not at resourceVersion %s any more", version))
	}
	return nil
}

// warnImports tells the client what is odd about the modes that it has sent.
func (r *importRun) warnImports(ctx context.Context) {
	for i, t := range r.images {
		path := field.NewPath("spec", "images").Index(i)
		warn(ctx, t.Findings(path))
		warnLegacy(ctx, r.cluster, t.TagDecision, r.requested.Spec.Images[i].ImportPolicy.ImportMode, path)
	}
	for i, t := range r.repository {
		path := field.NewPath("spec", "repository")
		warn(ctx, t.Findings(path))
		if i == 0 {
			warnLegacy(ctx, r.cluster, t.TagDecision, r.requested.Spec.Repository.ImportPolicy.ImportMode, path)
		}
	}
}
