package controller_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/osimagestream/controller"
	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// The controller is an operator like any other: its Reconcile is held to the rules, on
// the model of the CRD.
func TestConformance(t *testing.T) {
	report := osimagestreamtest.Conform(t, func(tb testing.TB) osimagestreamtest.Impl {
		var streams *controller.Streams
		dir := tb.TempDir()
		return osimagestreamtest.Impl{
			Restart: func() { streams = nil },
			Reconcile: func(c osimagestreamtest.Cluster) error {
				if streams == nil {
					streams = &controller.Streams{Events: &record.FakeRecorder{}}
				}
				return reconcileStreams(streams, c, dir)
			},
		}
	}, osimagestreamtest.Options{RuleSet: "v1"})
	for _, rule := range report.Rules {
		if rule.State != "pass" && rule.State != "not implemented" && !report.Partial {
			t.Errorf("%s: %s", rule.Rule.ID, rule.State)
		}
	}
}

// reconcileStreams gives the controller a client of the model's server, and a directory
// with the payload, if that can be read.
func reconcileStreams(streams *controller.Streams, c osimagestreamtest.Cluster, dir string) error {
	streams.Flavor, streams.Build, streams.Labels = osimagestream.OCP, c.Version, func(_ context.Context, pullSpec string) (map[string]string, error) {
		return c.Inspect(pullSpec)
	}
	if c.Flavor == osimagestreamtest.OKD {
		streams.Flavor = osimagestream.OKD
	}
	streams.Releases = map[string]string{}
	if payload, err := c.Payload(); err == nil {
		payload.Kind, payload.APIVersion = "ImageStream", "image.openshift.io/v1"
		data, err := json.Marshal(payload)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, "release-manifests", "image-references")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
		streams.Releases[c.Image] = dir
	}
	streams.Client = serverClient{cluster: c}
	streams.Live = streams.Client
	_, err := streams.Reconcile(context.Background(), reconcile.Request{NamespacedName: client.ObjectKey{Name: osimagestream.Name}})
	return err
}

// A serverClient has the OSImageStream on the model's server. What else the controller
// reads, it makes: the release has no version, so that the install version is that of
// the history or unknown.
type serverClient struct {
	client.Client // for what the controller does not call
	cluster       osimagestreamtest.Cluster
}

func (s serverClient) Get(_ context.Context, key client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	switch o := o.(type) {
	case *mcfgv1.OSImageStream:
		return into(o)(s.cluster.Server.Get())
	case *configv1.Infrastructure:
		*o = *osimagestreamtest.Infrastructure(configv1.HighlyAvailableTopologyMode)
	case *configv1.FeatureGate:
		*o = *osimagestreamtest.Gates("", osimagestreamtest.Enabled("", osimagestream.Gate))
	case *configv1.ClusterVersion:
		o.Status.Desired.Image = s.cluster.Image
		if s.cluster.InstallVersion != "" {
			o.Status.History = []configv1.UpdateHistory{{State: configv1.CompletedUpdate, Version: s.cluster.InstallVersion,
				CompletionTime: &metav1.Time{Time: time.Unix(1, 0)}}}
		}
	default:
		return apierrors.NewNotFound(schema.GroupResource{}, key.Name)
	}
	return nil
}

func (s serverClient) Create(_ context.Context, o client.Object, _ ...client.CreateOption) error {
	return into(o)(s.cluster.Server.Create(o.(*mcfgv1.OSImageStream)))
}

func (s serverClient) Update(_ context.Context, o client.Object, _ ...client.UpdateOption) error {
	return into(o)(s.cluster.Server.Update(o.(*mcfgv1.OSImageStream)))
}

func (s serverClient) Status() client.SubResourceWriter {
	return statusClient{server: s.cluster.Server}
}

type statusClient struct {
	client.SubResourceWriter // likewise
	server                   *osimagestreamtest.Server
}

func (s statusClient) Update(_ context.Context, o client.Object, _ ...client.SubResourceUpdateOption) error {
	return into(o)(s.server.UpdateStatus(o.(*mcfgv1.OSImageStream)))
}

// into takes over what the server answered.
func into(o client.Object) func(*mcfgv1.OSImageStream, error) error {
	return func(answer *mcfgv1.OSImageStream, err error) error {
		if err == nil {
			answer.DeepCopyInto(o.(*mcfgv1.OSImageStream))
		}
		return err
	}
}
