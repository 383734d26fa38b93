package dictexpandtest

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// Webhook says why the API server or CDI's webhook refuses a cron, or "". CDI's
// part follows validateDataImportCronSpec and validateDataVolumeSpec in
// pkg/apiserver/webhooks/dataimportcron-validate.go and datavolume-validate.go of
// kubevirt/containerized-data-importer, as of August 2026; the enumerations are
// those of its CRD.
func Webhook(c cdiv1beta1.DataImportCron) string {
	for _, check := range []func(*cdiv1beta1.DataImportCron) string{refusedMeta, refusedTemplate, refusedSize, refusedRegistry, refusedSpec} {
		if why := check(&c); why != "" {
			return why
		}
	}
	return ""
}

func refusedMeta(c *cdiv1beta1.DataImportCron) string {
	why := validation.IsDNS1123Subdomain(c.Name)
	why = append(why, validation.IsDNS1123Label(c.Namespace)...)
	for k, v := range c.Labels {
		why = append(append(why, validation.IsQualifiedName(k)...), validation.IsValidLabelValue(v)...)
	}
	size := 0
	for k, v := range c.Annotations {
		why = append(why, validation.IsQualifiedName(strings.ToLower(k))...)
		size += len(k) + len(v)
	}
	switch {
	case len(why) > 0:
		return why[0]
	case size > 256<<10:
		return "annotations too long"
	case len(c.Name) > 63, len(c.Spec.ManagedDataSource) > 63:
		return "Name of data import cron cannot be more than 63 characters"
	case c.Spec.ManagedDataSource == "":
		return "Illegal ManagedDataSource value"
	}
	return ""
}

func refusedTemplate(c *cdiv1beta1.DataImportCron) string {
	spec := c.Spec.Template.Spec
	switch {
	case spec.Source == nil, spec.Source.Registry == nil && spec.Source.PVC == nil:
		return "Missing registry or PVC source"
	case spec.SourceRef != nil, spec.ContentType != "", len(spec.Checkpoints) > 0, spec.FinalCheckpoint:
		return "Unsettable fields: SourceRef, ContentType, Checkpoints, FinalCheckpoint"
	case spec.PVC == nil && spec.Storage == nil:
		return "Missing Data volume PVC"
	case spec.PVC != nil && spec.Storage != nil:
		return "Duplicate storage definition"
	}
	return ""
}

func refusedSize(c *cdiv1beta1.DataImportCron) string {
	spec := c.Spec.Template.Spec
	var resources corev1.VolumeResourceRequirements
	var modes []corev1.PersistentVolumeAccessMode
	if spec.PVC != nil {
		resources, modes = spec.PVC.Resources, spec.PVC.AccessModes
	} else {
		resources, modes = spec.Storage.Resources, spec.Storage.AccessModes
	}
	size, given := resources.Requests[corev1.ResourceStorage]
	clone := spec.Source.PVC != nil && spec.Storage != nil
	switch {
	case !given && !clone:
		return "size is missing"
	case given && size.Value() < 1<<20:
		return "size is less than 1 MiB"
	case spec.PVC != nil && len(modes) != 1:
		return "multiple accessModes"
	}
	for _, mode := range modes {
		switch mode {
		case corev1.ReadWriteOnce, corev1.ReadOnlyMany, corev1.ReadWriteMany, corev1.ReadWriteOncePod:
		default:
			return "unsupported access mode"
		}
	}
	return ""
}

func refusedRegistry(c *cdiv1beta1.DataImportCron) string {
	source := reflect.ValueOf(*c.Spec.Template.Spec.Source)
	set := 0
	for i := range source.NumField() {
		if !source.Field(i).IsNil() {
			set++
		}
	}
	if set > 1 {
		return "Multiple Data volume sources"
	}
	if p := c.Spec.Template.Spec.Source.PVC; p != nil && (p.Namespace == "" || p.Name == "") {
		return "source PVC is not valid"
	}
	r := c.Spec.Template.Spec.Source.Registry
	if r == nil {
		return ""
	}
	node := false
	if m := r.PullMethod; m != nil {
		node = *m == cdiv1beta1.RegistryPullNode
		if !node && *m != cdiv1beta1.RegistryPullPod {
			return "PullMethod is neither node nor pod"
		}
	}
	switch {
	case (r.URL == nil) == (r.ImageStream == nil):
		return "registry source should have either URL or ImageStream"
	case r.ImageStream != nil && *r.ImageStream == "":
		return "ImageStream is empty"
	case r.ImageStream != nil && !node:
		return "ImageStream is supported only with node pull import method"
	case r.URL == nil:
		return ""
	}
	u, err := url.Parse(*r.URL)
	if err != nil {
		return "Illegal registry source URL"
	}
	if u.Scheme != "docker" && u.Scheme != "oci-archive" {
		return fmt.Sprintf("Illegal registry source URL scheme %q", u.Scheme)
	}
	return ""
}

func refusedSpec(c *cdiv1beta1.DataImportCron) string {
	if g := c.Spec.GarbageCollect; g != nil && *g != cdiv1beta1.DataImportCronGarbageCollectNever && *g != cdiv1beta1.DataImportCronGarbageCollectOutdated {
		return "Illegal GarbageCollect value"
	}
	if n := c.Spec.ImportsToKeep; n != nil && *n < 0 {
		return "Illegal ImportsToKeep value"
	}
	for _, s := range schedules {
		if s.Schedule == c.Spec.Schedule && !s.Accepted {
			return "Illegal cron schedule"
		}
	}
	return ""
}
