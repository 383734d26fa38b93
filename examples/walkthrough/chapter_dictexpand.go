package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/internal/operator"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
)

// A virtCluster is nodes of two architectures, an SSP object, and the operator
// that expands its templates.
type virtCluster struct {
	w    *world
	stop func() error
}

// dict returns the template of the story under other names.
func dict(name, managed, architectures string) dictexpand.Template {
	url := "docker://registry.redhat.io/rhel10/rhel-guest-image"
	t := dictexpand.Template{ObjectMeta: metav1.ObjectMeta{
		Name: name, Annotations: map[string]string{dictexpand.ArchitecturesAnnotation: architectures},
	}}
	t.Spec.ManagedDataSource, t.Spec.Schedule = managed, "0 */12 * * *"
	t.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{Registry: &cdiv1beta1.DataVolumeSourceRegistry{URL: &url}}
	return t
}

func newVirtCluster(ctx context.Context, w *world) (*virtCluster, error) {
	c := &virtCluster{w: w}
	for name, arch := range map[string]string{"virt-control": "amd64", "virt-worker": "amd64", "virt-arm": "arm64"} {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelArchStable: arch, corev1.LabelOSStable: "linux",
		}}}
		if name == "virt-control" {
			node.Labels["node-role.kubernetes.io/control-plane"] = ""
			node.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
		}
		if err := w.ensure(ctx, node); err != nil {
			return nil, err
		}
	}
	if err := w.client.Create(ctx, c.ssp()); err != nil {
		return nil, err
	}
	var err error
	c.stop, err = w.run(ctx, func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "ssp")
		if err != nil {
			return err
		}
		return (&ssp.Reconciler{
			Client: mgr.GetClient(), Events: events, Namespace: ssp.GoldenImages, Now: metav1.Now,
		}).SetupWithManager(mgr)
	})
	return c, err
}

// close stops the operator and removes what the chapter made.
func (c *virtCluster) close(ctx context.Context) error {
	errs := []error{c.stop(), c.w.client.Delete(ctx, c.ssp())}
	for _, kind := range []client.Object{&cdiv1beta1.DataImportCron{}, &cdiv1beta1.DataSource{}} {
		errs = append(errs, c.w.client.DeleteAllOf(ctx, kind, client.InNamespace(ssp.GoldenImages)))
	}
	for _, name := range []string{"virt-control", "virt-worker", "virt-arm"} {
		errs = append(errs, c.w.client.Delete(ctx, &corev1.Node{ObjectMeta: named(name)}))
	}
	return errors.Join(errs...)
}

func (c *virtCluster) ssp() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(ssp.GroupVersionKind)
	u.SetNamespace(namespace)
	u.SetName("ssp")
	return u
}

// write gives the SSP object these templates.
func (c *virtCluster) write(ctx context.Context, multiArch bool, templates ...dictexpand.Template) error {
	list := make([]any, len(templates))
	for i := range templates {
		var err error
		if list[i], err = runtime.DefaultUnstructuredConverter.ToUnstructured(&templates[i]); err != nil {
			return err
		}
	}
	return change(ctx, c.w, c.ssp(), func(u *unstructured.Unstructured) {
		u.Object["spec"] = map[string]any{
			"enableMultipleArchitectures": multiArch,
			"commonTemplates":             map[string]any{"dataImportCronTemplates": list},
		}
	})
}

// crons is which cron manages which DataSource.
func (c *virtCluster) crons(ctx context.Context) (any, error) {
	var list cdiv1beta1.DataImportCronList
	err := c.w.client.List(ctx, &list, client.InNamespace(ssp.GoldenImages))
	var all []string
	for _, cron := range list.Items {
		all = append(all, cron.Name+" → "+cron.Spec.ManagedDataSource)
	}
	return strings.Join(all, ", "), err
}

// uid tells one object from the next of its name.
func (c *virtCluster) uid(ctx context.Context, cron string) (any, error) {
	var got cdiv1beta1.DataImportCron
	err := c.w.client.Get(ctx, client.ObjectKey{Namespace: ssp.GoldenImages, Name: cron}, &got)
	return got.UID, err
}

// dataSources is where each DataSource leads, and which cron it is labeled with.
func (c *virtCluster) dataSources(ctx context.Context) (any, error) {
	var list cdiv1beta1.DataSourceList
	err := c.w.client.List(ctx, &list, client.InNamespace(ssp.GoldenImages))
	var all []string
	for _, ds := range list.Items {
		line := ds.Name
		if ref := ds.Spec.Source.DataSource; ref != nil {
			line += " → " + ref.Name
		}
		if cron := ds.Labels[dictexpand.DataImportCronLabel]; cron != "" {
			line += " (of " + cron + ")"
		}
		all = append(all, line)
	}
	return strings.Join(all, ", "), err
}

// condition is the status and the reason of the operator's condition.
func (c *virtCluster) condition(ctx context.Context) (any, error) {
	u := c.ssp()
	if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(u), u); err != nil {
		return nil, err
	}
	all, _, err := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, condition := range all {
		if m, _ := condition.(map[string]any); m["type"] == ssp.ConditionType {
			return fmt.Sprint(m["status"], " ", m["reason"]), nil
		}
	}
	return "none", err
}

// told tells whether an event of that reason names the text.
func (c *virtCluster) told(reason, text string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var events corev1.EventList
		if err := c.w.client.List(ctx, &events); err != nil {
			return nil, err
		}
		for _, e := range events.Items {
			if e.Reason == reason && strings.Contains(e.Message, text) {
				return true, nil
			}
		}
		return false, nil
	}
}

// schedules reads the schedule out of a stored cron.
func schedules(stored []byte) (string, error) {
	if len(stored) == 0 {
		return "deleted", nil
	}
	var cron cdiv1beta1.DataImportCron
	err := json.Unmarshal(stored, &cron)
	return cron.Spec.Schedule, err
}

// bootSources leads the templates of an SSP object through what administrators do
// with them.
func bootSources(ctx context.Context, w *world) (err error) {
	c, err := newVirtCluster(ctx, w)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close(ctx)) }()

	rhel10 := func(architectures string) dictexpand.Template {
		return dict("rhel10-image-cron", "rhel10", architectures)
	}
	const (
		amd64, arm64 = "rhel10-image-cron-amd64 → rhel10-amd64", "rhel10-image-cron-arm64 → rhel10-arm64"
		both         = amd64 + ", " + arm64
		well         = "True AsExpected"
	)

	w.step("The template of the story, on nodes of amd64 and arm64", func(s *step) error {
		if err := c.write(ctx, true, rhel10("amd64,arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "crons", c.crons, both)
		s.eventually(ctx, "who does not care about the architecture", c.dataSources, "rhel10 → rhel10-amd64")
		s.eventually(ctx, "condition", c.condition, well)
		return nil
	})
	w.step("amd64 is taken out of the annotation", func(s *step) error {
		kept, err := c.uid(ctx, "rhel10-image-cron-arm64")
		if err != nil {
			return err
		}
		if err := c.write(ctx, true, rhel10("arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "its cron goes, the other stays", c.crons, arm64)
		s.eventually(ctx, "the reference leads to what is left", c.dataSources, "rhel10 → rhel10-arm64")
		now, err := c.uid(ctx, "rhel10-image-cron-arm64")
		s.expect("and is the same object", now == kept, true)
		return err
	})
	w.step("A template with a name of 60 characters beside it", func(s *step) error {
		long := strings.Repeat("long-", 12)[:59] + "r"
		if err := c.write(ctx, true, rhel10("amd64,arm64"), dict(long, "centos", "amd64,arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "the other template's crons", c.crons, both)
		s.eventually(ctx, "condition", c.condition, "False TemplatesBlocked")
		s.eventually(ctx, "an event says how long it may be", c.told("FieldValueTooLong", "57 bytes"), true)
		return nil
	})
	w.step("Two templates fight for one DataSource", func(s *step) error {
		first, err := c.uid(ctx, "rhel10-image-cron-amd64")
		if err != nil {
			return err
		}
		if err := c.write(ctx, true, rhel10("amd64,arm64"), dict("mine", "rhel10", "amd64"), dict("fedora", "fedora", "arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "nothing of the second, nothing of the first is lost", c.crons, "fedora-arm64 → fedora-arm64, "+both)
		s.eventually(ctx, "condition", c.condition, "False TemplatesBlocked")
		s.eventually(ctx, "an event names the one", c.told("FieldValueDuplicate", `"mine"`), true)
		s.eventually(ctx, "and the other", c.told("FieldValueDuplicate", `"rhel10-image-cron"`), true)
		if err := w.settle(ctx); err != nil {
			return err
		}
		now, err := c.uid(ctx, "rhel10-image-cron-amd64")
		s.expect("the live cron of the first is the same object", now == first, true)
		return err
	})
	w.step("Multiple architectures off, and on again", func(s *step) error {
		if err := c.write(ctx, false, rhel10("amd64,arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "off: one cron as written", c.crons, "rhel10-image-cron → rhel10")
		s.eventually(ctx, "off: CDI takes over; until it has imported, all boots", c.dataSources, "rhel10 → rhel10-amd64 (of rhel10-image-cron)")
		if err := c.write(ctx, true, rhel10("amd64,arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "on: no cron is left over", c.crons, both)
		s.eventually(ctx, "on: nor a label", c.dataSources, "rhel10 → rhel10-amd64")
		s.eventually(ctx, "condition", c.condition, well)
		return nil
	})
	w.step("The schedule changes, and CDI admits no change of a spec", func(s *step) error {
		cron := key(cdiv1beta1.SchemeGroupVersion.Group, "dataimportcrons", ssp.GoldenImages, "rhel10-image-cron-amd64")
		since := w.mustStored(ctx, s, cron).Revision
		daily := rhel10("amd64,arm64")
		daily.Spec.Schedule = "0 0 * * *"
		if err := c.write(ctx, true, daily); err != nil {
			return err
		}
		s.eventually(ctx, "what etcd saw: delete, create", func(ctx context.Context) (any, error) {
			return w.history(ctx, cron, since, schedules)
		}, []string{"deleted", "0 0 * * *"})
		s.eventually(ctx, "crons", c.crons, both)
		before, err := w.stored(ctx, cron)
		if err != nil {
			return err
		}
		if err := w.settle(ctx); err != nil {
			return err
		}
		s.expect("and then nothing more is written", w.mustStored(ctx, s, cron).Revision, before.Revision)
		return nil
	})
	return nil
}
