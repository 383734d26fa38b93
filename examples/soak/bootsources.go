package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/ssp/cdi"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
)

// A bootSources is an SSP object whose template is expanded for other architectures
// again and again, with the stand-in for CDI that imports.
type bootSources struct {
	s    *soak
	want expansion
	stop func() error
}

// An expansion is what is asked for, and the crons that there are then.
type expansion struct {
	multi         bool
	architectures string
	crons         []string
}

var expansions = []expansion{
	{true, "amd64,arm64", []string{"rhel10-image-cron-amd64", "rhel10-image-cron-arm64"}},
	{true, "arm64", []string{"rhel10-image-cron-arm64"}},
	{true, "amd64", []string{"rhel10-image-cron-amd64"}},
	{false, "amd64,arm64", []string{"rhel10-image-cron"}},
}

func (s *soak) startBootSources(ctx context.Context, _ string) (chore, error) {
	c := &bootSources{s: s}
	for _, o := range []client.Object{&corev1.Namespace{ObjectMeta: named(ssp.GoldenImages)}, c.object()} {
		if err := s.ensure(ctx, o); err != nil {
			return nil, err
		}
	}
	var err error
	c.stop, err = s.manage(ctx, func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "ssp")
		if err != nil {
			return err
		}
		return errors.Join(
			(&cdi.Reconciler{Client: mgr.GetClient()}).SetupWithManager(mgr),
			(&ssp.Reconciler{Client: mgr.GetClient(), Events: events, Namespace: ssp.GoldenImages, Now: metav1.Now}).SetupWithManager(mgr),
		)
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (c *bootSources) object() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(ssp.GroupVersionKind)
	u.SetNamespace(namespace)
	u.SetName("ssp")
	return u
}

func (c *bootSources) name() string { return "boot sources" }

func (c *bootSources) pick(random *rand.Rand) { c.want = expansions[random.IntN(len(expansions))] }

func (c *bootSources) ask(ctx context.Context) error {
	url := "docker://registry.redhat.io/rhel10/rhel-guest-image"
	t := dictexpand.Template{ObjectMeta: metav1.ObjectMeta{
		Name: "rhel10-image-cron", Annotations: map[string]string{dictexpand.AnnotationArchitectures: c.want.architectures},
	}}
	t.Spec.ManagedDataSource, t.Spec.Schedule = "rhel10", "0 */12 * * *"
	t.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{Registry: &cdiv1beta1.DataVolumeSourceRegistry{URL: &url}}
	t.Spec.Template.Spec.Storage = &cdiv1beta1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("30Gi")},
	}}
	template, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&t)
	if err != nil {
		return err
	}
	return change(ctx, c.s.api, c.object(), func(u *unstructured.Unstructured) {
		u.Object["spec"] = map[string]any{
			"enableMultipleArchitectures": c.want.multi,
			"commonTemplates":             map[string]any{"dataImportCronTemplates": []any{template}},
		}
	}, updating[*unstructured.Unstructured](c.s.api))
}

// reached wants the crons that there are to be, and that each has imported.
func (c *bootSources) reached(ctx context.Context) (string, bool, error) {
	var list cdiv1beta1.DataImportCronList
	if err := c.s.api.List(ctx, &list, client.InNamespace(ssp.GoldenImages)); err != nil {
		return "", false, err
	}
	var crons []string
	imported := true
	for _, cron := range list.Items {
		crons = append(crons, cron.Name)
		imported = imported && cron.Status.LastImportedPVC != nil
	}
	slices.Sort(crons)
	return fmt.Sprintf("crons %v, imported %v; want %v", crons, imported, c.want.crons), imported && slices.Equal(crons, c.want.crons), nil
}

func (c *bootSources) close() error { return c.stop() }
