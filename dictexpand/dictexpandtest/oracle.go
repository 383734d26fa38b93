package dictexpandtest

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// Oracle returns an implementation of everything but Reconcile: the contract read aloud,
// slow, one sentence after the other, and without package dictexpand.
func Oracle() Impl {
	return Impl{Architectures: oracleArchitectures, Expand: oracleExpand, OwnImages: oracleOwnImages, DryRun: oracleDryRun}
}

var comma = regexp.MustCompile(`\s*,\s*`)

func oracleArchitectures(value string) []string {
	var list []string
	for _, a := range comma.Split(strings.TrimSpace(value), -1) {
		if a = strings.TrimSpace(a); a != "" && !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	return list
}

// A fate is what one template comes to if it stands alone, and what it claims.
type fate struct {
	template  Template
	namespace string
	crons     []cdiv1beta1.DataImportCron
	images    []string // architectures that a reference could lead to
	before    []string // names of crons that it may have had before
	blocked   bool
}

func oracleFates(templates []Template, c Cluster) []fate {
	fates := make([]fate, len(templates))
	for i, t := range templates {
		fates[i] = oracleFate(t, c)
	}
	// Who needs a name that another one needs too is blocked.
	conflicts := make([]bool, len(templates))
	for i := range fates {
		for j := range fates {
			if i != j && collides(&fates[i], &fates[j], c) {
				conflicts[i], conflicts[j] = true, true
			}
		}
	}
	for i := range fates {
		fates[i].blocked = fates[i].blocked || conflicts[i]
	}
	return fates
}

func oracleExpand(templates []Template, c Cluster) Expansion {
	var e Expansion
	targets := map[types.NamespacedName][]string{}
	for _, f := range oracleFates(templates, c) {
		if f.blocked {
			continue
		}
		e.Crons = append(e.Crons, f.crons...)
		if k := Key(f.namespace, f.template.Spec.ManagedDataSource); !slices.Contains(c.OwnImages, k) {
			targets[k] = append(targets[k], f.images...)
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(targets), compareKeys) {
		if a := firstOf(targets[k], c); a != "" {
			e.References = append(e.References, cdiv1beta1.DataSource{
				ObjectMeta: metav1.ObjectMeta{Namespace: k.Namespace, Name: k.Name},
				Spec: cdiv1beta1.DataSourceSpec{Source: cdiv1beta1.DataSourceSource{
					DataSource: &cdiv1beta1.DataSourceRefSourceDataSource{Namespace: k.Namespace, Name: k.Name + "-" + a},
				}},
			})
		}
	}
	return e
}

func usable(a string, c Cluster) bool {
	return slices.Contains(c.Architectures, a) && (len(c.Supported) == 0 || slices.Contains(c.Supported, a)) &&
		!slices.Contains([]string{"x86_64", "aarch64"}, a)
}

// firstOf returns the first architecture of the cluster among the given: one with nodes
// for workload, else any.
func firstOf(given []string, c Cluster) string {
	for _, loaded := range []bool{true, false} {
		for _, a := range c.Architectures {
			if slices.Contains(given, a) && (len(c.Workload) == 0 || slices.Contains(c.Workload, a)) == loaded {
				return a
			}
		}
	}
	return ""
}

func oracleFate(t Template, c Cluster) fate {
	f := fate{template: t, namespace: t.Namespace}
	if f.namespace == "" {
		f.namespace = c.Namespace
	}
	managed, annotation := t.Spec.ManagedDataSource, t.Annotations[annotationArchitectures]
	made, ofOperator := c.Made[managed]
	ofOperator = ofOperator && f.namespace == c.Namespace
	add := func(name, dataSource, architecture string) {
		if architecture != "" {
			f.images = append(f.images, architecture)
		}
		if !slices.Contains(c.OwnImages, Key(f.namespace, dataSource)) {
			f.crons = append(f.crons, oracleCron(t, f.namespace, name, dataSource, architecture))
		}
	}
	switch {
	case !c.MultiArch, annotation == "" && !ofOperator:
		add(t.Name, managed, "")
	case annotation == "":
		a := firstOf(slices.DeleteFunc(slices.Clone(made), func(a string) bool { return !usable(a, c) }), c)
		if f.blocked = a == ""; !f.blocked {
			add(t.Name, managed+"-"+a, a)
		}
	default:
		for _, a := range oracleArchitectures(annotation) {
			if usable(a, c) {
				add(t.Name+"-"+a, managed+"-"+a, a)
				f.before = append(f.before, t.Name+"-"+a)
			}
		}
		if f.blocked = len(f.images) == 0; f.blocked {
			for _, a := range slices.Concat(oracleArchitectures(annotation), c.Architectures, c.Supported, c.Held, payload) {
				f.before = append(f.before, t.Name+"-"+a)
			}
		}
	}
	f.blocked = f.blocked || isMistaken(&f, c)
	return f
}

// isMistaken reports whether the API server or CDI refuses one of the crons, or the
// architecture cannot be set.
func isMistaken(f *fate, c Cluster) bool {
	t := f.template
	if len(validation.IsDNS1123Subdomain(t.Name)) > 0 || len(validation.IsDNS1123Subdomain(t.Spec.ManagedDataSource)) > 0 {
		return true
	}
	crons := f.crons
	if len(crons) == 0 {
		crons = []cdiv1beta1.DataImportCron{oracleCron(t, f.namespace, t.Name, t.Spec.ManagedDataSource, "")}
	}
	for _, cron := range crons {
		if Webhook(cron) != "" {
			return true
		}
	}
	if len(f.crons) > 0 && len(f.images) > 0 {
		s := t.Spec.Template.Spec.Source
		if s == nil || s.Registry == nil {
			return true
		}
		for _, a := range f.images {
			own := slices.Contains(c.OwnImages, Key(f.namespace, t.Spec.ManagedDataSource+"-"+a))
			if p := s.Registry.Platform; !own && p != nil && p.Architecture != "" && p.Architecture != a {
				return true
			}
		}
	}
	// The reference would be a DataSource that the operator makes itself.
	for name, architectures := range c.Made {
		for _, a := range architectures {
			if len(f.images) > 0 && f.namespace == c.Namespace && t.Spec.ManagedDataSource == name+"-"+a {
				return true
			}
		}
	}
	return false
}

func oracleCron(t Template, namespace, name, dataSource, architecture string) cdiv1beta1.DataImportCron {
	c := cdiv1beta1.DataImportCron{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, Labels: map[string]string{}, Annotations: map[string]string{},
			Finalizers: t.Finalizers, OwnerReferences: t.OwnerReferences,
		},
		Spec: *t.Spec.DeepCopy(),
	}
	maps.Copy(c.Labels, t.Labels)
	maps.Copy(c.Annotations, t.Annotations)
	delete(c.Annotations, annotationArchitectures)
	c.Spec.ManagedDataSource = dataSource
	if architecture == "" {
		return c
	}
	if name != t.Name {
		c.Labels[labelArchitecture], c.Labels[labelDataSourceName] = architecture, t.Spec.ManagedDataSource
	}
	if s := c.Spec.Template.Spec.Source; s != nil && s.Registry != nil {
		if s.Registry.Platform == nil {
			s.Registry.Platform = &cdiv1beta1.PlatformOptions{}
		}
		s.Registry.Platform.Architecture = architecture
	}
	return c
}

// collides reports whether a makes something under a name that b needs too.
func collides(a, b *fate, c Cluster) bool {
	if a.namespace != b.namespace || a.namespace == "" || a.template.Name == "" || b.template.Name == "" {
		return false
	}
	if a.template.Name == b.template.Name {
		return true
	}
	managed := b.template.Spec.ManagedDataSource
	if a.template.Spec.ManagedDataSource == "" {
		return false
	}
	for _, cron := range a.crons {
		if slices.Contains(b.before, cron.Name) {
			return true
		}
		if managed == "" {
			continue
		}
		for _, other := range b.crons {
			if cron.Name == other.Name || cron.Spec.ManagedDataSource == other.Spec.ManagedDataSource {
				return true
			}
		}
		if len(b.images) > 0 && !slices.Contains(c.OwnImages, Key(b.namespace, managed)) && cron.Spec.ManagedDataSource == managed {
			return true
		}
	}
	return false
}

func oracleOwnImages(dataSources []cdiv1beta1.DataSource, claims, snapshots []metav1.ObjectMeta) []types.NamespacedName {
	var own []types.NamespacedName
	for _, ds := range dataSources {
		if isOwn(ds, claims, snapshots) && !slices.Contains(own, Key(ds.Namespace, ds.Name)) {
			own = append(own, Key(ds.Namespace, ds.Name))
		}
	}
	slices.SortFunc(own, compareKeys)
	return own
}

func isOwn(ds cdiv1beta1.DataSource, claims, snapshots []metav1.ObjectMeta) bool {
	if _, labeled := ds.Labels[cronLabel]; labeled {
		return false
	}
	var images []metav1.ObjectMeta
	var at types.NamespacedName
	switch s := ds.Spec.Source; {
	case s.PVC != nil:
		images, at = claims, Key(s.PVC.Namespace, s.PVC.Name)
	case s.Snapshot != nil:
		images, at = snapshots, Key(s.Snapshot.Namespace, s.Snapshot.Name)
	default:
		return false
	}
	if at.Namespace == "" {
		at.Namespace = ds.Namespace
	}
	for _, image := range images {
		if Key(image.Namespace, image.Name) == at {
			_, imported := image.Labels[cronLabel]
			return !imported
		}
	}
	for _, condition := range ds.Status.Conditions {
		if condition.Type == cdiv1beta1.DataSourceReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

func oracleDryRun(err error) string {
	var status apierrors.APIStatus
	switch {
	case err == nil, apierrors.IsAlreadyExists(err):
		return Accepted
	case errors.As(err, &status) && slices.Contains([]int32{400, 403, 404, 413, 422}, status.Status().Code):
		return Refused
	}
	return Unknown
}
