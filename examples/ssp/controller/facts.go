package controller

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// sspSpec is as much of an SSP's spec as is needed.
type sspSpec struct {
	EnableMultipleArchitectures bool `json:"enableMultipleArchitectures"`
	Cluster                     *struct {
		ControlPlaneArchitectures []string `json:"controlPlaneArchitectures"`
		WorkloadArchitectures     []string `json:"workloadArchitectures"`
	} `json:"cluster"`
	CommonTemplates struct {
		DataImportCronTemplates []dictexpand.Template `json:"dataImportCronTemplates"`
	} `json:"commonTemplates"`
}

func specOf(ssp *unstructured.Unstructured) (sspSpec, error) {
	var spec sspSpec
	raw, _, err := unstructured.NestedMap(ssp.Object, "spec")
	if err != nil {
		return spec, err
	}
	return spec, runtime.DefaultUnstructuredConverter.FromUnstructured(raw, &spec)
}

// facts is what there is in the cluster.
type facts struct {
	nodes    nodearch.Nodes
	existing dictexpand.Existing
}

func (r *Reconciler) facts(ctx context.Context, from client.Reader) (facts, error) {
	var nodes corev1.NodeList
	var crons cdiv1beta1.DataImportCronList
	var dataSources cdiv1beta1.DataSourceList
	for _, list := range []client.ObjectList{&nodes, &crons, &dataSources} {
		if err := from.List(ctx, list); err != nil {
			return facts{}, err
		}
	}
	f := facts{nodearch.FromNodes(nodes.Items), dictexpand.Existing{Crons: crons.Items, DataSources: dataSources.Items}}
	for _, images := range []struct {
		list *[]metav1.ObjectMeta
		kind schema.GroupVersionKind
	}{
		{&f.existing.Claims, claims}, {&f.existing.Snapshots, snapshots}, {&f.existing.DataVolumes, dataVolumes},
	} {
		var err error
		if *images.list, err = metadata(ctx, from, images.kind); err != nil {
			return facts{}, err
		}
	}
	return f, nil
}

// What a DataSource can point to, and what owns the claims that CDI imported.
var (
	claims      = corev1.SchemeGroupVersion.WithKind("PersistentVolumeClaimList")
	snapshots   = schema.GroupVersionKind{Group: "snapshot.storage.k8s.io", Version: "v1", Kind: "VolumeSnapshotList"}
	dataVolumes = cdiv1beta1.SchemeGroupVersion.WithKind("DataVolumeList")
)

// metadata lists the metadata of all objects of a kind. There are none of a kind
// that the cluster does not serve.
func metadata(ctx context.Context, from client.Reader, kind schema.GroupVersionKind) ([]metav1.ObjectMeta, error) {
	var list metav1.PartialObjectMetadataList
	list.SetGroupVersionKind(kind)
	if err := from.List(ctx, &list); err != nil && !meta.IsNoMatchError(err) {
		return nil, err
	}
	all := make([]metav1.ObjectMeta, len(list.Items))
	for i := range list.Items {
		all[i] = list.Items[i].ObjectMeta
	}
	return all, nil
}

// options gathers what is known of the cluster: the architectures that the spec
// names, else those of the nodes, the control plane's first. It returns after how
// long an architecture is to be dropped, 0 if none is held.
func (r *Reconciler) options(ssp *unstructured.Unstructured, spec sspSpec, f facts) (dictexpand.Options, time.Duration) {
	o := dictexpand.Options{
		MultiArch:               spec.EnableMultipleArchitectures,
		ArchitecturesIncomplete: f.nodes.Incomplete,
		Supported:               []string{"amd64", "arm64", "s390x"},
		Namespace:               r.Namespace,
		CallerDataSources:       r.DataSources,
		OwnImages:               dictexpand.OwnImages(f.existing),
		Owner:                   ownerOf(ssp),
	}
	controlPlane := slices.Collect(f.nodes.ControlPlane.All())
	o.WorkloadArchitectures = slices.Collect(f.nodes.Workload.All())
	o.NoWorkloadNodes = !f.nodes.Incomplete
	if c := spec.Cluster; c != nil {
		controlPlane, o.WorkloadArchitectures, o.NoWorkloadNodes = c.ControlPlaneArchitectures, c.WorkloadArchitectures, false
	}
	o.Architectures = slices.Concat(controlPlane, o.WorkloadArchitectures)
	var next time.Duration
	o.HeldArchitectures, next = r.absent.held(ssp.GetUID(), o, f.existing, r.Now().Time, r.Grace)
	return o, next
}

// ownerOf marks objects as the SSP operator does.
func ownerOf(ssp *unstructured.Unstructured) dictexpand.Owner {
	return dictexpand.Owner{
		Labels: map[string]string{"app.kubernetes.io/managed-by": "ssp-operator"},
		Annotations: map[string]string{
			"operator-sdk/primary-resource":      ssp.GetNamespace() + "/" + ssp.GetName(),
			"operator-sdk/primary-resource-type": GroupVersionKind.Kind + "." + GroupVersionKind.Group,
		},
	}
}
