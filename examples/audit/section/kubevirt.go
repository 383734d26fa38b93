package section

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/dictexpand"
)

// An SSP is as much of an SSP object as is looked at.
type SSP struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		EnableMultipleArchitectures bool `json:"enableMultipleArchitectures"`
		Cluster                     *struct {
			ControlPlaneArchitectures []string `json:"controlPlaneArchitectures"`
			WorkloadArchitectures     []string `json:"workloadArchitectures"`
		} `json:"cluster"`
		CommonTemplates struct {
			DataImportCronTemplates []dictexpand.Template `json:"dataImportCronTemplates"`
		} `json:"commonTemplates"`
	} `json:"spec"`
}

func (s SSP) copy() SSP {
	templates := s.Spec.CommonTemplates.DataImportCronTemplates
	s.Spec.CommonTemplates.DataImportCronTemplates = nil
	for _, t := range templates {
		s.Spec.CommonTemplates.DataImportCronTemplates = append(s.Spec.CommonTemplates.DataImportCronTemplates,
			dictexpand.Template{ObjectMeta: *t.DeepCopy(), Spec: *t.Spec.DeepCopy()})
	}
	return s
}
