package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/yaml"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	clusterversion "github.com/polyarch/polyarch/examples/clusterversion/controller"
	imageregistry "github.com/polyarch/polyarch/examples/imageregistry/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
	openshiftapiserver "github.com/polyarch/polyarch/examples/openshiftapiserver/controller"
	"github.com/polyarch/polyarch/payloadarch"
)

// A release is a payload that the cluster version operator can be sent to.
type release struct {
	image, version string
	multi          bool
}

// The releases of the story. Single420 and multi420 are the two payloads of one
// version, between which "oc adm upgrade --to-multi-arch" migrates.
var (
	multi419  = release{"quay.example.com/release@sha256:" + digits("19"), "4.19.0", true}
	single420 = release{"quay.example.com/release@sha256:" + digits("20"), "4.20.0", false}
	multi420  = release{"quay.example.com/release@sha256:" + digits("2a"), "4.20.0", true}
)

// digits repeats two hexadecimal digits to the length of a sha256.
func digits(two string) string {
	s := ""
	for range 32 {
		s += two
	}
	return s
}

// A cluster is the singletons of an OpenShift cluster and the operators that
// lead the import mode from hop to hop.
type cluster struct {
	w        *world
	releases map[string]string // image → release directory
	rollouts atomic.Int64      // of the apiserver
	stopCVO  func() error
}

func newCluster(w *world) *cluster { return &cluster{w: w, releases: map[string]string{}} }

// start installs the single-architecture release and starts the operators. The
// returned function stops them.
func (c *cluster) start(ctx context.Context) (stop func() error, err error) {
	return c.install(ctx, single420, true)
}

// install makes the singletons, with a FeatureGate that knows the release's
// version and enables the import mode's gate there or not, and starts the
// operators.
func (c *cluster) install(ctx context.Context, r release, gate bool) (stop func() error, err error) {
	for _, r := range []release{multi419, single420, multi420} {
		if err := c.writeRelease(r); err != nil {
			return nil, err
		}
	}
	enabled := []configv1.FeatureGateAttributes{}
	if gate {
		enabled = append(enabled, configv1.FeatureGateAttributes{Name: payloadarch.Gate})
	}
	for _, obj := range []client.Object{
		&configv1.FeatureGate{ObjectMeta: named("cluster"), Status: configv1.FeatureGateStatus{
			FeatureGates: []configv1.FeatureGateDetails{{Version: r.version, Enabled: enabled, Disabled: []configv1.FeatureGateAttributes{}}},
		}},
		&configv1.ClusterVersion{ObjectMeta: named("version"), Spec: configv1.ClusterVersionSpec{ClusterID: "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"}},
		&configv1.Image{ObjectMeta: named("cluster")},
		&configv1.ClusterOperator{ObjectMeta: named("image-registry"), Status: configv1.ClusterOperatorStatus{
			Conditions: []configv1.ClusterOperatorStatusCondition{{
				Type: configv1.EvaluationConditionsDetected, Status: configv1.ConditionTrue,
				Reason: otherReason, Message: otherMessage, LastTransitionTime: metav1.Now(),
			}},
		}},
		&operatorv1.OpenShiftAPIServer{ObjectMeta: named("cluster"), Spec: operatorv1.OpenShiftAPIServerSpec{
			OperatorSpec: operatorv1.OperatorSpec{ManagementState: operatorv1.Managed},
		}},
	} {
		if err := c.w.ensure(ctx, obj); err != nil {
			return nil, err
		}
	}
	if err := c.startCVO(ctx, r); err != nil {
		return nil, err
	}
	stopOthers, err := c.w.run(ctx, c.operators)
	if err != nil {
		return nil, errors.Join(err, c.stopCVO())
	}
	return func() error { return errors.Join(c.stopCVO(), stopOthers()) }, nil
}

// The part of the shared condition that another owner wrote.
const (
	otherReason  = "SomethingElseDetected"
	otherMessage = "another component relies on something else"
)

// operators adds the image registry operator and the apiserver's operator.
func (c *cluster) operators(ctx context.Context, mgr manager.Manager) error {
	events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "walkthrough")
	if err != nil {
		return err
	}
	for _, r := range []interface{ SetupWithManager(manager.Manager) error }{
		&imageregistry.ImportMode{Client: mgr.GetClient(), Events: events},
		&imageregistry.Evaluation{Client: mgr.GetClient(), Now: metav1.Now},
		&openshiftapiserver.Observe{Client: mgr.GetClient(), Events: events},
		&openshiftapiserver.Rollout{
			Client: mgr.GetClient(), ConfigFile: c.w.configFile,
			Restart: func(ctx context.Context) error {
				c.rollouts.Add(1)
				return c.w.server.Restart(ctx)
			},
		},
	} {
		if err := r.SetupWithManager(mgr); err != nil {
			return err
		}
	}
	return nil
}

// startCVO starts the cluster version operator that comes with a release, in
// place of the one that runs.
func (c *cluster) startCVO(ctx context.Context, own release) error {
	if c.stopCVO != nil {
		if err := c.stopCVO(); err != nil {
			return err
		}
	}
	stop, err := c.w.run(ctx, func(ctx context.Context, mgr manager.Manager) error {
		return (&clusterversion.Reconciler{
			Client: mgr.GetClient(), Own: own.image, Releases: c.releases, Now: metav1.Now,
		}).SetupWithManager(ctx, mgr)
	})
	if err != nil {
		return err
	}
	c.stopCVO = stop
	return nil
}

// update asks for a release, as "oc adm upgrade --to-image" does.
func (c *cluster) update(ctx context.Context, r release) error {
	return change(ctx, c.w, &configv1.ClusterVersion{ObjectMeta: named("version")}, func(cv *configv1.ClusterVersion) {
		cv.Spec.DesiredUpdate = &configv1.Update{Image: r.image, Version: r.version}
	})
}

// writeRelease makes the release directory that the operator reads.
func (c *cluster) writeRelease(r release) error {
	dir := filepath.Join(c.w.dir, "releases", r.image[len(r.image)-8:])
	metadata := map[string]any{"kind": "cincinnati-metadata-v0", "version": r.version, "previous": []string{}}
	if r.multi {
		metadata["metadata"] = map[string]string{"release.openshift.io/architecture": "multi"}
	}
	data, err := json.Marshal(metadata)
	if err != nil {
		return err
	}
	manifests := filepath.Join(dir, "release-manifests")
	if err := os.MkdirAll(manifests, 0o700); err != nil {
		return err
	}
	c.releases[r.image] = dir
	return os.WriteFile(filepath.Join(manifests, "release-metadata"), data, 0o600)
}

// remove deletes the singletons and starts the apiserver on an empty
// configuration, so that another cluster can be installed.
func (c *cluster) remove(ctx context.Context) error {
	for _, obj := range []client.Object{
		&configv1.FeatureGate{ObjectMeta: named("cluster")},
		&configv1.ClusterVersion{ObjectMeta: named("version")},
		&configv1.Image{ObjectMeta: named("cluster")},
		&configv1.ClusterOperator{ObjectMeta: named("image-registry")},
		&operatorv1.OpenShiftAPIServer{ObjectMeta: named("cluster")},
	} {
		if err := client.IgnoreNotFound(c.w.client.Delete(ctx, obj)); err != nil {
			return err
		}
	}
	if err := os.WriteFile(c.w.configFile, emptyConfig(), 0o600); err != nil {
		return err
	}
	return c.w.server.Restart(ctx)
}

func named(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name} }

// hops is the import mode at every hop, as one line.
type hops struct {
	Architecture   configv1.ClusterVersionArchitecture // ClusterVersion.status.desired.architecture
	History        configv1.UpdateState                // ClusterVersion.status.history[0].state
	Status         configv1.ImportModeType             // Image config, status.imageStreamImportMode
	ObservedConfig string                              // OpenShiftAPIServer, spec.observedConfig
	Serving        string                              // the file that the running apiserver was started with
}

func (h hops) String() string {
	return fmt.Sprintf("%q (%s) → %q → %q → %q", h.Architecture, h.History, h.Status, h.ObservedConfig, h.Serving)
}

// settled is what every hop holds when one mode has gone all the way.
func settled(r release, mode configv1.ImportModeType) hops {
	h := hops{History: configv1.CompletedUpdate, Status: mode, ObservedConfig: string(mode), Serving: string(mode)}
	if r.multi {
		h.Architecture = configv1.ClusterVersionArchitectureMulti
	}
	return h
}

func (c *cluster) hops(ctx context.Context) (any, error) {
	var h hops
	cv := &configv1.ClusterVersion{ObjectMeta: named("version")}
	image := &configv1.Image{ObjectMeta: named("cluster")}
	apiserver := &operatorv1.OpenShiftAPIServer{ObjectMeta: named("cluster")}
	for _, obj := range []client.Object{cv, image, apiserver} {
		if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
			return nil, err
		}
	}
	h.Architecture = cv.Status.Desired.Architecture
	if len(cv.Status.History) > 0 {
		h.History = cv.Status.History[0].State
	}
	h.Status = image.Status.ImageStreamImportMode
	var err error
	if h.ObservedConfig, err = configMode(apiserver.Spec.ObservedConfig.Raw); err != nil {
		return nil, err
	}
	if _, err := os.Stat(c.w.configFile + ".pending"); err == nil {
		return nil, errors.New("a rollout is under way")
	}
	file, err := os.ReadFile(c.w.configFile)
	if err != nil {
		return nil, err
	}
	h.Serving, err = configMode(file)
	return h, err
}

// configMode reads imagePolicyConfig.imageStreamImportMode out of a
// configuration in JSON or YAML.
func configMode(config []byte) (string, error) {
	var c struct {
		ImagePolicyConfig struct {
			ImageStreamImportMode string `json:"imageStreamImportMode"`
		} `json:"imagePolicyConfig"`
	}
	err := yaml.Unmarshal(config, &c)
	return c.ImagePolicyConfig.ImageStreamImportMode, err
}
