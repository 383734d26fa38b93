package dictexpand

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// A Template is a DataImportCronTemplate. The type of the SSP operator has the
// same fields, so Template(t) converts it; that of the HyperConverged operator
// has a pointer to the spec, which must not be nil.
type Template struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec cdiv1beta1.DataImportCronSpec `json:"spec"`
}
