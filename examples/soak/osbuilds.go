package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/machineconfig/builder"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// An osBuilds is a pool of nodes of two architectures that builds its OS images, of
// another containerfile again and again. The stand-in carries the jobs out, which runs no
// command: what is soaked is who builds what when.
type osBuilds struct {
	s    *soak
	want string // the containerfile
	stop func() error
}

const buildPool = "fleet"

// containerfiles are few: what was built once is used again, so that nothing grows.
const containerfiles = 3

func (s *soak) startOSBuilds(ctx context.Context, _ string) (chore, error) {
	c := &osBuilds{s: s}
	rendered := &mcfgv1.MachineConfig{ObjectMeta: named("rendered-by-soak")}
	var err error
	if rendered.Spec.OSImageURL, err = builder.Push(ctx, s.registry.Host+"/release/os:1", "os", "", "amd64", "arm64"); err != nil {
		return nil, err
	}
	if rendered.Spec.BaseOSExtensionsContainerImage, err = builder.Push(ctx, s.registry.Host+"/release/extensions:1", "extensions", "", "amd64", "arm64"); err != nil {
		return nil, err
	}
	pool := &mcfgv1.MachineConfigPool{ObjectMeta: named(buildPool)}
	pool.Spec.NodeSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"node-role.kubernetes.io/" + buildPool: ""}}
	pool.Spec.Configuration.Name = rendered.Name
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: buildplan.Namespace, Name: "push"},
		Type:       corev1.SecretTypeDockerConfigJson, Data: map[string][]byte{corev1.DockerConfigJsonKey: []byte(`{"auths":{}}`)},
	}
	for _, o := range []client.Object{rendered, pool, secret} {
		if err := s.ensure(ctx, o); err != nil {
			return nil, err
		}
	}
	if err := s.ensure(ctx, c.object(containerfile(0))); err != nil {
		return nil, err
	}
	c.stop, err = s.manage(ctx, func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "machine-os-builder")
		if err != nil {
			return err
		}
		return errors.Join(
			(&controller.Architectures{Client: mgr.GetClient(), Reader: mgr.GetAPIReader()}).SetupWithManager(mgr),
			(&controller.Builds{Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Events: events, Attempts: 2, Now: metav1.Now}).SetupWithManager(mgr),
			(&builder.Builder{Client: mgr.GetClient(), Reader: mgr.GetAPIReader()}).SetupWithManager(mgr),
		)
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

func containerfile(n int) string { return fmt.Sprintf("RUN echo %d > /etc/soak", n) }

func (c *osBuilds) object(content string) *mcfgv1.MachineOSConfig {
	return &mcfgv1.MachineOSConfig{ObjectMeta: named(buildPool), Spec: mcfgv1.MachineOSConfigSpec{
		MachineConfigPool:       mcfgv1.MachineConfigPoolReference{Name: buildPool},
		ImageBuilder:            mcfgv1.MachineOSImageBuilder{ImageBuilderType: mcfgv1.JobBuilder},
		RenderedImagePushSecret: mcfgv1.ImageSecretObjectReference{Name: "push"},
		RenderedImagePushSpec:   mcfgv1.ImageTagFormat(c.s.registry.Host + "/fleet/os:latest"),
		Containerfile:           []mcfgv1.MachineOSContainerfile{{ContainerfileArch: mcfgv1.NoArch, Content: content}},
	}}
}

func (c *osBuilds) name() string { return "OS builds" }

func (c *osBuilds) pick(random *rand.Rand) { c.want = containerfile(random.IntN(containerfiles)) }

func (c *osBuilds) ask(ctx context.Context) error {
	return change(ctx, c.s.api, &mcfgv1.MachineOSConfig{ObjectMeta: named(buildPool)}, func(m *mcfgv1.MachineOSConfig) {
		m.Spec.Containerfile[0].Content = c.want
	}, updating[*mcfgv1.MachineOSConfig](c.s.api))
}

// reached wants the pull spec of the pool to lead to an image of the containerfile for
// each architecture of its nodes.
func (c *osBuilds) reached(ctx context.Context) (string, bool, error) {
	m := &mcfgv1.MachineOSConfig{ObjectMeta: named(buildPool)}
	if err := c.s.api.Get(ctx, client.ObjectKeyFromObject(m), m); err != nil {
		return "", false, err
	}
	spec := string(m.Status.CurrentImagePullSpec)
	if spec == "" {
		return "nothing published", false, nil
	}
	contents, err := builder.Contents(ctx, spec, "amd64", "arm64")
	what, ok := fmt.Sprintf("%s of %q", spec, contents), len(contents) == 2
	for _, content := range contents {
		ok = ok && strings.HasSuffix(content, "\n"+c.want)
	}
	return what, ok && err == nil, err
}

func (c *osBuilds) close() error { return c.stop() }
