package dictexpand

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// The keys that the expansion and the plan read and write.
const (
	// ArchitecturesAnnotation of a template lists the architectures of its image,
	// separated by commas. It is not copied to crons.
	ArchitecturesAnnotation = "ssp.kubevirt.io/dict.architectures"
	// ArchitectureLabel of a cron is its architecture.
	ArchitectureLabel = "template.kubevirt.io/architecture"
	// DataSourceNameLabel of a cron is the managedDataSource of its template.
	DataSourceNameLabel = "cdi.kubevirt.io/storage.import.datasource-name"
	// DataImportCronLabel of a DataSource is the name of the cron that manages
	// it. CDI updates no DataSource without it.
	DataImportCronLabel = "cdi.kubevirt.io/dataImportCron"
	// DataImportCronCleanupLabel of a DataSource makes CDI delete it together
	// with the cron that manages it.
	DataImportCronCleanupLabel = "cdi.kubevirt.io/dataImportCron.cleanup"
)

// MaxNameLength is the longest name and the longest managedDataSource that CDI
// admits in a DataImportCron.
const MaxNameLength = 63

// A Template is a DataImportCronTemplate. The type of the SSP operator has the
// same fields, so Template(t) converts it; that of the HyperConverged operator
// has a pointer to the spec, which must not be nil.
type Template struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec cdiv1beta1.DataImportCronSpec `json:"spec"`
}

// Options is what Expand and Plan know of the cluster and of the caller. Both
// must be given the same. The zero value is a cluster with multiple
// architectures switched off and a caller that owns nothing.
type Options struct {
	// MultiArch is whether templates are expanded per architecture at all. If
	// not, each gives one cron as written.
	MultiArch bool
	// Architectures holds those of the cluster in the caller's order of
	// preference. The SSP operator takes the control plane's, then the workload
	// nodes'. Repetitions do not matter.
	Architectures []string
	// WorkloadArchitectures holds those of Architectures that have nodes for
	// workload. Empty means that this is not known, and that all count.
	WorkloadArchitectures []string
	// ArchitecturesIncomplete says that there are nodes whose architecture is not
	// known yet. Plan then deletes and redirects nothing.
	ArchitecturesIncomplete bool
	// Supported holds the architectures that the caller supports. Empty means
	// all.
	Supported []string
	// Namespace is where the crons of templates without a namespace go, and
	// where the DataSources of DataSources are.
	Namespace string
	// DataSources holds, by the name without an architecture, those that the
	// caller makes per architecture itself, such as the ones of the SSP
	// operator's common templates. Plan never deletes one of them.
	DataSources []DataSource
	// OwnImages holds the DataSources that point to an image of a user's own.
	// They are left alone: no cron is made that would manage one.
	OwnImages []types.NamespacedName
	// Owner is how the objects of the caller are told from those of others.
	Owner Owner
}

// A DataSource is one that the caller makes per architecture: Name-a for each
// architecture a.
type DataSource struct {
	Name          string
	Architectures []string
}

// Owner holds the labels and annotations that Plan puts on every object it
// makes. An object that carries all of them is the caller's. A zero Owner owns
// nothing, so nothing of what exists is changed.
type Owner struct {
	Labels      map[string]string
	Annotations map[string]string
}
