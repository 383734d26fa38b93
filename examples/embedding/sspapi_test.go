package embedding_test

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// The types below stand for those of kubevirt.io/ssp-operator/api/v1beta3, as far
// as boot sources need them.

// SSPSpec is the spec of an SSP object.
type SSPSpec struct {
	EnableMultipleArchitectures *bool
	Cluster                     *Cluster
	CommonTemplates             struct {
		DataImportCronTemplates []DataImportCronTemplate
	}
}

// Cluster is spec.cluster.
type Cluster struct {
	WorkloadArchitectures     []string
	ControlPlaneArchitectures []string
}

// DataImportCronTemplate is one of spec.commonTemplates.dataImportCronTemplates.
type DataImportCronTemplate struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              cdiv1beta1.DataImportCronSpec `json:"spec"`
}
