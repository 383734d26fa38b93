package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/yaml"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	imageregistry "github.com/polyarch/polyarch/examples/imageregistry/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
	openshiftapiserver "github.com/polyarch/polyarch/examples/openshiftapiserver/controller"
	osadapter "github.com/polyarch/polyarch/examples/osimagestream/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/payloadarch"
)

// install makes the singletons and nodes of a cluster with a multi payload, for all
// adapters.
func (s *soak) install(ctx context.Context) error {
	done := metav1.Now()
	apiserver := &operatorv1.OpenShiftAPIServer{ObjectMeta: named("cluster")}
	apiserver.Spec.ManagementState = operatorv1.Managed
	objects := []client.Object{
		&corev1.Namespace{ObjectMeta: named(buildplan.Namespace)},
		apiserver,
		&configv1.ClusterOperator{ObjectMeta: named("image-registry")},
		&configv1.Image{ObjectMeta: named("cluster"), Spec: configv1.ImageSpec{ImageStreamImportMode: configv1.ImportModeLegacy}},
		&configv1.Infrastructure{ObjectMeta: named("cluster"), Status: configv1.InfrastructureStatus{
			ControlPlaneTopology: configv1.HighlyAvailableTopologyMode, InfrastructureTopology: configv1.HighlyAvailableTopologyMode,
		}},
		&configv1.FeatureGate{ObjectMeta: named("cluster"), Status: configv1.FeatureGateStatus{FeatureGates: gates()}},
		&configv1.ClusterVersion{
			ObjectMeta: named("version"), Spec: configv1.ClusterVersionSpec{ClusterID: "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"},
			Status: configv1.ClusterVersionStatus{
				Desired: configv1.Release{Version: osReleases[0].version, Image: osReleases[0].image, Architecture: configv1.ClusterVersionArchitectureMulti},
				History: []configv1.UpdateHistory{{
					State: configv1.CompletedUpdate, Version: osReleases[0].version, Image: osReleases[0].image, StartedTime: done, CompletionTime: &done,
				}},
			},
		},
	}
	for name, labels := range map[string]map[string]string{
		"control": {corev1.LabelArchStable: "amd64", "node-role.kubernetes.io/control-plane": ""},
		"amd64":   {corev1.LabelArchStable: "amd64", "node-role.kubernetes.io/fleet": "", "node-role.kubernetes.io/worker": ""},
		"arm64":   {corev1.LabelArchStable: "arm64", "node-role.kubernetes.io/fleet": "", "node-role.kubernetes.io/worker": ""},
	} {
		node := &corev1.Node{ObjectMeta: named(name)}
		node.Labels = labels
		node.Labels[corev1.LabelOSStable] = "linux"
		if name == "control" {
			node.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
		}
		objects = append(objects, node)
	}
	if osadapter.Namespace != buildplan.Namespace {
		objects = append(objects, &corev1.Namespace{ObjectMeta: named(osadapter.Namespace)})
	}
	for _, o := range objects {
		if err := s.ensure(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// gates are those of the payload and of its OS streams, for each release.
func gates() (all []configv1.FeatureGateDetails) {
	for _, r := range osReleases {
		all = append(all, configv1.FeatureGateDetails{
			Version: r.version, Disabled: []configv1.FeatureGateAttributes{},
			Enabled: []configv1.FeatureGateAttributes{{Name: payloadarch.Gate}, {Name: osGate}},
		})
	}
	return all
}

// A chain is the way of the import mode from the image configuration to the server: the
// adapters of the image registry operator and of the openshift-apiserver operator, which
// starts the server anew.
type chain struct {
	s    *soak
	file string // that the operator writes
	want imagev1.ImportModeType
	stop func() error
}

func (s *soak) startChain(ctx context.Context, dir string) (chore, error) {
	c := &chain{s: s, file: filepath.Join(dir, "observed.yaml"), want: legacy}
	// It begins with what it would write: the server runs with that.
	rendered, err := openshiftapiserver.Render([]byte(`{"imagePolicyConfig":{"imageStreamImportMode":"Legacy"}}`))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(c.file, rendered, 0o600); err != nil {
		return nil, err
	}
	c.stop, err = s.manage(ctx, func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "soak")
		if err != nil {
			return err
		}
		return errors.Join(
			(&imageregistry.ImportMode{Client: mgr.GetClient(), Events: events}).SetupWithManager(mgr),
			(&imageregistry.Evaluation{Client: mgr.GetClient(), Now: metav1.Now}).SetupWithManager(mgr),
			(&openshiftapiserver.Observe{Client: mgr.GetClient(), Events: events}).SetupWithManager(mgr),
			(&openshiftapiserver.Rollout{Client: mgr.GetClient(), ConfigFile: c.file, Restart: c.restart}).SetupWithManager(mgr),
		)
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// restart is the rollout. The mode goes into the server's own file only here, so that it
// is known with which one a server runs that is killed in the meantime.
func (c *chain) restart(ctx context.Context) error {
	content, err := os.ReadFile(c.file)
	if err != nil {
		return err
	}
	var config struct {
		ImagePolicyConfig struct {
			ImageStreamImportMode imagev1.ImportModeType `json:"imageStreamImportMode"`
		} `json:"imagePolicyConfig"`
	}
	if err := yaml.Unmarshal(content, &config); err != nil {
		return err
	}
	return c.s.restart(ctx, "rollout", c.s.server.Stop, config.ImagePolicyConfig.ImageStreamImportMode, nil)
}

func (c *chain) name() string { return "import mode" }

func (c *chain) pick(*rand.Rand) {
	if c.want == legacy {
		c.want = preserve
	} else {
		c.want = legacy
	}
}

func (c *chain) ask(ctx context.Context) error {
	return change(ctx, c.s.api, &configv1.Image{ObjectMeta: named("cluster")}, func(i *configv1.Image) {
		i.Spec.ImageStreamImportMode = configv1.ImportModeType(c.want)
	}, updating[*configv1.Image](c.s.api))
}

func (c *chain) reached(ctx context.Context) (string, bool, error) {
	image := &configv1.Image{ObjectMeta: named("cluster")}
	err := c.s.api.Get(ctx, client.ObjectKeyFromObject(image), image)
	now := c.s.server.current()
	return fmt.Sprintf("status %s, server %s", image.Status.ImageStreamImportMode, now),
		err == nil && now == c.want && imagev1.ImportModeType(image.Status.ImageStreamImportMode) == c.want, err
}

func (c *chain) close() error { return c.stop() }
