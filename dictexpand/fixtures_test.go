package dictexpand_test

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

const goldenImages = "openshift-virtualization-os-images"

func ptr[T any](v T) *T { return &v }

// rhel10 is the template of the story: CNV-61574.
func rhel10() dictexpand.Template {
	return dictexpand.Template{
		ObjectMeta: metav1.ObjectMeta{
			Name: "rhel10-image-cron",
			Annotations: map[string]string{
				dictexpand.AnnotationArchitectures:                 "amd64,arm64",
				"cdi.kubevirt.io/storage.bind.immediate.requested": "true",
			},
			Labels: map[string]string{"instancetype.kubevirt.io/default-preference": "rhel.10"},
		},
		Spec: cdiv1beta1.DataImportCronSpec{
			ManagedDataSource: "rhel10",
			Schedule:          "0 */12 * * *",
			GarbageCollect:    ptr(cdiv1beta1.DataImportCronGarbageCollectOutdated),
			Template: cdiv1beta1.DataVolume{Spec: cdiv1beta1.DataVolumeSpec{
				Source: &cdiv1beta1.DataVolumeSource{Registry: &cdiv1beta1.DataVolumeSourceRegistry{
					URL: ptr("docker://registry.redhat.io/rhel10/rhel-guest-image"), PullMethod: ptr(cdiv1beta1.RegistryPullNode),
				}},
				Storage: &cdiv1beta1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
					Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("30Gi")},
				}},
			}},
		},
	}
}

// template returns one as small as can be. No annotation is set if archs is "".
func template(name, managed, archs string) dictexpand.Template {
	t := dictexpand.Template{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if archs != "" {
		t.Annotations = map[string]string{dictexpand.AnnotationArchitectures: archs}
	}
	t.Spec.ManagedDataSource = managed
	t.Spec.Schedule = "0 */12 * * *"
	t.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{
		Registry: &cdiv1beta1.DataVolumeSourceRegistry{URL: ptr("docker://quay.io/containerdisks/" + managed)},
	}
	return t
}

func twoArchitectures() dictexpand.Options {
	return dictexpand.Options{
		MultiArch: true, Namespace: goldenImages,
		Architectures:         []string{"amd64", "arm64"},
		WorkloadArchitectures: []string{"amd64", "arm64"},
		Supported:             []string{"amd64", "arm64", "s390x"},
	}
}

func fourArchitectures() dictexpand.Options {
	return dictexpand.Options{
		MultiArch: true, Namespace: goldenImages,
		Architectures: []string{"amd64", "arm64", "ppc64le", "s390x"},
	}
}

func owner() dictexpand.Owner {
	return dictexpand.Owner{
		Labels:      map[string]string{"app.kubernetes.io/managed-by": "ssp-operator"},
		Annotations: map[string]string{"operator-sdk/primary-resource": "kubevirt/ssp"},
	}
}

// A model is an API server with CDI behind it, as far as a plan can see: it
// forbids a change of a cron's spec, prunes what the CRD prunes, makes the
// DataSource of a cron, and cleans up after a deleted one.
type model struct {
	crons       map[types.NamespacedName]cdiv1beta1.DataImportCron
	dataSources map[types.NamespacedName]cdiv1beta1.DataSource
	slow        bool // the deletion of a cron only sets its timestamp
	dryRuns     []dictexpand.DryRun
	// webhook says why CDI refuses a cron, or "".
	webhook func(cdiv1beta1.DataImportCron) string
	uid     int
}

func newModel() *model {
	return &model{
		crons:       map[types.NamespacedName]cdiv1beta1.DataImportCron{},
		dataSources: map[types.NamespacedName]cdiv1beta1.DataSource{},
	}
}

func key(namespace, name string) types.NamespacedName {
	return types.NamespacedName{Namespace: namespace, Name: name}
}

// existing lists in map order on purpose: a plan must not depend on it.
func (m *model) existing() dictexpand.Existing {
	var e dictexpand.Existing
	for _, c := range m.crons {
		e.Crons = append(e.Crons, *c.DeepCopy())
	}
	for _, ds := range m.dataSources {
		e.DataSources = append(e.DataSources, *ds.DeepCopy())
	}
	e.DryRuns = m.dryRuns
	return e
}

// plan plans, answers the dry runs that the plan asks for, and plans again.
func (m *model) plan(e dictexpand.Expansion) dictexpand.BootSources {
	m.dryRuns = nil
	b := dictexpand.Plan(e, m.existing())
	for _, s := range b.DryRuns() {
		m.dryRuns = append(m.dryRuns, dictexpand.DryRunOf(s, m.create(*s.Cron, true)))
	}
	if m.dryRuns != nil {
		b = dictexpand.Plan(e, m.existing())
	}
	return b
}

// create returns what the API server says to the creation of a cron.
func (m *model) create(c cdiv1beta1.DataImportCron, dryRun bool) error {
	what := schema.GroupResource{Group: cdiv1beta1.SchemeGroupVersion.Group, Resource: "dataimportcrons"}
	if m.webhook != nil {
		if why := m.webhook(c); why != "" {
			return apierrors.NewInvalid(schema.GroupKind{Group: what.Group, Kind: "DataImportCron"}, c.Name, field.ErrorList{
				field.Forbidden(field.NewPath("spec"), why)})
		}
	}
	if _, exists := m.crons[key(c.Namespace, c.Name)]; exists {
		return apierrors.NewAlreadyExists(what, c.Name)
	}
	if !dryRun {
		c.Spec.Template.ObjectMeta = metav1.ObjectMeta{} // pruned
		m.addCron(*c.DeepCopy())
	}
	return nil
}

func (m *model) nextUID() types.UID {
	m.uid++
	return types.UID(fmt.Sprintf("uid-%d", m.uid))
}

func (m *model) addCron(c cdiv1beta1.DataImportCron) {
	c.UID = m.nextUID()
	m.crons[key(c.Namespace, c.Name)] = c
}

func (m *model) addDataSource(ds cdiv1beta1.DataSource) {
	ds.UID = m.nextUID()
	m.dataSources[key(ds.Namespace, ds.Name)] = ds
}

// fataler is what *testing.T, *testing.B and *rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// apply takes the steps in their order and fails the test on whatever an API
// server or CDI would refuse.
func (m *model) apply(t fataler, steps []dictexpand.Step) {
	t.Helper()
	for _, s := range steps {
		k := key(s.Namespace, s.Name)
		switch {
		case s.Verb == dictexpand.VerbDryRun:
			if s.Cron == nil || s.Cron.UID != "" || s.UID == "" {
				t.Fatalf("dry run of %v without a new object, or without the old one: %+v", k, s)
			}
		case !s.Writes():
			if s.Cron != nil || s.DataSource != nil {
				t.Fatalf("step %s of %v asks for nothing but carries an object", s.Verb, k)
			}
		case s.Kind == dictexpand.KindDataImportCron:
			m.applyCron(t, k, s)
		case s.Kind == dictexpand.KindDataSource:
			m.applyDataSource(t, k, s)
		default:
			t.Fatalf("step of kind %q", s.Kind)
		}
	}
}

func (m *model) applyCron(t fataler, k types.NamespacedName, s dictexpand.Step) {
	t.Helper()
	live, exists := m.crons[k]
	switch s.Verb {
	case dictexpand.VerbCreate:
		if exists && live.DeletionTimestamp != nil {
			return // AlreadyExists: the next plan waits for it
		}
		if exists {
			t.Fatalf("creates the cron %v, which exists", k)
		}
		if len(s.Cron.Name) > 63 || len(s.Cron.Spec.ManagedDataSource) > 63 {
			t.Fatalf("creates a cron that CDI refuses: %s, %s", s.Cron.Name, s.Cron.Spec.ManagedDataSource)
		}
		if err := m.create(*s.Cron, false); err != nil {
			t.Fatalf("creates the cron %v: %v", k, err)
		}
	case dictexpand.VerbRelabel:
		if !exists || !equality.Semantic.DeepEqual(live.Spec, s.Cron.Spec) || s.Cron.UID != live.UID {
			t.Fatalf("updates the spec of the cron %v", k)
		}
		m.crons[k] = *s.Cron.DeepCopy()
	case dictexpand.VerbDelete:
		if !exists || s.UID != live.UID {
			t.Fatalf("deletes the cron %v with UID %q, which does not exist", k, s.UID)
		}
		if m.slow {
			live.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
			m.crons[k] = live
			return
		}
		delete(m.crons, k)
		for dk, ds := range m.dataSources {
			if dk.Namespace == k.Namespace && ds.Labels[dictexpand.LabelDataImportCron] == k.Name &&
				ds.Labels[dictexpand.LabelDataImportCronCleanup] == "true" {
				if s.Data != dictexpand.DataDeleted {
					t.Fatalf("deletion of %v deletes data, the step says %q", k, s.Data)
				}
				delete(m.dataSources, dk)
			}
		}
	default:
		t.Fatalf("step %s of a cron", s.Verb)
	}
}

func (m *model) applyDataSource(t fataler, k types.NamespacedName, s dictexpand.Step) {
	t.Helper()
	live, exists := m.dataSources[k]
	switch s.Verb {
	case dictexpand.VerbCreate:
		if exists {
			t.Fatalf("creates the DataSource %v, which exists", k)
		}
		m.addDataSource(*s.DataSource.DeepCopy())
	case dictexpand.VerbRelabel, dictexpand.VerbUpdate:
		if !exists || s.DataSource.UID != live.UID {
			t.Fatalf("updates the DataSource %v, which does not exist", k)
		}
		m.dataSources[k] = *s.DataSource.DeepCopy()
	case dictexpand.VerbDelete:
		if !exists || s.UID != live.UID {
			t.Fatalf("deletes the DataSource %v, which does not exist", k)
		}
		if live.Spec.Source.DataSource == nil {
			t.Fatalf("deletes the DataSource %v, which is no reference", k)
		}
		delete(m.dataSources, k)
	}
}

// runCDI does what CDI does when all is quiet: every cron imports, and manages
// its DataSource if the label allows.
func (m *model) runCDI() {
	for k, c := range m.crons {
		if c.DeletionTimestamp != nil {
			continue
		}
		dk := key(k.Namespace, c.Spec.ManagedDataSource)
		ds, exists := m.dataSources[dk]
		label := ds.Labels[dictexpand.LabelDataImportCron]
		if exists {
			if label == "" {
				continue
			}
			if other, ok := m.crons[key(k.Namespace, label)]; ok && label != k.Name && other.Spec.ManagedDataSource == dk.Name {
				continue
			}
		} else {
			ds = cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: dk.Namespace, Name: dk.Name}}
		}
		metav1.SetMetaDataLabel(&ds.ObjectMeta, dictexpand.LabelDataImportCron, k.Name)
		if p := c.Spec.RetentionPolicy; p != nil && *p == cdiv1beta1.DataImportCronRetainNone {
			metav1.SetMetaDataLabel(&ds.ObjectMeta, dictexpand.LabelDataImportCronCleanup, "true")
		}
		ds.Spec.Source = cdiv1beta1.DataSourceSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: dk.Namespace, Name: dk.Name + "-0123456789ab"}}
		if exists {
			m.dataSources[dk] = ds
		} else {
			m.addDataSource(ds)
		}
	}
}

// finishDeletions removes what only had its timestamp set.
func (m *model) finishDeletions() {
	for k, c := range m.crons {
		if c.DeletionTimestamp != nil {
			delete(m.crons, k)
		}
	}
}

// writes formats the steps that write, one a line.
func writes(steps []dictexpand.Step) string {
	var b strings.Builder
	for _, s := range steps {
		if s.Writes() {
			b.WriteString(format(s))
		}
	}
	return b.String()
}

// all formats every step.
func all(steps []dictexpand.Step) string {
	var b strings.Builder
	for _, s := range steps {
		b.WriteString(format(s))
	}
	return b.String()
}

func format(s dictexpand.Step) string {
	data := ""
	if s.Data != "" {
		data = " data " + string(s.Data)
	}
	return fmt.Sprintf("%s %s %s: %s%s\n", s.Verb, s.Kind, s.Name, s.Reason, data)
}
