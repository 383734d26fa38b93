package osimagestream

import (
	"cmp"
	"fmt"
	"slices"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// AnnotationGenerated marks the machine configs that the operator makes itself.
const AnnotationGenerated = "machineconfiguration.openshift.io/generated-by-controller-version"

// LabelRole names the role that a machine config is for, by which MCO orders them.
const LabelRole = "machineconfiguration.openshift.io/role"

// userImages returns the machine configs of users that set an OS image for the
// pool, the one that wins last, by rules 90 to 93.
func (r *Resolution) userImages(p Pool) []*mcfgv1.MachineConfig {
	if p.Pool == nil {
		return nil
	}
	selector, err := metav1.LabelSelectorAsSelector(p.Pool.Spec.MachineConfigSelector)
	if err != nil {
		path := field.NewPath("machineconfigpools").Key(p.Pool.Name).Child("spec", "machineConfigSelector")
		r.refuse(ReasonSelectorInvalid, field.Invalid(path, cut(p.Pool.Spec.MachineConfigSelector.String()), cut(err.Error())))
		return nil
	}
	if selector.Empty() {
		return nil
	}
	var set []*mcfgv1.MachineConfig
	for _, c := range p.Configs {
		if c == nil || c.Spec.OSImageURL == "" || !selector.Matches(labels.Set(c.Labels)) {
			continue
		}
		if _, generated := c.Annotations[AnnotationGenerated]; !generated {
			set = append(set, c)
		}
	}
	// A custom pool selects the worker's configs too, and its own count for more.
	slices.SortFunc(set, func(a, b *mcfgv1.MachineConfig) int {
		return cmp.Or(cmp.Compare(precedence(a), precedence(b)), cmp.Compare(a.Name, b.Name))
	})
	return set
}

func precedence(c *mcfgv1.MachineConfig) int {
	if c.Labels[LabelRole] == "worker" {
		return 0
	}
	return 1
}

// override decides what an osImageURL of a user means for the stream, by rules 93
// to 96, and returns it if it takes the place of the stream's OS image.
func (r *Resolution) override(p Pool) string {
	set := r.userImages(p)
	if len(set) == 0 {
		return ""
	}
	winner := set[len(set)-1]
	url, path := winner.Spec.OSImageURL, urlPath(winner)
	for _, c := range set {
		if c.Spec.OSImageURL != url {
			r.note(FindingURLShadowed, urlPath(c), fmt.Sprintf("%s is not taken for pool %s; %s of %s comes later and is",
				cut(c.Spec.OSImageURL), p.Pool.Name, cut(url), path))
		}
	}
	switch {
	case url == string(r.Images.OSImage):
		return ""
	case r.Reason == ReasonOwn || r.Reason == ReasonWorker:
		r.refuse(ReasonURLConflict, field.Forbidden(path, fmt.Sprintf(
			"pool %s cannot run both this image and stream %s of %s; remove one of them", p.Pool.Name, cut(r.Stream), r.Field)))
		return ""
	}
	r.note(FindingURLOverride, path, fmt.Sprintf("pool %s runs %s; only the extensions image is the stream's", p.Pool.Name, cut(url)))
	return url
}

func urlPath(c *mcfgv1.MachineConfig) *field.Path {
	return field.NewPath("machineconfigs").Key(c.Name).Child("spec", "osImageURL")
}
