package controller

import (
	"maps"
	"slices"
	"strings"
	"time"

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
	EnvPullCreds  = "BASE_IMAGE_PULL_CREDS"
	EnvPushCreds  = "FINAL_IMAGE_PUSH_CREDS"
)

// The volumes and the service account of a job are named as those of the machine
// config operator: openshift/machine-config-operator,
// pkg/controller/build/buildrequest at commit 059d0339, buildRequestImpl.toBuildahPod.
const (
	PullVolume     = "base-image-pull-creds"
	PushVolume     = "final-image-push-creds"
	FilesVolume    = "containerfile"
	ServiceAccount = "machine-os-builder"
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

// A placement is what the jobs of a build have in common.
type placement struct {
	config *mcfgv1.MachineOSConfig
	// machineConfig is the rendered config as MachineConfigFile makes it.
	machineConfig string
	tolerations   []corev1.Toleration
	deadline      time.Duration
}

// objectsOf are the objects to create for an image, in their order.
func objectsOf(b buildplan.Build, i buildplan.Image, owner *mcfgv1.MachineOSBuild, p placement) []client.Object {
	meta := b.JobMeta(i)
	meta.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, mcfgv1.GroupVersion.WithKind("MachineOSBuild"))}
	backoffLimit, completions, deadline := int32(retries), int32(1), int64(p.deadline/time.Second)
	container := corev1.Container{Name: "build", Image: "builder", Env: []corev1.EnvVar{{Name: EnvPushSpec, Value: i.PushSpec}}}
	volumes := []corev1.Volume{
		secretVolume(PullVolume, pullSecret(p.config), p.config.Spec.BaseImagePullSecret == nil),
		secretVolume(PushVolume, p.config.Spec.RenderedImagePushSecret.Name, false),
	}
	for env, volume := range map[string]string{EnvPullCreds: PullVolume, EnvPushCreds: PushVolume} {
		container.Env = append(container.Env, corev1.EnvVar{Name: env, Value: "/tmp/" + volume + "/config.json"})
		container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{Name: volume, MountPath: "/tmp/" + volume, ReadOnly: true})
	}
	var files []client.Object
	if i.Architecture == "" {
		container.Env = append(container.Env, corev1.EnvVar{Name: EnvBuild, Value: b.Name})
	} else {
		for name, value := range i.BuildArgs() {
			container.Env = append(container.Env, corev1.EnvVar{Name: name, Value: value})
		}
		container.Env = append(container.Env, corev1.EnvVar{Name: EnvBase, Value: i.Base.OS},
			corev1.EnvVar{Name: EnvExtensions, Value: i.Base.Extensions}, corev1.EnvVar{Name: EnvKernel, Value: i.Kernel})
		container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{Name: FilesVolume, MountPath: "/tmp/" + FilesVolume})
		volumes = append(volumes, corev1.Volume{Name: FilesVolume, VolumeSource: corev1.VolumeSource{
			ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: i.Job}},
		}})
		files = append(files, &corev1.ConfigMap{ObjectMeta: *meta.DeepCopy(), Data: map[string]string{
			ContainerfileKey: Containerfile(b, i), MachineConfigKey: p.machineConfig,
		}})
	}
	slices.SortFunc(container.Env, func(a, b corev1.EnvVar) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(container.VolumeMounts, func(a, b corev1.VolumeMount) int { return strings.Compare(a.Name, b.Name) })
	return append(files, &batchv1.Job{ObjectMeta: meta, Spec: batchv1.JobSpec{
		BackoffLimit: &backoffLimit, Completions: &completions, ActiveDeadlineSeconds: &deadline,
		Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever, ServiceAccountName: ServiceAccount,
			NodeSelector: i.NodeSelector(), Tolerations: p.tolerations,
			Containers: []corev1.Container{container}, Volumes: volumes,
		}},
	}})
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
