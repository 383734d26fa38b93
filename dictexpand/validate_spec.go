package dictexpand

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/internal/quote"
)

// minDisk is the smallest disk in bytes that CDI admits.
const minDisk = 1 << 20

// validateSpec reports everything in the spec for which CDI's webhook would surely
// refuse a cron. It is as strict as the webhook, and where it would have to know
// more than the template it leaves the judgment to the dry run.
func (x *expander) validateSpec(t *Template) {
	spec := &t.Spec
	at := func(names ...string) *field.Path { return path(t).Child("spec", names...) }
	if why := checkSchedule(spec.Schedule); why != "" {
		x.problem(field.Invalid(at("schedule"), quote.Cut(spec.Schedule), why))
	}
	if n := spec.ImportsToKeep; n != nil && *n < 0 {
		x.problem(field.Invalid(at("importsToKeep"), *n, "must be 0 or more"))
	}
	if g := spec.GarbageCollect; g != nil && *g != cdiv1beta1.DataImportCronGarbageCollectNever && *g != cdiv1beta1.DataImportCronGarbageCollectOutdated {
		x.problem(field.NotSupported(at("garbageCollect"), quote.Cut(string(*g)), []string{
			string(cdiv1beta1.DataImportCronGarbageCollectNever), string(cdiv1beta1.DataImportCronGarbageCollectOutdated)}))
	}
	if p := spec.RetentionPolicy; p != nil && *p != cdiv1beta1.DataImportCronRetainAll && *p != cdiv1beta1.DataImportCronRetainNone {
		x.note(FindingRetentionPolicy, t, "", at("retentionPolicy"),
			"%s is neither All nor None; CDI takes it for All, and images outlive their cron", quote.Quote(string(*p)))
	}
	dv := &spec.Template.Spec
	names := [...]string{"sourceRef", "contentType", "checkpoints", "finalCheckpoint"}
	for i, set := range [...]bool{dv.SourceRef != nil, dv.ContentType != "", len(dv.Checkpoints) > 0, dv.FinalCheckpoint} {
		if set {
			x.problem(field.Forbidden(at("template", "spec", names[i]), "CDI admits it in no DataImportCron; remove it"))
		}
	}
	x.validateStorage(dv, func(names ...string) *field.Path { return at("template", "spec").Child(names[0], names[1:]...) })
	x.validateSource(dv.Source, func() *field.Path { return at("template", "spec", "source") })
}

// validateStorage reports what is wrong with the size and the kind of the disk.
func (x *expander) validateStorage(dv *cdiv1beta1.DataVolumeSpec, at func(...string) *field.Path) {
	switch {
	case dv.Storage == nil && dv.PVC == nil:
		x.problem(field.Required(at("storage"), "CDI needs either storage or pvc, with a size"))
	case dv.Storage != nil && dv.PVC != nil:
		x.problem(field.Forbidden(at("pvc"), "CDI admits it only without storage; remove one of them"))
	case dv.Storage != nil:
		clone := dv.Source != nil && dv.Source.PVC != nil // has a size to start from
		x.validateSize(dv.Storage.Resources.Requests, clone, "storage", at)
		x.validateModes(dv.Storage.AccessModes, "storage", at)
	default:
		x.validateSize(dv.PVC.Resources.Requests, false, "pvc", at)
		x.validateModes(dv.PVC.AccessModes, "pvc", at)
		if n := len(dv.PVC.AccessModes); n != 1 {
			x.problem(field.Invalid(at("pvc", "accessModes"), n, "CDI admits exactly one access mode"))
		}
	}
}

func (x *expander) validateSize(requests corev1.ResourceList, optional bool, parent string, at func(...string) *field.Path) {
	size, given := requests[corev1.ResourceStorage]
	switch {
	case !given && !optional:
		x.problem(field.Required(at(parent, "resources", "requests", "storage"), "CDI needs the size of the disk"))
	case given && size.Value() < minDisk:
		x.problem(field.Invalid(at(parent, "resources", "requests", "storage"), quote.Cut(size.String()), "CDI admits 1Mi or more"))
	}
}

func (x *expander) validateModes(modes []corev1.PersistentVolumeAccessMode, parent string, at func(...string) *field.Path) {
	for i, mode := range modes {
		switch mode {
		case corev1.ReadWriteOnce, corev1.ReadOnlyMany, corev1.ReadWriteMany, corev1.ReadWriteOncePod:
		default:
			x.problem(field.NotSupported(at(parent, "accessModes").Index(i), quote.Cut(string(mode)), []string{
				string(corev1.ReadWriteOnce), string(corev1.ReadOnlyMany), string(corev1.ReadWriteMany), string(corev1.ReadWriteOncePod)}))
		}
	}
}

// validateSource reports what is wrong with where the image comes from.
func (x *expander) validateSource(s *cdiv1beta1.DataVolumeSource, at func() *field.Path) {
	switch {
	case s == nil, s.Registry == nil && s.PVC == nil:
		x.problem(field.Required(at(), "CDI imports from a registry or from a pvc"))
		return
	case sources(s) > 1:
		x.problem(field.Invalid(at(), sources(s), "CDI admits exactly one source"))
	}
	if s.Registry != nil {
		x.validateRegistry(s.Registry, func() *field.Path { return at().Child("registry") })
	}
	if s.PVC != nil && (s.PVC.Namespace == "" || s.PVC.Name == "") {
		x.problem(field.Required(at().Child("pvc"), "CDI needs a namespace and a name"))
	}
}

// sources returns how many sources are set.
func sources(s *cdiv1beta1.DataVolumeSource) int {
	n := 0
	for _, set := range [...]bool{
		s.HTTP != nil, s.S3 != nil, s.GCS != nil, s.Registry != nil, s.PVC != nil,
		s.Upload != nil, s.Blank != nil, s.Imageio != nil, s.VDDK != nil, s.Snapshot != nil,
	} {
		if set {
			n++
		}
	}
	return n
}

func (x *expander) validateRegistry(r *cdiv1beta1.DataVolumeSourceRegistry, at func() *field.Path) {
	if (r.URL == nil) == (r.ImageStream == nil) {
		x.problem(field.Invalid(at(), "", "CDI needs either url or imageStream, and not both"))
	}
	if r.URL != nil && !hasScheme(*r.URL, cdiv1beta1.RegistrySchemeDocker) && !hasScheme(*r.URL, cdiv1beta1.RegistrySchemeOci) {
		x.problem(field.Invalid(at().Child("url"), quote.Cut(*r.URL), "CDI admits docker:// and oci-archive:// only"))
	}
	node := r.PullMethod != nil && *r.PullMethod == cdiv1beta1.RegistryPullNode
	if m := r.PullMethod; m != nil && !node && *m != cdiv1beta1.RegistryPullPod {
		x.problem(field.NotSupported(at().Child("pullMethod"), quote.Cut(string(*m)), []string{
			string(cdiv1beta1.RegistryPullNode), string(cdiv1beta1.RegistryPullPod)}))
	}
	switch {
	case r.ImageStream == nil:
	case *r.ImageStream == "":
		x.problem(field.Required(at().Child("imageStream"), "CDI needs the name of an image stream"))
	case !node:
		x.problem(field.Required(at().Child("pullMethod"), fmt.Sprintf("CDI imports the image stream %s only with pullMethod node", quote.Quote(*r.ImageStream))))
	}
}

// hasScheme reports whether the URL has the scheme, which counts in any case.
func hasScheme(url, scheme string) bool {
	return len(url) > len(scheme) && url[len(scheme)] == ':' && strings.EqualFold(url[:len(scheme)], scheme)
}
