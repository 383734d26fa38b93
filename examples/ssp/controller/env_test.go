package controller_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/yaml"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/examples/ssp/cdi"
	"github.com/polyarch/polyarch/examples/ssp/controller"
	"github.com/polyarch/polyarch/examples/ssp/crds"
)

func TestMain(m *testing.M) { testserver.Main(m) }

// A site is an API server with an SSP object, nodes, and the adapter, which the
// tests call themselves.
type site struct {
	client.Client
	server  *launch.Server
	adapter *controller.Reconciler
	events  *record.FakeRecorder
	key     client.ObjectKey
	later   time.Duration // how far the adapter's clock is ahead
	cdi     cdi.Reconciler
}

func boot(t *testing.T) starter {
	t.Helper()
	dir := t.TempDir()
	if err := crds.Write(dir); err != nil {
		t.Fatal(err)
	}
	scheme := operator.Scheme()
	if err := controller.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	server := testserver.Start(t, dir)
	c := testserver.Client(t, server, scheme)
	return func(t *testing.T, templates ...dictexpand.Template) *site {
		t.Helper()
		s := &site{
			Client: c, server: server,
			events: record.NewFakeRecorder(1000), key: client.ObjectKey{Namespace: "kubevirt", Name: "ssp"},
		}
		s.adapter, s.cdi.Client = s.operator(c), c
		s.dropFinalizers(t)
		for _, leftOver := range []struct {
			kind      client.Object
			namespace string
		}{
			{&corev1.Node{}, ""}, {s.ssp(t, true), s.key.Namespace},
			{&cdiv1beta1.DataImportCron{}, controller.GoldenImages}, {&cdiv1beta1.DataSource{}, controller.GoldenImages},
			{&corev1.PersistentVolumeClaim{}, controller.GoldenImages},
			{&cdiv1beta1.DataImportCron{}, "nowhere"}, {&cdiv1beta1.DataSource{}, "nowhere"},
		} {
			if err := c.DeleteAllOf(t.Context(), leftOver.kind, client.InNamespace(leftOver.namespace)); err != nil {
				t.Fatalf("emptying the API server of %T: %v", leftOver.kind, err)
			}
		}
		s.node(t, "a", "amd64")
		s.node(t, "b", "arm64")
		s.create(t, s.ssp(t, true, templates...))
		return s
	}
}

// operator returns the adapter as it is after a start, with another client.
func (s *site) operator(c client.Client) *controller.Reconciler {
	return &controller.Reconciler{
		Client: c, Reader: c, Events: s.events, Namespace: controller.GoldenImages,
		Now: func() metav1.Time { return metav1.NewTime(time.Now().Add(s.later)) },
	}
}

// dropFinalizers lets the objects of the test before go.
func (s *site) dropFinalizers(t *testing.T) {
	t.Helper()
	all := newList()
	if err := s.List(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	var objects []client.Object
	for i := range all.Items {
		objects = append(objects, &all.Items[i])
	}
	for _, c := range s.crons(t) {
		objects = append(objects, &c)
	}
	for _, obj := range objects {
		obj.SetFinalizers(nil)
		if err := s.Update(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
	}
}

func newList() *unstructured.UnstructuredList {
	all := &unstructured.UnstructuredList{}
	all.SetGroupVersionKind(controller.GroupVersionKind.GroupVersion().WithKind("SSPList"))
	return all
}

// intercepted returns a client whose calls some functions take.
func (s *site) intercepted(t *testing.T, funcs interceptor.Funcs) client.Client {
	t.Helper()
	c, err := client.NewWithWatch(s.server.Config(), client.Options{Scheme: s.Scheme(), Mapper: s.RESTMapper()})
	if err != nil {
		t.Fatal(err)
	}
	return interceptor.NewClient(c, funcs)
}

func (s *site) create(t *testing.T, obj client.Object) {
	t.Helper()
	if err := s.Create(t.Context(), obj); err != nil {
		t.Fatalf("create %T %s: %v", obj, obj.GetName(), err)
	}
}

func (s *site) node(t *testing.T, name, arch string) {
	t.Helper()
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelOSStable: "linux"}}}
	if arch != "" {
		n.Labels[corev1.LabelArchStable] = arch
	}
	s.create(t, n)
}

func (s *site) ssp(t *testing.T, multi bool, templates ...dictexpand.Template) *unstructured.Unstructured {
	t.Helper()
	spec := map[string]any{
		"enableMultipleArchitectures": multi,
		"commonTemplates":             map[string]any{"namespace": "openshift", "dataImportCronTemplates": templates},
	}
	raw, err := yaml.Marshal(map[string]any{"spec": spec})
	if err != nil {
		t.Fatal(err)
	}
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(raw, &u.Object); err != nil {
		t.Fatal(err)
	}
	u.SetGroupVersionKind(controller.GroupVersionKind)
	u.SetNamespace(s.key.Namespace)
	u.SetName(s.key.Name)
	return u
}

func (s *site) get(t *testing.T) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(controller.GroupVersionKind)
	if err := s.Get(t.Context(), s.key, u); err != nil {
		t.Fatal(err)
	}
	return u
}

// change writes another spec into the SSP object.
func (s *site) change(t *testing.T, multi bool, templates ...dictexpand.Template) {
	t.Helper()
	u := s.get(t)
	u.Object["spec"] = s.ssp(t, multi, templates...).Object["spec"]
	if err := s.Update(t.Context(), u); err != nil {
		t.Fatal(err)
	}
}

func (s *site) reconcile(t *testing.T) {
	t.Helper()
	if _, err := s.adapter.Reconcile(t.Context(), reconcile.Request{NamespacedName: s.key}); err != nil {
		t.Fatal(err)
	}
}

// settle reconciles, and then once more, which must not write anything.
func (s *site) settle(t *testing.T) {
	t.Helper()
	s.reconcile(t)
	before := s.versions(t)
	s.reconcile(t)
	if diff := cmp.Diff(before, s.versions(t)); diff != "" {
		t.Errorf("a second reconcile writes:\n%s", diff)
	}
}

// live lets the adapter and CDI work in turns until nothing changes any more. What
// these DataSources lead to must be there all the time.
func (s *site) live(t *testing.T, bootable ...string) {
	t.Helper()
	check := func(after string) {
		t.Helper()
		for _, name := range bootable {
			if !s.boots(t, name) {
				t.Errorf("%s: nothing boots from %s:\n%s", after, name, s.state(t))
			}
		}
	}
	for range 10 {
		before := s.versions(t)
		_, failed := s.adapter.Reconcile(t.Context(), reconcile.Request{NamespacedName: s.key})
		if failed != nil && !errors.Is(failed, errPlanned) {
			t.Fatal(failed)
		}
		check("the adapter")
		if err := s.cdi.All(t.Context()); err != nil {
			t.Fatal(err)
		}
		check("CDI")
		if failed == nil && cmp.Equal(before, s.versions(t)) {
			return
		}
	}
	t.Errorf("no rest:\n%s", s.state(t))
}

// boots reports whether a machine can boot from the DataSource.
func (s *site) boots(t *testing.T, name string) bool {
	t.Helper()
	for range 2 {
		var ds cdiv1beta1.DataSource
		if err := s.Get(t.Context(), client.ObjectKey{Namespace: controller.GoldenImages, Name: name}, &ds); err != nil {
			return false
		}
		if pvc := ds.Spec.Source.PVC; pvc != nil {
			var claim corev1.PersistentVolumeClaim
			return s.Get(t.Context(), client.ObjectKey{Namespace: pvc.Namespace, Name: pvc.Name}, &claim) == nil
		}
		if ds.Spec.Source.DataSource == nil {
			return false
		}
		name = ds.Spec.Source.DataSource.Name
	}
	return false
}

// versions maps every object to its UID and resource version.
func (s *site) versions(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{"SSP": s.get(t).GetResourceVersion()}
	for _, c := range s.crons(t) {
		all["cron "+c.Name] = string(c.UID) + " " + c.ResourceVersion
	}
	for _, ds := range s.dataSources(t) {
		all["DataSource "+ds.Name] = string(ds.UID) + " " + ds.ResourceVersion
	}
	return all
}

func (s *site) crons(t *testing.T) []cdiv1beta1.DataImportCron {
	t.Helper()
	var list cdiv1beta1.DataImportCronList
	if err := s.List(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	return list.Items
}

func (s *site) dataSources(t *testing.T) []cdiv1beta1.DataSource {
	t.Helper()
	var list cdiv1beta1.DataSourceList
	if err := s.List(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	return list.Items
}

// state is what there is, in short.
func (s *site) state(t *testing.T) string {
	t.Helper()
	var lines []string
	for _, c := range s.crons(t) {
		lines = append(lines, fmt.Sprintf("cron %s manages %s", c.Name, c.Spec.ManagedDataSource))
	}
	for _, ds := range s.dataSources(t) {
		line := "DataSource " + ds.Name
		if ref := ds.Spec.Source.DataSource; ref != nil {
			line += " leads to " + ref.Name
		}
		if pvc := ds.Spec.Source.PVC; pvc != nil {
			line += " has " + pvc.Name
		}
		if cron := ds.Labels[dictexpand.LabelDataImportCron]; cron != "" {
			line += " of cron " + cron
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func (s *site) expect(t *testing.T, when string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(strings.Join(want, "\n"), s.state(t)); diff != "" {
		t.Errorf("%s, -want +got:\n%s", when, diff)
	}
}

// condition returns status, reason and message of the adapter's condition.
func (s *site) condition(t *testing.T) (status, reason, message string) {
	t.Helper()
	all, _, err := unstructured.NestedSlice(s.get(t).Object, "status", "conditions")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if m := c.(map[string]any); m["type"] == controller.ConditionType {
			message, _ = m["message"].(string)
			return m["status"].(string), m["reason"].(string), message
		}
	}
	return "", "", ""
}

func (s *site) expectCondition(t *testing.T, wantStatus, wantReason string) {
	t.Helper()
	if status, reason, message := s.condition(t); status != wantStatus || reason != wantReason {
		t.Errorf("condition %s, %s, want %s, %s: %s", status, reason, wantStatus, wantReason, message)
	}
}

// saw returns the reasons of the events since the last call.
func (s *site) saw() []string {
	var reasons []string
	for {
		select {
		case e := <-s.events.Events:
			reasons = append(reasons, strings.Fields(e)[1])
		default:
			slices.Sort(reasons)
			return reasons
		}
	}
}

func template(name, managed, archs string) dictexpand.Template {
	t := dictexpand.Template{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if archs != "" {
		t.Annotations = map[string]string{dictexpand.AnnotationArchitectures: archs}
	}
	url := "docker://quay.io/containerdisks/" + managed
	t.Spec.ManagedDataSource, t.Spec.Schedule = managed, "0 */12 * * *"
	t.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{Registry: &cdiv1beta1.DataVolumeSourceRegistry{URL: &url}}
	t.Spec.Template.Spec.Storage = &cdiv1beta1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("30Gi")},
	}}
	return t
}
