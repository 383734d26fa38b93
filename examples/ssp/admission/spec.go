package admission

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/robfig/cron/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

const (
	maxName     = 63      // CDI makes labels of names
	minimumSize = 1 << 20 // what KubeVirt needs of a disk
)

func tooLong(path *field.Path, name string) *field.Error {
	if len(name) <= maxName {
		return nil
	}
	return field.Invalid(path, name, fmt.Sprintf("must be no longer than %d characters", maxName))
}

func refuseSpec(spec *cdiv1beta1.DataImportCronSpec, path *field.Path) *field.Error {
	template := path.Child("template", "spec")
	if err := refuseTemplate(&spec.Template.Spec, template); err != nil {
		return err
	}
	if err := refuseSchedule(spec.Schedule); err != nil {
		return field.Invalid(path.Child("schedule"), spec.Schedule, err.Error())
	}
	if n := spec.ImportsToKeep; n != nil && *n < 0 {
		return field.Invalid(path.Child("importsToKeep"), *n, "must not be negative")
	}
	if g := spec.GarbageCollect; g != nil && *g != cdiv1beta1.DataImportCronGarbageCollectNever && *g != cdiv1beta1.DataImportCronGarbageCollectOutdated {
		return field.Invalid(path.Child("garbageCollect"), *g, "must be Never or Outdated")
	}
	managed := path.Child("managedDataSource")
	if spec.ManagedDataSource == "" {
		return field.Required(managed, "must name a DataSource")
	}
	return tooLong(managed, spec.ManagedDataSource)
}

// refuseSchedule goes by the standard parser of five fields. An empty schedule
// means that CDI does not poll.
func refuseSchedule(schedule string) error {
	if schedule == "" {
		return nil
	}
	// That parser panics at a time zone and nothing else; in CDI's server this ends
	// the request, which the API server takes as a refusal.
	if strings.Contains(schedule, "TZ=") && !strings.Contains(schedule, " ") {
		return fmt.Errorf("must be a schedule, not a time zone only")
	}
	if _, err := cron.ParseStandard(schedule); err != nil {
		return fmt.Errorf("must be a schedule of five fields")
	}
	return nil
}

func refuseTemplate(spec *cdiv1beta1.DataVolumeSpec, path *field.Path) *field.Error {
	source := path.Child("source")
	if spec.Source == nil || spec.Source.Registry == nil && spec.Source.PVC == nil {
		return field.Required(source, "must have a registry or a pvc")
	}
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"sourceRef", spec.SourceRef != nil},
		{"contentType", spec.ContentType != ""},
		{"checkpoints", len(spec.Checkpoints) > 0},
		{"finalCheckpoint", spec.FinalCheckpoint},
	} {
		if f.set {
			return field.Forbidden(path.Child(f.name), "cannot be set in a DataImportCron")
		}
	}
	if err := refuseStorage(spec, path); err != nil {
		return err
	}
	if n := sources(spec.Source); n != 1 {
		return field.Invalid(source, n, "must have one source only")
	}
	if registry := spec.Source.Registry; registry != nil {
		return refuseRegistry(registry, source.Child("registry"))
	}
	if pvc := spec.Source.PVC; pvc.Namespace == "" || pvc.Name == "" {
		return field.Required(source.Child("pvc"), "must have a namespace and a name")
	}
	return nil
}

func sources(s *cdiv1beta1.DataVolumeSource) int {
	n := 0
	for _, set := range []bool{
		s.HTTP != nil, s.S3 != nil, s.GCS != nil, s.Registry != nil, s.PVC != nil,
		s.Upload != nil, s.Blank != nil, s.Imageio != nil, s.VDDK != nil, s.Snapshot != nil,
	} {
		if set {
			n++
		}
	}
	return n
}

func refuseStorage(spec *cdiv1beta1.DataVolumeSpec, path *field.Path) *field.Error {
	pvc, storage := path.Child("pvc"), path.Child("storage")
	switch {
	case spec.PVC == nil && spec.Storage == nil:
		return field.Required(storage, "must have storage or pvc")
	case spec.PVC != nil && spec.Storage != nil:
		return field.Forbidden(pvc, "cannot be set beside storage")
	case spec.Storage != nil:
		// What is cloned has a size to start from.
		clone := spec.Source.PVC != nil
		if err := refuseSize(spec.Storage.Resources.Requests, clone, storage); err != nil {
			return err
		}
		return refuseAccessModes(spec.Storage.AccessModes, storage)
	}
	if err := refuseSize(spec.PVC.Resources.Requests, false, pvc); err != nil {
		return err
	}
	if n := len(spec.PVC.AccessModes); n != 1 {
		return field.Invalid(pvc.Child("accessModes"), n, "must have one access mode")
	}
	return refuseAccessModes(spec.PVC.AccessModes, pvc)
}

func refuseSize(requests corev1.ResourceList, optional bool, path *field.Path) *field.Error {
	path = path.Child("resources", "requests", "storage")
	size, ok := requests[corev1.ResourceStorage]
	switch {
	case !ok && !optional:
		return field.Required(path, "must have a size")
	case ok && size.Cmp(*resource.NewQuantity(minimumSize, resource.BinarySI)) < 0:
		return field.Invalid(path, size.String(), "must be 1Mi or more")
	}
	return nil
}

func refuseAccessModes(modes []corev1.PersistentVolumeAccessMode, path *field.Path) *field.Error {
	for i, mode := range modes {
		switch mode {
		case corev1.ReadWriteOnce, corev1.ReadOnlyMany, corev1.ReadWriteMany, corev1.ReadWriteOncePod:
		default:
			return field.Invalid(path.Child("accessModes").Index(i), mode, "must be ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod")
		}
	}
	return nil
}

func refuseRegistry(r *cdiv1beta1.DataVolumeSourceRegistry, path *field.Path) *field.Error {
	if (r.URL == nil) == (r.ImageStream == nil) {
		return field.Invalid(path, "", "must have either url or imageStream")
	}
	if r.URL != nil {
		u, err := url.Parse(*r.URL)
		if err != nil || u.Scheme != cdiv1beta1.RegistrySchemeDocker && u.Scheme != cdiv1beta1.RegistrySchemeOci {
			return field.Invalid(path.Child("url"), *r.URL, "must be a URL that begins with docker:// or oci-archive://")
		}
	}
	if m := r.PullMethod; m != nil && *m != cdiv1beta1.RegistryPullPod && *m != cdiv1beta1.RegistryPullNode {
		return field.Invalid(path.Child("pullMethod"), *m, "must be pod or node")
	}
	if r.ImageStream == nil {
		return nil
	}
	if *r.ImageStream == "" {
		return field.Required(path.Child("imageStream"), "must name an image stream")
	}
	if r.PullMethod == nil || *r.PullMethod != cdiv1beta1.RegistryPullNode {
		return field.Invalid(path.Child("pullMethod"), r.PullMethod, "must be node with an imageStream")
	}
	return nil
}
