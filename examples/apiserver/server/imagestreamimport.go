package server

import (
	"context"
	"fmt"
	"net/http"

	imagev1 "github.com/openshift/api/image/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/internal/quote"
)

// importREST takes image stream imports, which is what "oc import-image" sends.
// It writes the spec tags that an import writes, under the modes that importmode
// decides, and reports of every image that it was not imported: this server
// talks to no registry.
type importREST struct {
	streams streamViews
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

func (r importREST) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	requested := obj.(*imagev1.ImageStreamImport)
	defaultImport(requested)
	problems := append(validateImport(requested, request.NamespaceValue(ctx)), importmode.ValidateImageStreamImport(requested, nil)...)
	if len(problems) > 0 {
		return nil, apierrors.NewInvalid(importKind, quote.Cut(requested.Name), problems)
	}
	if err := validate(ctx, requested.DeepCopy()); err != nil {
		return nil, err
	}

	answer := requested.DeepCopy()
	answer.Status = imagev1.ImageStreamImportStatus{}
	var decisions []importmode.DecidedTag
	decide := func(stored *imagev1.ImageStream) {
		decisions = importmode.DefaultImageStreamImport(decisions[:0], requested, stored, r.cluster, optionsFor(ctx))
	}
	if requested.Spec.Import {
		stream, err := edit(func(stored *imagev1.ImageStream) (*imagev1.ImageStream, error) {
			if v := requested.ResourceVersion; v != "" && (stored == nil || v != stored.ResourceVersion) {
				return nil, apierrors.NewConflict(streamResource, requested.Name, fmt.Errorf("the image stream is not at resourceVersion %s any more", v))
			}
			decide(stored)
			return withImports(ctx, requested, stored, decisions), nil
		}).apply(ctx, r.streams, requested.Name, options.DryRun)
		if err != nil {
			return nil, err
		}
		answer.Status.Import = stream
	} else {
		stored, err := r.streams.Get(ctx, requested.Name, &metav1.GetOptions{})
		switch {
		case err == nil:
			decide(stored.(*imagev1.ImageStream))
		case apierrors.IsNotFound(err):
			decide(nil)
		default:
			return nil, err
		}
	}
	for i, d := range decisions {
		image, path := requested.Spec.Images[i], field.NewPath("spec", "images").Index(i)
		warn(ctx, d.Findings(path))
		warnLegacy(ctx, r.cluster, d.TagDecision, image.ImportPolicy.ImportMode, path)
		status := imagev1.ImageImportStatus{Status: notImported(fmt.Sprintf("%s would be imported as %s (%s)", image.From.Name, d.Import, d.Reason))}
		if image.To != nil {
			status.Tag = image.To.Name
		}
		answer.Status.Images = append(answer.Status.Images, status)
	}
	if repository := requested.Spec.Repository; repository != nil {
		answer.Status.Repository = &imagev1.RepositoryImportStatus{Status: notImported("the tags of " + repository.From.Name + " are not known")}
	}
	return answer, nil
}

// withImports returns the stream with a spec tag for each image that goes to
// one. A generation of 0 is how an import is asked for.
func withImports(ctx context.Context, requested *imagev1.ImageStreamImport, stored *imagev1.ImageStream, decisions []importmode.DecidedTag) *imagev1.ImageStream {
	stream := stored
	if stream == nil {
		stream = &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: request.NamespaceValue(ctx), Name: requested.Name}}
	}
	for i, d := range decisions {
		image := requested.Spec.Images[i]
		if image.To == nil || image.To.Name == "" {
			continue
		}
		tag := specTag(stream, image.To.Name)
		if tag == nil {
			stream.Spec.Tags = append(stream.Spec.Tags, imagev1.TagReference{Name: image.To.Name})
			tag = &stream.Spec.Tags[len(stream.Spec.Tags)-1]
		}
		tag.From, tag.ImportPolicy, tag.ReferencePolicy = image.From.DeepCopy(), image.ImportPolicy, image.ReferencePolicy
		tag.ImportPolicy.ImportMode = d.Store
		tag.Generation = new(int64(0))
	}
	return stream
}

func notImported(detail string) metav1.Status {
	return metav1.Status{
		Status:  metav1.StatusFailure,
		Reason:  "NotImported",
		Message: "not imported, since this server talks to no registry; " + detail,
		Code:    http.StatusNotImplemented,
	}
}
