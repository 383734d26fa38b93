package judge

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	imagev1 "github.com/openshift/api/image/v1"
)

// agree is how many new image streams have to get the mode, one after the other,
// since servers of before a rollout may still answer beside those of after it.
const agree = 3

// manifest is an image stream whose tags name these modes, "" for none. Its tags
// are references, so that nothing is imported, from a host that there is not.
func (r *run) manifest(name string, modes ...imagev1.ImportModeType) *imagev1.ImageStream {
	is := &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{
		Namespace: r.namespace, Name: name + "-" + r.Run, Labels: r.labels(),
	}}
	for i, mode := range modes {
		is.Spec.Tags = append(is.Spec.Tags, imagev1.TagReference{
			Name:         fmt.Sprintf("t%d", i+1),
			From:         &corev1.ObjectReference{Kind: "DockerImage", Name: "conformance.invalid/nothing:" + fmt.Sprint(i+1)},
			Reference:    true,
			ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode},
		})
	}
	return is
}

// unset is a manifest whose tags name no mode.
func (r *run) unset(name string) *imagev1.ImageStream { return r.manifest(name, "", "") }

// create stores an image stream and reads it back.
func (r *run) create(ctx context.Context, is *imagev1.ImageStream) (*imagev1.ImageStream, error) {
	if r.noNamespace != nil {
		return nil, r.noNamespace
	}
	err := r.try(ctx, func(ctx context.Context) error { return r.client.Create(ctx, is.DeepCopy()) })
	// It is there if the answer to the first try was lost.
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return nil, err
	}
	stored, err := r.read(ctx, is)
	if err == nil && stored.Labels[LabelRun] != r.Run {
		return nil, missing(fmt.Sprintf("imagestreams[%s] is there, and not of this run", is.Name))
	}
	return stored, err
}

func (r *run) read(ctx context.Context, is *imagev1.ImageStream) (*imagev1.ImageStream, error) {
	stored := &imagev1.ImageStream{}
	err := r.try(ctx, func(ctx context.Context) error { return r.client.Get(ctx, client.ObjectKeyFromObject(is), stored) })
	return stored, err
}

// reapply puts a manifest in the place of what is stored, as "kubectl replace"
// does.
func (r *run) reapply(ctx context.Context, manifest *imagev1.ImageStream) (*imagev1.ImageStream, error) {
	for {
		stored, err := r.read(ctx, manifest)
		if err != nil {
			return nil, err
		}
		next := manifest.DeepCopy()
		next.ResourceVersion = stored.ResourceVersion
		err = r.try(ctx, func(ctx context.Context) error { return r.client.Update(ctx, next) })
		if apierrors.IsConflict(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return r.read(ctx, manifest)
	}
}

// newTags is what the tags of a new image stream have that is not stored.
func (r *run) newTags(ctx context.Context, name string) (string, error) {
	is := r.unset(name)
	if err := r.client.Create(ctx, is, client.DryRunAll); err != nil {
		return "", err
	}
	return modes(is), nil
}

// modes is the mode of each tag, in their order.
func modes(is *imagev1.ImageStream) string {
	var all []string
	for _, tag := range is.Spec.Tags {
		all = append(all, tag.Name+" "+orNone(tag.ImportPolicy.ImportMode))
	}
	return strings.Join(all, ", ")
}

// allTags is what modes says of a stream of unset if all tags have the mode.
func allTags[S ~string](mode S) string {
	return fmt.Sprintf("t1 %s, t2 %s", mode, mode)
}
