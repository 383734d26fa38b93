package main

// A consumer is the requirements of one of the operators that polyarch is for,
// and the packages that it would import. The pins are those of mid 2026.
type consumer struct {
	name     string
	goVer    string
	requires []string // the operator's own pins, path@version
	apis     []string // the API packages that the operator uses already
	polyarch []string // what it would import, below the module path
	vendor   bool     // build it with -mod=vendor
}

const (
	openshift = "github.com/openshift/api@"
	k8sAPI    = "k8s.io/api@"
	k8sMach   = "k8s.io/apimachinery@"
	k8sClient = "k8s.io/client-go@"
	cdi       = "kubevirt.io/containerized-data-importer-api@"

	// Two operators pin versions of openshift/api that the module proxy does
	// not serve (of 2026-01-05 and of 2026-06-24). The next older one that it
	// serves stands for them: what does not raise an older pin does not raise
	// a newer one.
	api20251208 = openshift + "v0.0.0-20251208101024-c2a41ea924bd"
	api20260317 = openshift + "v0.0.0-20260317165824-54a3998d81eb"
	api20260805 = openshift + "v0.0.0-20260805215214-cfb63858e9d7"
	api20260810 = openshift + "v0.0.0-20260810132456-8f52beb625b5"
)

func k8s(version string) []string {
	return []string{k8sAPI + version, k8sMach + version, k8sClient + version}
}

func consumers() []consumer {
	return []consumer{
		{
			name: "openshift-apiserver", goVer: "1.24.0", vendor: true,
			requires: append(k8s("v0.34.1"), api20251208),
			apis: []string{"github.com/openshift/api/image/v1", "github.com/openshift/api/openshiftcontrolplane/v1",
				"github.com/openshift/api/config/v1"},
			polyarch: []string{"importmode"},
		},
		{
			name: "ssp-operator", goVer: "1.25.0",
			requires: append(k8s("v0.35.3"), api20251208, cdi+"v1.64.0"),
			apis: []string{"github.com/openshift/api/config/v1",
				"kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"},
			polyarch: []string{"payloadarch/nodearch", "dictexpand"},
		},
		{
			name: "cluster-image-registry-operator", goVer: "1.25.0",
			requires: append(k8s("v0.35.1"), api20260317),
			apis:     []string{"github.com/openshift/api/config/v1", "github.com/openshift/api/operator/v1"},
			polyarch: []string{"payloadarch", "importmode"},
		},
		{
			name: "cluster-version-operator", goVer: "1.25.7",
			requires: append(k8s("v0.35.3"), api20260317),
			apis:     []string{"github.com/openshift/api/config/v1", "github.com/openshift/api/image/v1"},
			polyarch: []string{"payloadarch", "importmode"},
		},
		{
			name: "cluster-openshift-apiserver-operator", goVer: "1.26.0",
			requires: append(k8s("v0.36.2"), api20260805),
			apis:     []string{"github.com/openshift/api/config/v1", "github.com/openshift/api/operator/v1"},
			polyarch: []string{"importmode"},
		},
		{
			name: "machine-config-operator", goVer: "1.26.0",
			requires: append(k8s("v0.36.2"), api20260810),
			apis:     []string{"github.com/openshift/api/config/v1", "github.com/openshift/api/machineconfiguration/v1"},
			polyarch: []string{"payloadarch", "payloadarch/nodearch", "manifestlist", "manifestlist/buildplan", "osimagestream"},
		},
	}
}

// newest is what importers will move to next: the newest versions that the
// module proxy serves.
func newest() []string {
	return append(k8s("v0.37.2")[:2:2], api20260810, cdi+"v1.65.0")
}
