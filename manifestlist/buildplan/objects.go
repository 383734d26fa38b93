package buildplan

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// BuildArgs returns the build arguments of the image.
func (i Image) BuildArgs() map[string]string {
	return map[string]string{"TARGETARCH": i.Architecture}
}

// NodeSelector returns the labels of the nodes that the image's job may run on:
// Linux nodes of its architecture, since nothing is emulated. A publishing job
// only moves bytes and takes any Linux node.
func (i Image) NodeSelector() map[string]string {
	selector := map[string]string{corev1.LabelOSStable: "linux"}
	if i.Architecture != "" {
		selector[corev1.LabelArchStable] = i.Architecture
	}
	return selector
}

// JobMeta returns the name, labels and annotations that ReadJob reads, of the job
// of an image of b, b.Publish among them.
//
// The caller must add the controller reference of the MachineOSBuild, with its
// UID, as metav1.NewControllerRef makes it: ReadJob knows a job by it, and one
// without it is a stranger's. b may be planned before the object exists, so that
// the UID is not known here.
func (b Build) JobMeta(i Image) metav1.ObjectMeta {
	meta := metav1.ObjectMeta{
		Name:      i.Job,
		Namespace: Namespace,
		Labels:    b.labels(),
		Annotations: map[string]string{
			AnnotationBuild:    b.Name,
			AnnotationConfig:   b.Config,
			AnnotationPushSpec: i.PushSpec,
		},
	}
	meta.Labels[LabelEphemeral] = ""
	meta.Labels[LabelBuild] = b.Name
	if i.Architecture != "" {
		meta.Labels[LabelArchitecture] = labelValue(i.Architecture)
		meta.Annotations[AnnotationArchitecture] = i.Architecture
	}
	return meta
}

// buildKind is the kind of what controls a job.
const buildKind = "MachineOSBuild"

func (b Build) labels() map[string]string {
	return map[string]string{
		LabelLayering:       "",
		LabelConfig:         labelValue(b.Config),
		LabelPool:           labelValue(b.Pool),
		LabelRenderedConfig: labelValue(b.Rendered),
	}
}

// MachineOSBuild returns the object to create, with what it reuses already
// recorded. Finalizers and the owner reference of the MachineOSConfig are the
// caller's.
func (b Build) MachineOSBuild() *mcfgv1.MachineOSBuild {
	build := &mcfgv1.MachineOSBuild{
		TypeMeta: metav1.TypeMeta{APIVersion: mcfgv1.GroupVersion.String(), Kind: buildKind},
		ObjectMeta: metav1.ObjectMeta{
			Name:   b.Name,
			Labels: b.labels(),
			Annotations: map[string]string{
				AnnotationAttempt:  formatAttempt(b.Attempt),
				AnnotationPool:     b.Pool,
				AnnotationPushSpec: string(b.ConfigPushSpec),
			},
		},
		Spec: mcfgv1.MachineOSBuildSpec{
			MachineConfig:         mcfgv1.MachineConfigReference{Name: b.Rendered},
			MachineOSConfig:       mcfgv1.MachineOSConfigReference{Name: b.Config},
			RenderedImagePushSpec: b.PushSpec,
		},
	}
	for _, i := range b.Images {
		names := namesOf(i.Architecture)
		build.Annotations[names.key] = i.Key
		if i.PullSpec != "" {
			build.Annotations[names.image] = i.PullSpec
			if i.From != "" {
				build.Annotations[names.from] = i.From
			}
		}
	}
	return build
}
