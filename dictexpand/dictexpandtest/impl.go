package dictexpandtest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// A Template is a DataImportCronTemplate. That of the SSP operator converts to it.
type Template struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec cdiv1beta1.DataImportCronSpec `json:"spec"`
}

// Cluster is what an operator knows of the cluster and of itself.
type Cluster struct {
	// MultiArch is spec.enableMultipleArchitectures of the SSP object.
	MultiArch bool
	// Architectures are those of the nodes, the control plane's first: the order of
	// preference. Workload are those of them that have nodes for workload; none means
	// that nobody knows.
	Architectures, Workload []string
	// Incomplete says that there are nodes whose architecture is not known yet.
	Incomplete bool
	// Held are architectures that left the cluster a short time ago, and whose boot
	// sources are to stay for now.
	Held []string
	// Supported are the architectures that the operator supports; none means all.
	Supported []string
	// Namespace is where the crons of templates without a namespace go.
	Namespace string
	// Made are the DataSources that the operator makes itself for each of some
	// architectures, in Namespace: those of its common templates, by name without an
	// architecture.
	Made map[string][]string
	// OwnImages are the DataSources that point to a user's own image, for Expand. For
	// Reconcile they are not set: it looks at what exists.
	OwnImages []types.NamespacedName
	// Labels and Annotations are those by which the operator knows its objects.
	Labels, Annotations map[string]string
}

// An Expansion is what templates come to.
type Expansion struct {
	// Crons are those of all templates that nothing is wrong with, in any order.
	Crons []cdiv1beta1.DataImportCron
	// References are the DataSources that lead to that of one architecture, in any
	// order.
	References []cdiv1beta1.DataSource
}

// What the error of a dry run says about a cron.
const (
	Accepted = "Accepted" // it may be created once the old one of its name is gone
	Refused  = "Refused"  // it is refused now and later
	Unknown  = "Unknown"  // nothing
)

// Impl is an implementation, or a part of one. A function that is nil is not
// implemented. None may change its arguments.
type Impl struct {
	// Architectures reads the annotation ssp.kubevirt.io/dict.architectures. It judges
	// no name.
	Architectures func(value string) []string
	// Expand turns templates into crons and references. Templates that something is
	// wrong with are left out; how it tells people is its own matter.
	Expand func(templates []Template, cluster Cluster) Expansion
	// OwnImages returns which DataSources point to a user's own image, in any order.
	// Claims are the metadata of PersistentVolumeClaims, snapshots that of
	// VolumeSnapshots.
	OwnImages func(dataSources []cdiv1beta1.DataSource, claims, snapshots []metav1.ObjectMeta) []types.NamespacedName
	// DryRun reads the error of creating a cron as a dry run: Accepted, Refused or
	// Unknown.
	DryRun func(err error) string
	// Reconcile is one run of the operator: it reads the cluster and writes to it. It
	// may stop at an error, which is what a controller tries again after. It is called
	// again and again, with CDI at work between, and keeps nothing that an operator
	// which is restarted would not have.
	Reconcile func(client *Client, templates []Template, cluster Cluster) error
}

// Whether an implementation has what a row calls.
func hasArchitectures(i Impl) bool { return i.Architectures != nil }
func hasExpand(i Impl) bool        { return i.Expand != nil }
func hasOwnImages(i Impl) bool     { return i.OwnImages != nil }
func hasDryRun(i Impl) bool        { return i.DryRun != nil }
func hasReconcile(i Impl) bool     { return i.Reconcile != nil }
