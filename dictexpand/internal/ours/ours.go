// Package ours puts package dictexpand into the form that its test package takes. It is
// for tests.
package ours

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
)

// Impl returns the functions of package dictexpand.
func Impl() dictexpandtest.Impl {
	return dictexpandtest.Impl{
		Architectures: dictexpand.ParseArchitectures,
		Expand: func(templates []dictexpandtest.Template, cluster dictexpandtest.Cluster) dictexpandtest.Expansion {
			return Expansion(dictexpand.Expand(Templates(templates), Options(cluster)))
		},
		OwnImages: func(dataSources []cdiv1beta1.DataSource, claims, snapshots []metav1.ObjectMeta) []types.NamespacedName {
			return dictexpand.OwnImages(dictexpand.Existing{DataSources: dataSources, Claims: claims, Snapshots: snapshots})
		},
		DryRun:    func(err error) string { return answer(dictexpand.DryRunOf(dictexpand.Step{}, err).Answer) },
		Reconcile: Operator{}.Reconcile,
	}
}

// Expansion says the same without reasons.
func Expansion(e dictexpand.Expansion) dictexpandtest.Expansion {
	var made dictexpandtest.Expansion
	for _, c := range e.Crons {
		made.Crons = append(made.Crons, c.Object)
	}
	for _, r := range e.References {
		made.References = append(made.References, r.DataSource())
	}
	return made
}

// Templates converts templates.
func Templates(list []dictexpandtest.Template) []dictexpand.Template {
	var all []dictexpand.Template
	for _, t := range list {
		all = append(all, dictexpand.Template(t))
	}
	return all
}

// Options says what is known of the cluster.
func Options(c dictexpandtest.Cluster) dictexpand.Options {
	o := dictexpand.Options{
		MultiArch: c.MultiArch, Architectures: c.Architectures, WorkloadArchitectures: c.Workload,
		ArchitecturesIncomplete: c.Incomplete, HeldArchitectures: c.Held, Supported: c.Supported,
		Namespace: c.Namespace, OwnImages: c.OwnImages,
		Owner: dictexpand.Owner{Labels: c.Labels, Annotations: c.Annotations},
	}
	for name, architectures := range c.Made {
		o.CallerDataSources = append(o.CallerDataSources, dictexpand.CallerDataSource{Name: name, Architectures: architectures})
	}
	return o
}

func answer(a dictexpand.DryRunAnswer) string {
	if a == dictexpand.DryRunUnknown {
		return dictexpandtest.Unknown
	}
	return string(a)
}
