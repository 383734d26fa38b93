package builder

import (
	"context"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/internal/dockerconfig"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
)

// keys are the credentials that are mounted into the pod of a job.
type keys struct{ pull, push dockerconfig.Keychain }

// scheduled returns what is mounted into a pod of the job; nil if it cannot start,
// because no node fits or because a secret is missing that it mounts.
func (r *Builder) scheduled(ctx context.Context, job *batchv1.Job) (*keys, error) {
	var nodes corev1.NodeList
	if err := r.Reader.List(ctx, &nodes); err != nil {
		return nil, err
	}
	spec := job.Spec.Template.Spec
	if !slices.ContainsFunc(nodes.Items, func(n corev1.Node) bool { return fits(spec, n) }) {
		return nil, nil
	}
	k := &keys{}
	for _, v := range spec.Volumes {
		if v.Secret == nil {
			continue
		}
		key := client.ObjectKey{Namespace: job.Namespace, Name: v.Secret.SecretName}
		secret, err := operator.Lookup(ctx, r.Reader, key, &corev1.Secret{})
		if err != nil {
			return nil, err
		}
		if secret == nil {
			if v.Secret.Optional == nil || !*v.Secret.Optional {
				return nil, nil
			}
			continue
		}
		found, err := dockerconfig.Read(secret)
		if err != nil {
			return nil, err
		}
		switch v.Name {
		case controller.PullVolume:
			k.pull = found
		case controller.PushVolume:
			k.push = found
		}
	}
	return k, nil
}

// fits reports whether pods may run on a node: it has the labels that they select,
// and they tolerate its taints.
func fits(pod corev1.PodSpec, n corev1.Node) bool {
	return labels.SelectorFromSet(pod.NodeSelector).Matches(labels.Set(n.Labels)) &&
		!slices.ContainsFunc(n.Spec.Taints, func(taint corev1.Taint) bool {
			return taint.Effect != corev1.TaintEffectPreferNoSchedule &&
				!slices.ContainsFunc(pod.Tolerations, func(t corev1.Toleration) bool { return t.ToleratesTaint(klog.Background(), &taint, false) })
		})
}
