package section

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	machineconfig "github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// Facts is what was read of a cluster, apart from the image streams, and the decisions
// that several sections rest on.
type Facts struct {
	from source.Source
	// Supposed says that the facts are not those of the cluster, but of a change of it.
	Supposed bool
	// Unreadable are objects that are not as their kind is.
	Unreadable []string

	ClusterVersion *configv1.ClusterVersion
	Gates          *configv1.FeatureGate
	Image          *configv1.Image
	Infrastructure *configv1.Infrastructure
	Operators      []configv1.ClusterOperator
	APIServer      *operatorv1.OpenShiftAPIServer
	// ServerConfig is the configuration that openshift-apiserver runs with.
	ServerConfig *corev1.ConfigMap

	Nodes   []corev1.Node
	Pools   []*mcfgv1.MachineConfigPool
	Configs []*mcfgv1.MachineConfig

	OSConfigs     []*mcfgv1.MachineOSConfig
	OSBuilds      []*mcfgv1.MachineOSBuild
	OSImageStream *mcfgv1.OSImageStream
	Jobs          []batchv1.Job
	// Digests are what the jobs report, by their names.
	Digests map[string]string

	SSPs        []SSP
	Crons       []cdiv1beta1.DataImportCron
	DataSources []cdiv1beta1.DataSource
	DataVolumes []metav1.ObjectMeta
	Claims      []metav1.ObjectMeta
	Snapshots   []metav1.ObjectMeta

	HostedClusters []HostedCluster
	NodePools      []NodePool
	// HostedConfigs are those of hosted openshift-apiservers, by their namespace.
	HostedConfigs map[string]*corev1.ConfigMap

	Payload  payloadarch.Verdict
	NodeArch nodearch.Nodes
	PoolArch nodearch.Pools
	Mode     importmode.Decision
}

// The names of singletons.
const (
	clusterVersionName = "version"
	clusterName        = "cluster"
)

// Load reads everything but the image streams.
func Load(ctx context.Context, from source.Source) (*Facts, error) {
	f := &Facts{from: from, HostedConfigs: map[string]*corev1.ConfigMap{}, Digests: map[string]string{}}
	if err := from.Read(ctx, f.take); err != nil {
		return nil, err
	}
	if err := f.pickConfigMaps(ctx); err != nil {
		return nil, err
	}
	f.Decide()
	return f, nil
}

// pickConfigMaps reads the few ConfigMaps that hold a fact.
func (f *Facts) pickConfigMaps(ctx context.Context) error {
	keys := []source.Key{source.ServerConfig}
	for _, hc := range f.HostedClusters {
		keys = append(keys, hc.configKey())
	}
	jobs := map[source.Key]string{}
	for i := range f.Jobs {
		job := &f.Jobs[i]
		if job.Annotations[buildplan.AnnotationConfig] != "" {
			key := source.Key{Namespace: job.Namespace, Name: machineconfig.DigestConfigMap(job.Name)}
			keys, jobs[key] = append(keys, key), job.Name
		}
	}
	return f.from.Pick(ctx, source.ConfigMaps, keys, func(o source.Object) error {
		c := into[corev1.ConfigMap](f, source.ConfigMaps, o)
		job, reports := jobs[o.Key]
		switch {
		case c == nil:
		case reports:
			f.Digests[job] = c.Data[machineconfig.DigestKey]
		case o.Key == source.ServerConfig:
			f.ServerConfig = c
		default:
			f.HostedConfigs[o.Namespace] = c
		}
		return nil
	})
}

// Decide makes the decisions that several sections rest on. It is called again when a
// fact is changed.
func (f *Facts) Decide() {
	f.Payload = payloadarch.FromClusterVersion(f.ClusterVersion, f.Gates)
	f.NodeArch = nodearch.FromNodes(f.Nodes)
	var selectors []nodearch.PoolSelector
	for _, p := range f.Pools {
		selectors = append(selectors, nodearch.PoolSelector{Name: p.Name, NodeSelector: p.Spec.NodeSelector})
	}
	f.PoolArch = nodearch.FromPools(selectors, f.Nodes)
	in := importmode.Input{Payload: f.Payload, Nodes: f.NodeArch.All, NodesIncomplete: f.NodeArch.Incomplete}
	if f.Image != nil {
		in.Spec, in.Current = f.Image.Spec.ImageStreamImportMode, f.Image.Status.ImageStreamImportMode
	}
	f.Mode = importmode.Decide(in)
}

// Copy returns facts that can be changed and decided anew.
func (f *Facts) Copy() *Facts {
	c := *f
	c.ClusterVersion, c.Image = f.ClusterVersion.DeepCopy(), f.Image.DeepCopy()
	c.Nodes = append([]corev1.Node(nil), f.Nodes...)
	c.SSPs = nil
	for _, s := range f.SSPs {
		c.SSPs = append(c.SSPs, s.copy())
	}
	return &c
}

// into decodes an object; nil if it is not as its kind is.
func into[T any](f *Facts, k *source.Kind, o source.Object) *T {
	t := new(T)
	if err := o.Into(t); err != nil {
		f.Unreadable = append(f.Unreadable, fmt.Sprintf("%s[%s]: %v", k.Resource, o.Path(), err))
		return nil
	}
	return t
}

func add[T any](f *Facts, k *source.Kind, o source.Object, list *[]T) {
	if t := into[T](f, k, o); t != nil {
		*list = append(*list, *t)
	}
}

func addPointer[T any](f *Facts, k *source.Kind, o source.Object, list *[]*T) {
	if t := into[T](f, k, o); t != nil {
		*list = append(*list, t)
	}
}

// take keeps an object.
func (f *Facts) take(k *source.Kind, o source.Object) error {
	switch k {
	case source.ClusterVersions:
		if o.Name == clusterVersionName {
			f.ClusterVersion = into[configv1.ClusterVersion](f, k, o)
		}
	case source.FeatureGates:
		if o.Name == clusterName {
			f.Gates = into[configv1.FeatureGate](f, k, o)
		}
	case source.ImageConfigs:
		if o.Name == clusterName {
			f.Image = into[configv1.Image](f, k, o)
		}
	case source.Infrastructures:
		if o.Name == clusterName {
			f.Infrastructure = into[configv1.Infrastructure](f, k, o)
		}
	case source.ClusterOperators:
		add(f, k, o, &f.Operators)
	case source.OpenShiftAPIServers:
		if o.Name == clusterName {
			f.APIServer = into[operatorv1.OpenShiftAPIServer](f, k, o)
		}
	case source.Nodes:
		add(f, k, o, &f.Nodes)
	case source.MachineConfigPools:
		addPointer(f, k, o, &f.Pools)
	case source.MachineConfigs:
		addPointer(f, k, o, &f.Configs)
	case source.MachineOSConfigs:
		addPointer(f, k, o, &f.OSConfigs)
	case source.MachineOSBuilds:
		addPointer(f, k, o, &f.OSBuilds)
	case source.OSImageStreams:
		if o.Name == clusterName {
			f.OSImageStream = into[mcfgv1.OSImageStream](f, k, o)
		}
	case source.Jobs:
		add(f, k, o, &f.Jobs)
	case source.DataImportCrons:
		add(f, k, o, &f.Crons)
	case source.DataSources:
		add(f, k, o, &f.DataSources)
	default:
		f.takeOther(k, o)
	}
	return nil
}

// takeOther keeps an object of a kind that is read without its Go type.
func (f *Facts) takeOther(k *source.Kind, o source.Object) {
	switch k {
	case source.DataVolumes:
		addMeta(f, k, o, &f.DataVolumes)
	case source.VolumeClaims:
		addMeta(f, k, o, &f.Claims)
	case source.VolumeSnapshots:
		addMeta(f, k, o, &f.Snapshots)
	case source.SSPs:
		add(f, k, o, &f.SSPs)
	case source.HostedClusters:
		add(f, k, o, &f.HostedClusters)
	case source.HostedNodePools:
		add(f, k, o, &f.NodePools)
	}
}

func addMeta(f *Facts, k *source.Kind, o source.Object, list *[]metav1.ObjectMeta) {
	if m := into[metav1.PartialObjectMetadata](f, k, o); m != nil {
		*list = append(*list, m.ObjectMeta)
	}
}

// Unjudged says which kinds were not to be had without which nothing can be judged.
func (f *Facts) Unjudged() (why []string) {
	for _, k := range source.Kinds() {
		c := f.from.Coverage(k)
		if !k.Needed || c.State == source.Read && (c.Objects > 0 || k == source.FeatureGates) {
			continue
		}
		why = append(why, k.Name()+": "+stateText(c))
	}
	return why
}

func stateText(c source.Coverage) string {
	text := map[source.State]string{
		source.NotRead: "not read", source.Read: "there are none", source.NotInSource: "not in the source",
		source.NotServed: "the cluster has no such kind", source.Forbidden: "forbidden", source.Failed: "could not be read",
	}[c.State]
	if c.Detail != "" {
		text += ": " + c.Detail
	}
	return text
}

// known reports whether the objects of all these kinds were to be had.
func (f *Facts) known(kinds ...*source.Kind) bool {
	for _, k := range kinds {
		if !f.from.Coverage(k).Known() {
			return false
		}
	}
	return true
}

// begin returns a section with what was looked at for it.
func (f *Facts) begin(name, title string, kinds ...*source.Kind) report.Section {
	s := report.Section{Name: name, Title: title}
	for _, k := range kinds {
		c := f.from.Coverage(k)
		if c.State == source.Read || c.Objects > 0 {
			s.Looked = append(s.Looked, report.Count{Kind: k.Name(), Objects: c.Objects})
		}
		if c.State == source.Read {
			continue
		}
		m := report.Missing{Kind: k.Name(), State: c.State.String(), Detail: c.Detail}
		if c.State == source.NotInSource {
			m.Command = source.InspectCommand(k)
		}
		s.Missing = append(s.Missing, m)
	}
	return s
}
