package dictexpand_test

import (
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func Example() {
	o := dictexpand.Options{
		MultiArch:             true,
		Architectures:         []string{"amd64", "arm64"}, // control plane, then workload
		WorkloadArchitectures: []string{"amd64", "arm64"},
		Supported:             []string{"amd64", "arm64", "s390x"},
		Namespace:             "openshift-virtualization-os-images",
		Owner:                 dictexpand.Owner{Labels: map[string]string{"app.kubernetes.io/managed-by": "ssp-operator"}},
	}
	e := dictexpand.Expand([]dictexpand.Template{rhel10()}, o)
	for _, step := range dictexpand.Plan(e, dictexpand.Existing{}).Steps {
		fmt.Println(step.Verb, step.Kind, step.Name)
	}
	// Output:
	// Create DataSource rhel10
	// Create DataImportCron rhel10-image-cron-amd64
	// Create DataImportCron rhel10-image-cron-arm64
}

// The SSP operator's own type converts by a plain conversion.
func ExampleExpand() {
	// As kubevirt.io/ssp-operator/api declares it.
	type DataImportCronTemplate struct {
		metav1.ObjectMeta
		Spec cdiv1beta1.DataImportCronSpec
	}
	spec := []DataImportCronTemplate{DataImportCronTemplate(rhel10())}

	templates := make([]dictexpand.Template, len(spec))
	for i, t := range spec {
		templates[i] = dictexpand.Template(t)
	}
	e := dictexpand.Expand(templates, dictexpand.Options{
		MultiArch: true, Architectures: []string{"arm64"}, Namespace: "openshift-virtualization-os-images",
	})
	for _, c := range e.Crons {
		fmt.Println(c.Object.Name, "manages", c.Object.Spec.ManagedDataSource)
	}
	for _, r := range e.References {
		fmt.Println(r.Name, "leads to", r.Target)
	}
	for _, f := range e.Findings {
		fmt.Println(f.Code, f.Path)
	}
	// Output:
	// rhel10-image-cron-arm64 manages rhel10-arm64
	// rhel10 leads to rhel10-arm64
	// ArchitectureNotInCluster dataImportCronTemplates[rhel10-image-cron].metadata.annotations[ssp.kubevirt.io/dict.architectures]
}

// The HyperConverged operator's type has a pointer to the spec, which is nil for
// a template that only switches off a built-in one.
func ExampleExpand_pointerSpec() {
	type DataImportCronTemplate struct {
		metav1.ObjectMeta
		Spec *cdiv1beta1.DataImportCronSpec
	}
	rhel := rhel10()
	list := []DataImportCronTemplate{
		{ObjectMeta: rhel.ObjectMeta, Spec: &rhel.Spec},
		{ObjectMeta: metav1.ObjectMeta{Name: "centos-stream9-image-cron"}},
	}

	var templates []dictexpand.Template
	for _, t := range list {
		if t.Spec == nil {
			continue
		}
		templates = append(templates, dictexpand.Template{ObjectMeta: t.ObjectMeta, Spec: *t.Spec})
	}
	fmt.Println(len(dictexpand.Expand(templates, twoArchitectures()).Crons))
	// Output: 2
}

func ExampleExpansion_Blocked() {
	templates := []dictexpand.Template{template("centos", "centos", "amd64,arm64"), template("typo", "fedora", "adm64")}
	e := dictexpand.Expand(templates, twoArchitectures())
	fmt.Println(len(e.Crons), e.Blocked())
	// Output: 2 [typo]
}

// An operator that cleans up without Plan keeps these.
func ExampleExpansion_BlockedCrons() {
	o := twoArchitectures()
	o.Owner = owner()
	cluster := newModel()
	sound := dictexpand.Expand([]dictexpand.Template{template("centos", "centos", "arm64"), template("fedora", "fedora", "arm64")}, o)
	cluster.apply(noFatal{}, dictexpand.Plan(sound, cluster.existing()).Steps)

	e := dictexpand.Expand([]dictexpand.Template{template("fedora", "fedora", "amr64")}, o)
	for _, cron := range e.BlockedCrons(cluster.existing().Crons) {
		fmt.Println(cron.Name)
	}
	// Output: fedora-arm64
}

// A claim that somebody uploaded years ago is a user's own image; what a cron
// imported is not, even if its DataSource lost the label.
func ExampleOwnImages() {
	dataSource := func(name, claim string) cdiv1beta1.DataSource {
		ds := cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: "images", Name: name}}
		ds.Spec.Source.PVC = &cdiv1beta1.DataVolumeSourcePVC{Namespace: "images", Name: claim}
		return ds
	}
	own := dictexpand.OwnImages(dictexpand.Existing{
		DataSources: []cdiv1beta1.DataSource{
			dataSource("centos", "uploaded"), dataSource("fedora", "fedora-0123456789ab"), dataSource("rhel10", "rhel10"),
		},
		Claims: []metav1.ObjectMeta{
			{Namespace: "images", Name: "uploaded"},
			{Namespace: "images", Name: "fedora-0123456789ab", Labels: map[string]string{dictexpand.LabelDataImportCron: "fedora"}},
		},
	})
	fmt.Println(own)
	// Output: [images/centos]
}

// A refusal means no loss: the cron that runs goes on.
func ExampleDryRunOf() {
	cron := rhel10()
	step := dictexpand.Step{
		Verb: dictexpand.VerbDryRun, Kind: dictexpand.KindDataImportCron, Namespace: "images", Name: "rhel10",
		Cron: &cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: "images", Name: "rhel10"}, Spec: cron.Spec},
	}
	for _, err := range []error{
		nil,
		apierrors.NewAlreadyExists(schema.GroupResource{Resource: "dataimportcrons"}, "rhel10"),
		apierrors.NewInvalid(schema.GroupKind{Kind: "DataImportCron"}, "rhel10", nil),
		errors.New("connection refused"),
	} {
		fmt.Printf("%q\n", dictexpand.DryRunOf(step, err).Answer)
	}
	// Output:
	// "Accepted"
	// "Accepted"
	// "Refused"
	// ""
}

// A renamed template has something to boot from all the time.
func ExamplePlan_rename() {
	o := twoArchitectures()
	o.Owner = owner()
	cluster := newModel() // an API server with CDI behind it
	reconcile := func(t dictexpand.Template) {
		for {
			steps := dictexpand.Plan(dictexpand.Expand([]dictexpand.Template{t}, o), cluster.existing()).Steps
			if !slices.ContainsFunc(steps, dictexpand.Step.Writes) {
				return
			}
			for _, s := range steps {
				fmt.Println(s.Verb, s.Kind, s.Name, s.Reason)
			}
			cluster.apply(noFatal{}, steps)
			cluster.Run()
		}
	}
	reconcile(template("fedora", "fedora", ""))
	fmt.Println("renamed:")
	reconcile(template("fedora-cron", "fedora", ""))
	// Output:
	// Create DataImportCron fedora Missing
	// renamed:
	// Create DataImportCron fedora-cron Missing
	// Wait DataImportCron fedora ReplacementAwaited
	// Wait DataSource fedora ReplacementAwaited
	// Update DataSource fedora CronLabel
	// Wait DataImportCron fedora ReplacementAwaited
	// Keep DataImportCron fedora-cron UpToDate
	// Delete DataImportCron fedora TemplateRemoved
	// Keep DataImportCron fedora-cron UpToDate
}

// A cron is never updated, and a template with a mistake in it loses nothing.
func ExamplePlan() {
	o := twoArchitectures()
	o.Owner = owner()
	cluster := newModel()
	cluster.apply(noFatal{}, dictexpand.Plan(dictexpand.Expand([]dictexpand.Template{
		template("centos", "centos", "amd64,arm64"), template("fedora", "fedora", "arm64"),
	}, o), cluster.existing()).Steps)

	changed := template("centos", "centos", "arm64")
	changed.Spec.Schedule = "0 0 * * *"
	e := dictexpand.Expand([]dictexpand.Template{changed, template("fedora", "fedora", "amr64")}, o)
	have := cluster.existing()
	plan := dictexpand.Plan(e, have)
	for _, s := range plan.DryRuns() {
		fmt.Println(s.Verb, s.Kind, s.Name, s.Reason)
		// err is what the API server says to creating s.Cron as a dry run.
		err := cluster.CreateCron(*s.Cron, true)
		have.DryRuns = append(have.DryRuns, dictexpand.DryRunOf(s, err))
	}
	fmt.Println("and then")
	for _, s := range dictexpand.Plan(e, have).Steps {
		fmt.Println(s.Verb, s.Kind, s.Name, s.Reason)
	}
	// Output:
	// DryRun DataImportCron centos-arm64 SpecChanged
	// and then
	// Update DataSource centos Redirected
	// Delete DataImportCron centos-amd64 ArchitectureRemoved
	// Delete DataImportCron centos-arm64 SpecChanged
	// Create DataImportCron centos-arm64 SpecChanged
	// LeaveAlone DataImportCron fedora-arm64 TemplateBlocked
	// LeaveAlone DataSource fedora TemplateBlocked
}

func ExampleParseArchitectures() {
	fmt.Println(dictexpand.ParseArchitectures(" amd64 , arm64,amd64,"))
	// Output: [amd64 arm64]
}

func ExampleReference_DataSource() {
	r := dictexpand.Reference{Namespace: "openshift-virtualization-os-images", Name: "rhel10", Target: "rhel10-amd64"}
	ds := r.DataSource()
	fmt.Println(ds.Name, ds.Spec.Source.DataSource.Name)
	// Output: rhel10 rhel10-amd64
}

func ExampleBootSources_DryRuns() {
	o := twoArchitectures()
	o.Owner = owner()
	cluster := newModel()
	fedora := template("fedora", "fedora", "")
	cluster.apply(noFatal{}, dictexpand.Plan(dictexpand.Expand([]dictexpand.Template{fedora}, o), cluster.existing()).Steps)

	fedora.Spec.Schedule = "@daily"
	for _, s := range dictexpand.Plan(dictexpand.Expand([]dictexpand.Template{fedora}, o), cluster.existing()).DryRuns() {
		fmt.Println(s.Verb, s.Name, s.Cron.Spec.Schedule)
	}
	// Output: DryRun fedora @daily
}

func ExampleStep_Writes() {
	fmt.Println(dictexpand.Step{Verb: dictexpand.VerbDelete}.Writes(), dictexpand.Step{Verb: dictexpand.VerbLeaveAlone}.Writes())
	// Output: true false
}
