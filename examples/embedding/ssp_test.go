package embedding_test

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// dataSources stands for the operand of that name in ssp-operator. What it knows
// by itself are the DataSources of the common templates.
type dataSources struct {
	sources []dictexpand.CallerDataSource
	live    dictexpand.Existing // as listed; claims and snapshots by their metadata
	events  recorder
}

// bootSources takes the place of getDataSourcesAndCrons: what there should be, and
// what to write for it.
func (d *dataSources) bootSources(spec *SSPSpec) (dictexpand.Expansion, dictexpand.BootSources) {
	templates := make([]dictexpand.Template, len(spec.CommonTemplates.DataImportCronTemplates))
	for i, t := range spec.CommonTemplates.DataImportCronTemplates {
		templates[i] = dictexpand.Template(t)
	}
	options := dictexpand.Options{
		MultiArch:         spec.EnableMultipleArchitectures != nil && *spec.EnableMultipleArchitectures,
		Supported:         []string{"amd64", "arm64", "s390x"},
		Namespace:         "openshift-virtualization-os-images",
		CallerDataSources: d.sources,
		OwnImages:         dictexpand.OwnImages(d.live),
		Owner:             dictexpand.Owner{Labels: map[string]string{"app.kubernetes.io/managed-by": "ssp-operator"}},
	}
	if c := spec.Cluster; c != nil {
		options.Architectures = slices.Concat(c.ControlPlaneArchitectures, c.WorkloadArchitectures)
		options.WorkloadArchitectures = c.WorkloadArchitectures
	}
	expansion := dictexpand.Expand(templates, options)
	return expansion, dictexpand.Plan(expansion, d.live)
}

// Reconcile takes the steps in their order.
func (d *dataSources) Reconcile(spec *SSPSpec) {
	d.live.DryRuns = nil
	expansion, plan := d.bootSources(spec)
	for _, step := range plan.DryRuns() { // a changed spec: ask before the old cron goes
		d.live.DryRuns = append(d.live.DryRuns, dictexpand.DryRunOf(step, d.try(step)))
	}
	if d.live.DryRuns != nil {
		plan = dictexpand.Plan(expansion, d.live)
	}
	for _, step := range plan.Steps {
		switch step.Verb {
		case dictexpand.VerbCreate, dictexpand.VerbUpdate, dictexpand.VerbRelabel:
			d.write(step) // step.Cron or step.DataSource, with its resourceVersion
		case dictexpand.VerbDelete:
			d.delete(step) // only if it still has step.UID; step.Data says what becomes of the disks
		}
	}
	degraded(expansion.Problems) // the templates that they are about are blocked, no others
	degraded(plan.Problems)      // what CDI refused; the cron that runs goes on
	for _, finding := range expansion.Findings {
		d.events.Event(string(finding.Code), finding.String())
	}
}

// A template for two architectures on a cluster whose workers are arm64, beside
// one with a typo and one whose source cannot be given an architecture.
func Example_sspOperator() {
	spec := &SSPSpec{
		EnableMultipleArchitectures: new(true),
		Cluster:                     &Cluster{ControlPlaneArchitectures: []string{"amd64"}, WorkloadArchitectures: []string{"arm64"}},
	}
	spec.CommonTemplates.DataImportCronTemplates = []DataImportCronTemplate{
		bootSource("rhel10", "amd64,arm64"), bootSource("fedora", "adm64"), bootSource("mine", "arm64"),
	}
	spec.CommonTemplates.DataImportCronTemplates[2].Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{
		PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: "mine", Name: "disk"},
	}
	operand := &dataSources{}
	operand.Reconcile(spec)
	fmt.Println("again, and rhel10 is polled at another time:")
	spec.CommonTemplates.DataImportCronTemplates[0].Spec.Schedule = "0 3 * * *"
	operand.Reconcile(spec)
	// Output:
	// Create DataSource rhel10 Missing
	// Create DataImportCron rhel10-image-cron-amd64 Missing
	// Create DataImportCron rhel10-image-cron-arm64 Missing
	// degraded: dataImportCronTemplates[mine-image-cron].spec.template.spec.source.registry Required value
	// event ArchitectureUnsupported
	// event NoCompatibleArchitecture
	// event NoWorkloadNodes
	// again, and rhel10 is polled at another time:
	// DryRun DataImportCron rhel10-image-cron-amd64 SpecChanged
	// DryRun DataImportCron rhel10-image-cron-arm64 SpecChanged
	// Delete DataImportCron rhel10-image-cron-amd64 SpecChanged Kept
	// Delete DataImportCron rhel10-image-cron-arm64 SpecChanged Kept
	// Create DataImportCron rhel10-image-cron-amd64 SpecChanged
	// Create DataImportCron rhel10-image-cron-arm64 SpecChanged
	// degraded: dataImportCronTemplates[mine-image-cron].spec.template.spec.source.registry Required value
	// event ArchitectureUnsupported
	// event NoCompatibleArchitecture
	// event NoWorkloadNodes
}

// try creates step.Cron with metav1.DryRunAll.
func (d *dataSources) try(step dictexpand.Step) error {
	fmt.Println(step.Verb, step.Kind, step.Name, step.Reason)
	return nil
}

// write and delete stand for the client. They print, and keep what is live.
func (d *dataSources) write(step dictexpand.Step) {
	fmt.Println(step.Verb, step.Kind, step.Name, step.Reason)
	if step.Cron != nil {
		d.live.Crons = append(d.live.Crons, *step.Cron)
	}
	if step.DataSource != nil {
		d.live.DataSources = append(d.live.DataSources, *step.DataSource)
	}
}

func (d *dataSources) delete(step dictexpand.Step) {
	fmt.Println(step.Verb, step.Kind, step.Name, step.Reason, step.Data)
}

func bootSource(name, architectures string) DataImportCronTemplate {
	url := "docker://registry.example.com/guests/" + name
	t := DataImportCronTemplate{ObjectMeta: metav1.ObjectMeta{
		Name: name + "-image-cron", Annotations: map[string]string{dictexpand.AnnotationArchitectures: architectures},
	}}
	t.Spec.ManagedDataSource, t.Spec.Schedule = name, "0 */12 * * *"
	t.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{Registry: &cdiv1beta1.DataVolumeSourceRegistry{URL: &url}}
	t.Spec.Template.Spec.Storage = &cdiv1beta1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("30Gi")},
	}}
	return t
}
