package main

import "slices"

// A consumer is a module that stands for one of the operators that polyarch is
// for: it has the operator's pins and imports what the operator vendors.
//
// The pins are those of mid 2026. The vendored packages are read from
// vendor/modules.txt of the commit named with each consumer, a published copy
// that is older than the pins: packages come and go slowly. Only packages of
// the modules that the pins name are taken over, because only these can be
// what polyarch imports as well.
type consumer struct {
	name     string
	goVer    string
	requires []string // the operator's own pins, path@version
	vendors  []string // what it vendors, besides common
	uses     []use
}

// A use is what an operator would import for one purpose, on top of the uses
// before it.
type use struct {
	polyarch []string // packages, below the module path
	adds     []string // exactly the packages of others that come along
}

const (
	openshift  = "github.com/openshift/api"
	k8sAPI     = "k8s.io/api"
	k8sMach    = "k8s.io/apimachinery"
	k8sClient  = "k8s.io/client-go"
	cdi        = "kubevirt.io/containerized-data-importer-api"
	imageSpec  = "github.com/opencontainers/image-spec"
	goDigest   = "github.com/opencontainers/go-digest"
	machineCfg = openshift + "/machineconfiguration/v1"

	// Two operators pin versions of openshift/api that the module proxy does
	// not serve (of 2026-01-05 and of 2026-06-24). The next older one that it
	// serves stands for them: what does not raise an older pin does not raise
	// a newer one.
	api20251208 = openshift + "@v0.0.0-20251208101024-c2a41ea924bd"
	api20260317 = openshift + "@v0.0.0-20260317165824-54a3998d81eb"
	api20260805 = openshift + "@v0.0.0-20260805215214-cfb63858e9d7"
	api20260810 = openshift + "@v0.0.0-20260810132456-8f52beb625b5"
)

func k8s(version string) []string {
	return []string{k8sAPI + "@" + version, k8sMach + "@" + version, k8sClient + "@" + version}
}

// oci is what importers of image indexes pin: k8s.io/kubernetes v1.34.1, which
// openshift-apiserver requires, and containers/image v5.35, which
// machine-config-operator requires, both ask for these.
func oci() []string {
	return []string{goDigest + "@v1.0.0", imageSpec + "@v1.1.1"}
}

// common is what all six operators vendor. client-go brings in nearly all of
// k8s.io/api, and the modules below apimachinery.
func common() []string {
	return []string{
		k8sClient + "/kubernetes",
		k8sMach + "/pkg/api/equality",
		k8sMach + "/pkg/api/errors",
		k8sMach + "/pkg/api/meta",
		k8sMach + "/pkg/api/resource",
		k8sMach + "/pkg/api/validation",
		k8sMach + "/pkg/apis/meta/v1",
		k8sMach + "/pkg/apis/meta/v1/unstructured",
		k8sMach + "/pkg/apis/meta/v1/validation",
		k8sMach + "/pkg/fields",
		k8sMach + "/pkg/labels",
		k8sMach + "/pkg/runtime",
		k8sMach + "/pkg/runtime/serializer",
		k8sMach + "/pkg/types",
		k8sMach + "/pkg/util/errors",
		k8sMach + "/pkg/util/intstr",
		k8sMach + "/pkg/util/sets",
		k8sMach + "/pkg/util/validation",
		k8sMach + "/pkg/util/validation/field",
		k8sMach + "/pkg/util/wait",
		k8sMach + "/pkg/util/yaml",
	}
}

func consumers() []consumer {
	return []consumer{
		{
			// openshift/openshift-apiserver, 6c868bb6b098. The root package of
			// openshift/api brings in every group but machineconfiguration.
			name: "openshift-apiserver", goVer: "1.24.0",
			requires: slices.Concat(k8s("v0.34.1"), oci(), []string{api20251208}),
			vendors:  []string{openshift, goDigest, imageSpec + "/specs-go/v1"},
			uses: []use{
				{polyarch: []string{"importmode"}},
				{polyarch: []string{"manifestlist"}}, // the importer's choice among the manifests of an index
			},
		},
		{
			// openshift/cluster-openshift-apiserver-operator, 01186152491e.
			name: "cluster-openshift-apiserver-operator", goVer: "1.26.0",
			requires: append(k8s("v0.36.2"), api20260805),
			vendors:  []string{openshift},
			uses: []use{
				{polyarch: []string{"importmode"}},
			},
		},
		{
			// openshift/cluster-image-registry-operator, 5c81c66de524.
			name: "cluster-image-registry-operator", goVer: "1.25.0",
			requires: append(k8s("v0.35.1"), api20260317),
			vendors:  []string{openshift},
			uses: []use{
				{polyarch: []string{"payloadarch", "importmode"}},
				{polyarch: []string{"payloadarch/nodearch"}}, // for the finding that all nodes have one architecture
			},
		},
		{
			// openshift/cluster-version-operator, 0153756a1edc, without what its
			// experiments with machine config pools and update status add there.
			name: "cluster-version-operator", goVer: "1.25.7",
			requires: append(k8s("v0.35.3"), api20260317),
			vendors: []string{openshift + "/config/v1", openshift + "/config/v1alpha1", openshift + "/image/v1",
				openshift + "/operator/v1", openshift + "/operator/v1alpha1", openshift + "/security/v1"},
			uses: []use{
				{polyarch: []string{"payloadarch"}},
				// importmode.Configure takes a part of openshift-apiserver's
				// configuration, whose package imports the other two.
				{polyarch: []string{"importmode"}, adds: []string{openshift + "/build/v1",
					openshift + "/openshiftcontrolplane/v1", openshift + "/osin/v1"}},
			},
		},
		{
			// kubevirt/ssp-operator, c235d922bd85.
			name: "ssp-operator", goVer: "1.25.0",
			requires: append(k8s("v0.35.3"), api20251208, cdi+"@v1.64.0"),
			vendors: []string{openshift + "/config/v1", openshift + "/route/v1", openshift + "/security/v1",
				openshift + "/template/v1", cdi + "/pkg/apis/core/v1beta1"},
			uses: []use{
				{polyarch: []string{"dictexpand"}},
				{polyarch: []string{"payloadarch", "payloadarch/nodearch"}},
			},
		},
		{
			// openshift/machine-config-operator, 22ef408d3eb3.
			name: "machine-config-operator", goVer: "1.26.0",
			requires: slices.Concat(k8s("v0.36.2"), oci(), []string{api20260810}),
			vendors: []string{openshift, machineCfg, openshift + "/machineconfiguration/v1alpha1",
				goDigest, imageSpec + "/specs-go/v1", k8sMach + "/pkg/util/version"},
			uses: []use{
				{polyarch: []string{"payloadarch", "payloadarch/nodearch"}},
				{polyarch: []string{"manifestlist", "manifestlist/buildplan"}},
				{polyarch: []string{"osimagestream"}},
			},
		},
	}
}

// newest is what importers will move to next: the newest versions that the
// module proxy serves.
func newest() []string {
	return append(k8s("v0.37.2")[:2:2], api20260810, cdi+"@v1.65.0")
}
