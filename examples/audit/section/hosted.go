package section

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/polyarch/polyarch/examples/audit/source"
	hypershift "github.com/polyarch/polyarch/examples/hypershift/controller"
)

// A HostedCluster is as much of one as is looked at.
type HostedCluster struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Configuration *struct {
			Image *struct {
				ImageStreamImportMode string `json:"imageStreamImportMode"`
			} `json:"image"`
		} `json:"configuration"`
	} `json:"spec"`
	Status struct {
		PayloadArch string `json:"payloadArch"`
	} `json:"status"`
}

// A NodePool is as much of one as is looked at.
type NodePool struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		ClusterName string `json:"clusterName"`
		Arch        string `json:"arch"`
		Replicas    *int32 `json:"replicas"`
	} `json:"spec"`
}

// configKey is the ConfigMap that holds the configuration of the hosted
// openshift-apiserver.
func (hc HostedCluster) configKey() source.Key {
	key := hypershift.ConfigMapOf(types.NamespacedName{Namespace: hc.Namespace, Name: hc.Name})
	return source.Key{Namespace: key.Namespace, Name: key.Name}
}
