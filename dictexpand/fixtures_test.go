package dictexpand_test

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

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
	t.Spec.Template.Spec.Storage = &cdiv1beta1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("30Gi")},
	}}
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

// A model is a cluster whose plans are carried out.
type model struct {
	*cdi
	dryRuns []dictexpand.DryRun
}

func newModel() *model { return &model{cdi: newCDI()} }

// existing lists in map order on purpose: a plan must not depend on it.
func (m *model) existing() dictexpand.Existing {
	e := dictexpand.Existing{DryRuns: m.dryRuns}
	for _, c := range m.crons {
		e.Crons = append(e.Crons, *c.DeepCopy())
	}
	for _, ds := range m.dataSources {
		e.DataSources = append(e.DataSources, *ds.DeepCopy())
	}
	for _, claim := range m.claims {
		e.Claims = append(e.Claims, *claim.DeepCopy())
	}
	for _, volume := range m.volumes {
		e.DataVolumes = append(e.DataVolumes, *volume.DeepCopy())
	}
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

// fataler is what *testing.T, *testing.B and *rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// apply takes the steps in their order and fails the test on whatever an API
// server or CDI would refuse, but for crons that CDI does not want: the next plan
// tries again.
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
		if exists && live.DeletionTimestamp == nil {
			t.Fatalf("creates the cron %v, which exists", k)
		}
		// What CDI refuses, and what is still being deleted, is for the next plan.
		if err := m.create(*s.Cron, false); err != nil && !apierrors.IsInvalid(err) && !apierrors.IsAlreadyExists(err) {
			t.Fatalf("creates the cron %v: %v", k, err)
		}
	case dictexpand.VerbRelabel:
		if err := m.updateCron(*s.Cron); err != nil {
			t.Fatalf("updates the cron %v: %v", k, err)
		}
	case dictexpand.VerbDelete:
		if goes := m.goesWith(k); goes != "" && s.Data != dictexpand.DataDeleted {
			t.Fatalf("deletion of %v deletes %s, the step says %q", k, goes, s.Data)
		}
		if err := m.deleteCron(k, s.UID); err != nil {
			t.Fatalf("deletes the cron %v: %v", k, err)
		}
	default:
		t.Fatalf("step %s of a cron", s.Verb)
	}
}

// goesWith returns something that CDI deletes with the cron.
func (m *model) goesWith(k types.NamespacedName) string {
	for dk, ds := range m.dataSources {
		if dk.Namespace == k.Namespace && ds.Labels[cronLabel] == k.Name && ds.Labels[cleanupLabel] == "true" {
			return "the DataSource " + dk.Name
		}
	}
	for ck, claim := range m.claims {
		if ck.Namespace == k.Namespace && claim.Labels[cronLabel] == k.Name && claim.Labels[cleanupLabel] == "true" {
			return "the claim " + ck.Name
		}
	}
	for vk, volume := range m.volumes {
		if vk.Namespace == k.Namespace && volume.Labels[cronLabel] == k.Name && volume.Labels[cleanupLabel] == "true" {
			return "the DataVolume " + vk.Name
		}
	}
	return ""
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
	case dictexpand.VerbUpdate:
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
	default:
		t.Fatalf("step %s of a DataSource", s.Verb)
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
