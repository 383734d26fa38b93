package source

import (
	"slices"
	"strings"
)

// A Kind is a kind of object that the audit reads.
type Kind struct {
	Group, Resource, Kind string
	// Versions are those that are understood, the newest first.
	Versions   []string
	Namespaced bool
	// Namespace is the only one that is looked into, empty for all.
	Namespace string
	// Bulk kinds may have a hundred thousand objects. They are streamed, never held.
	Bulk bool
	// Picked kinds are not listed: single objects of them are asked for. Names are those
	// that may be, beside those that begin with Prefix; all if there are none.
	Picked bool
	Names  []string
	Prefix string
	// Needed kinds are those without which nothing can be judged.
	Needed bool
	// Drop lists fields that are dropped as soon as an object is read.
	Drop [][]string
}

// APIVersion returns the version that a manifest of the kind has.
func (k *Kind) APIVersion() string {
	if k.Group == "" {
		return k.Versions[0]
	}
	return k.Group + "/" + k.Versions[0]
}

// Name returns resource and group, as oc takes it.
func (k *Kind) Name() string {
	if k.Group == "" {
		return k.Resource
	}
	return k.Resource + "." + k.Group
}

const (
	config         = "config.openshift.io"
	machineConfig  = "machineconfiguration.openshift.io"
	image          = "image.openshift.io"
	cdi            = "cdi.kubevirt.io"
	hypershift     = "hypershift.openshift.io"
	mcoNamespace   = "openshift-machine-config-operator"
	apiServerSpace = "openshift-apiserver"
	serverConfig   = "config"
	hostedServer   = "openshift-apiserver"
	// digests begins the names of the ConfigMaps in which jobs report.
	digests = "digest-"
)

// onlyMetadata drops what is not metadata of kinds of which nothing else is looked at.
var onlyMetadata = [][]string{{"spec"}, {"status"}}

// The kinds that the audit reads.
var (
	ClusterVersions  = &Kind{Group: config, Resource: "clusterversions", Kind: "ClusterVersion", Versions: []string{"v1"}, Needed: true}
	FeatureGates     = &Kind{Group: config, Resource: "featuregates", Kind: "FeatureGate", Versions: []string{"v1"}, Needed: true}
	ImageConfigs     = &Kind{Group: config, Resource: "images", Kind: "Image", Versions: []string{"v1"}, Needed: true}
	Infrastructures  = &Kind{Group: config, Resource: "infrastructures", Kind: "Infrastructure", Versions: []string{"v1"}}
	ClusterOperators = &Kind{Group: config, Resource: "clusteroperators", Kind: "ClusterOperator", Versions: []string{"v1"}}
	Nodes            = &Kind{Resource: "nodes", Kind: "Node", Versions: []string{"v1"}, Needed: true,
		Drop: [][]string{{"status", "images"}, {"status", "conditions"}, {"status", "volumesAttached"}, {"status", "volumesInUse"}}}
	OpenShiftAPIServers = &Kind{Group: "operator.openshift.io", Resource: "openshiftapiservers", Kind: "OpenShiftAPIServer", Versions: []string{"v1"}}

	MachineConfigPools = &Kind{Group: machineConfig, Resource: "machineconfigpools", Kind: "MachineConfigPool", Versions: []string{"v1"}}
	// The Ignition configuration of a machine config holds certificates and keys.
	MachineConfigs   = &Kind{Group: machineConfig, Resource: "machineconfigs", Kind: "MachineConfig", Versions: []string{"v1"}, Drop: [][]string{{"spec", "config"}}}
	MachineOSConfigs = &Kind{Group: machineConfig, Resource: "machineosconfigs", Kind: "MachineOSConfig", Versions: []string{"v1"}}
	MachineOSBuilds  = &Kind{Group: machineConfig, Resource: "machineosbuilds", Kind: "MachineOSBuild", Versions: []string{"v1"}}
	OSImageStreams   = &Kind{Group: machineConfig, Resource: "osimagestreams", Kind: "OSImageStream", Versions: []string{"v1", "v1alpha1"}}
	Jobs             = &Kind{Group: "batch", Resource: "jobs", Kind: "Job", Versions: []string{"v1"}, Namespaced: true, Namespace: mcoNamespace}
	ConfigMaps       = &Kind{Resource: "configmaps", Kind: "ConfigMap", Versions: []string{"v1"}, Namespaced: true, Picked: true,
		Names: []string{serverConfig, hostedServer}, Prefix: digests}

	ImageStreams = &Kind{Group: image, Resource: "imagestreams", Kind: "ImageStream", Versions: []string{"v1"}, Namespaced: true, Bulk: true}
	Images       = &Kind{Group: image, Resource: "images", Kind: "Image", Versions: []string{"v1"}, Bulk: true, Picked: true}

	Pods = &Kind{Resource: "pods", Kind: "Pod", Versions: []string{"v1"}, Namespaced: true, Bulk: true}

	SSPs             = &Kind{Group: "ssp.kubevirt.io", Resource: "ssps", Kind: "SSP", Versions: []string{"v1beta3", "v1beta2"}, Namespaced: true}
	DataImportCrons  = &Kind{Group: cdi, Resource: "dataimportcrons", Kind: "DataImportCron", Versions: []string{"v1beta1"}, Namespaced: true}
	DataSources      = &Kind{Group: cdi, Resource: "datasources", Kind: "DataSource", Versions: []string{"v1beta1"}, Namespaced: true}
	DataVolumes      = &Kind{Group: cdi, Resource: "datavolumes", Kind: "DataVolume", Versions: []string{"v1beta1"}, Namespaced: true, Drop: onlyMetadata}
	VolumeClaims     = &Kind{Resource: "persistentvolumeclaims", Kind: "PersistentVolumeClaim", Versions: []string{"v1"}, Namespaced: true, Drop: onlyMetadata}
	VolumeSnapshots  = &Kind{Group: "snapshot.storage.k8s.io", Resource: "volumesnapshots", Kind: "VolumeSnapshot", Versions: []string{"v1"}, Namespaced: true, Drop: onlyMetadata}
	HostedClusters   = &Kind{Group: hypershift, Resource: "hostedclusters", Kind: "HostedCluster", Versions: []string{"v1beta1"}, Namespaced: true}
	HostedNodePools  = &Kind{Group: hypershift, Resource: "nodepools", Kind: "NodePool", Versions: []string{"v1beta1"}, Namespaced: true}
	alwaysDropped    = [][]string{{"metadata", "managedFields"}, {"metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"}}
	secret, listKind = "Secret", "List"
)

// Kinds returns every kind that the audit reads, in the order in which it does.
func Kinds() []*Kind {
	return []*Kind{
		ClusterVersions, FeatureGates, ImageConfigs, Infrastructures, ClusterOperators, Nodes, OpenShiftAPIServers,
		MachineConfigPools, MachineConfigs, MachineOSConfigs, MachineOSBuilds, OSImageStreams, Jobs, ConfigMaps,
		SSPs, DataImportCrons, DataSources, DataVolumes, VolumeClaims, VolumeSnapshots,
		HostedClusters, HostedNodePools, Pods, ImageStreams, Images,
	}
}

// ServerConfig is the ConfigMap with the configuration that openshift-apiserver runs
// with.
var ServerConfig = Key{apiServerSpace, serverConfig}

// kindOf returns the kind of an object, nil if it is not one that the audit reads, or not
// in a version that it understands.
func kindOf(kinds []*Kind, id identity) *Kind {
	group, version, found := strings.Cut(id.apiVersion, "/")
	if !found {
		group, version = "", group
	}
	i := slices.IndexFunc(kinds, func(k *Kind) bool {
		return k.Kind == id.kind && k.Group == group && slices.Contains(k.Versions, version)
	})
	if i < 0 {
		return nil
	}
	k := kinds[i]
	if k.Namespace != "" && k.Namespace != id.Namespace || len(k.Names) > 0 && !slices.Contains(k.Names, id.Name) && !strings.HasPrefix(id.Name, k.Prefix) {
		return nil
	}
	return k
}
