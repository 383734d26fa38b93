package controller

import (
	"maps"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// What the container of a job is told.
const (
	EnvPushSpec   = "PUSH_SPEC"
	EnvBase       = "BASE_IMAGE"
	EnvExtensions = "EXTENSIONS_IMAGE"
	EnvKernel     = "KERNEL_TYPE"
	EnvBuild      = "MACHINE_OS_BUILD" // the build to publish
)

// ContainerfileKey is where the ConfigMap with the name of the job holds the
// containerfile, DigestKey where DigestConfigMap of the job holds what the job
// reports.
const (
	ContainerfileKey = "Containerfile"
	DigestKey        = "digest"
)

// DigestConfigMap is the ConfigMap in which a job reports its digest.
func DigestConfigMap(job string) string { return "digest-" + job }

// retries is how often Kubernetes tries a job again.
const retries = 3

// objectsOf are the objects to create for an image, in their order.
func objectsOf(b buildplan.Build, i buildplan.Image, owner *mcfgv1.MachineOSBuild) []client.Object {
	meta := b.JobMeta(i)
	meta.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, mcfgv1.GroupVersion.WithKind("MachineOSBuild"))}
	backoffLimit, completions := int32(retries), int32(1)
	job := &batchv1.Job{ObjectMeta: meta, Spec: batchv1.JobSpec{
		BackoffLimit: &backoffLimit, Completions: &completions,
		Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever,
			NodeSelector:  i.NodeSelector(),
			Containers:    []corev1.Container{{Name: "build", Image: "builder", Env: []corev1.EnvVar{{Name: EnvPushSpec, Value: i.PushSpec}}}},
		}},
	}}
	container := &job.Spec.Template.Spec.Containers[0]
	if i.Architecture == "" {
		container.Env = append(container.Env, corev1.EnvVar{Name: EnvBuild, Value: b.Name})
		return []client.Object{job}
	}
	for name, value := range i.BuildArgs() {
		container.Env = append(container.Env, corev1.EnvVar{Name: name, Value: value})
	}
	container.Env = append(container.Env, corev1.EnvVar{Name: EnvBase, Value: i.Base.OS},
		corev1.EnvVar{Name: EnvExtensions, Value: i.Base.Extensions}, corev1.EnvVar{Name: EnvKernel, Value: i.Kernel})
	job.Spec.Template.Spec.Volumes = []corev1.Volume{{Name: "containerfile", VolumeSource: corev1.VolumeSource{
		ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: i.Job}},
	}}}
	files := &corev1.ConfigMap{ObjectMeta: *meta.DeepCopy(), Data: map[string]string{ContainerfileKey: i.Containerfile}}
	return []client.Object{files, job}
}

// Report is the ConfigMap in which a job reports the digest that it pushed.
func Report(job *batchv1.Job, digest string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: job.Namespace, Name: DigestConfigMap(job.Name),
			Labels: maps.Clone(job.Labels), Annotations: maps.Clone(job.Annotations),
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(job, batchv1.SchemeGroupVersion.WithKind("Job"))},
		},
		Data: map[string]string{DigestKey: digest},
	}
}
