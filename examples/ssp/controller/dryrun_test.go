package controller_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/ssp/admission"
	"github.com/polyarch/polyarch/examples/ssp/controller"
)

// A dry run asks the definitions and the webhook's rules, and only then whether
// the name is free.
func testDryRunRefuses(t *testing.T, start starter) {
	s := start(t)
	cron := func(edit func(*cdiv1beta1.DataImportCronSpec)) *cdiv1beta1.DataImportCron {
		c := &cdiv1beta1.DataImportCron{
			ObjectMeta: metav1.ObjectMeta{Namespace: controller.GoldenImages, Name: "fedora"}, Spec: template("", "fedora", "").Spec,
		}
		edit(&c.Spec)
		return c
	}
	dry := func(c *cdiv1beta1.DataImportCron) error { return s.Create(t.Context(), c, client.DryRunAll) }
	fine := func(*cdiv1beta1.DataImportCronSpec) {}
	typo := func(spec *cdiv1beta1.DataImportCronSpec) { spec.Schedule = "whenever" }
	if err := dry(cron(fine)); err != nil {
		t.Errorf("fine: %v", err)
	}
	if err := dry(cron(typo)); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), admission.Webhook) {
		t.Errorf("a typo, to the webhook's rules: %v", err)
	}
	long := func(spec *cdiv1beta1.DataImportCronSpec) { spec.ManagedDataSource = strings.Repeat("a", 64) }
	if err := dry(cron(long)); !apierrors.IsInvalid(err) {
		t.Errorf("a name of 64, to the definitions: %v", err)
	}
	if all := s.crons(t); len(all) > 0 {
		t.Errorf("a dry run made %s", all[0].Name)
	}
	s.create(t, cron(fine))
	if err := dry(cron(fine)); !apierrors.IsAlreadyExists(err) {
		t.Errorf("fine, and there already: %v", err)
	}
	if err := dry(cron(typo)); !apierrors.IsInvalid(err) {
		t.Errorf("a typo, and there already: %v", err)
	}
}

// none returns a template whose disks go with its crons.
func none(archs string) dictexpand.Template {
	x := template("fedora", "fedora", archs)
	x.Spec.RetentionPolicy = new(cdiv1beta1.DataImportCronRetainNone)
	return x
}

// A live template gets a spec that CDI or the definitions refuse: the crons that
// run stay, and with them their disks.
func testTypos(t *testing.T, start starter) {
	for _, tc := range []struct {
		name string
		edit func(*cdiv1beta1.DataImportCronSpec)
		// refused by the API server in the dry run, if by nothing before
		refusedBy string
	}{
		{"a schedule in words", func(s *cdiv1beta1.DataImportCronSpec) { s.Schedule = "whenever" }, ""},
		{"importsToKeep", func(s *cdiv1beta1.DataImportCronSpec) { s.ImportsToKeep = new(int32(-1)) }, ""},
		{"garbageCollect", func(s *cdiv1beta1.DataImportCronSpec) {
			s.GarbageCollect = new(cdiv1beta1.DataImportCronGarbageCollect("outdated"))
		}, ""},
		{"contentType", func(s *cdiv1beta1.DataImportCronSpec) { s.Template.Spec.ContentType = "kubevrt" }, ""},
		{"neither storage nor pvc", func(s *cdiv1beta1.DataImportCronSpec) { s.Template.Spec.Storage = nil }, ""},
		{"the scheme of the url", func(s *cdiv1beta1.DataImportCronSpec) {
			s.Template.Spec.Source.Registry.URL = new("dokcer://quay.io/a")
		}, ""},
		{"a time zone that is none, which CDI knows", func(s *cdiv1beta1.DataImportCronSpec) { s.Schedule = "TZ=Europe/Atlantis 0 0 * * *" }, admission.Webhook},
		{"an empty name, which the definitions refuse", func(s *cdiv1beta1.DataImportCronSpec) { s.ServiceAccountName = new("") }, "serviceAccountName"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, none("amd64,arm64"))
			s.settle(t)
			s.imported(t, "fedora-amd64")
			s.settle(t)
			before := s.versions(t)

			typo := none("amd64,arm64")
			tc.edit(&typo.Spec)
			s.change(t, true, typo)
			s.settle(t)
			after := s.versions(t)
			delete(before, "SSP")
			delete(after, "SSP")
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("the typo changed:\n%s", diff)
			}
			status, reason, message := s.condition(t)
			if status != "False" || tc.refusedBy != "" && (reason != controller.ReasonRefused || !strings.Contains(message, tc.refusedBy)) {
				t.Errorf("condition %s %s does not say what %q refused: %s", status, reason, tc.refusedBy, message)
			}

			mended := none("amd64,arm64")
			mended.Spec.Schedule = "0 0 * * *"
			s.change(t, true, mended)
			s.settle(t)
			for _, c := range s.crons(t) {
				if c.Spec.Schedule != "0 0 * * *" {
					t.Errorf("the cron %s has the schedule %q", c.Name, c.Spec.Schedule)
				}
			}
			s.expectCondition(t, "True", controller.ReasonAsExpected)
		})
	}
}

// imported makes the DataSource that CDI makes for a cron, with its first image.
func (s *site) imported(t *testing.T, cron string) {
	t.Helper()
	ds := pointsTo(cron, cron+"-0123")
	ds.Labels = map[string]string{dictexpand.LabelDataImportCron: cron, dictexpand.LabelDataImportCronCleanup: "true"}
	s.create(t, ds)
}

// While nobody can say whether the replacement would be taken, nothing is deleted,
// and the adapter tries again.
func testDryRunUnknown(t *testing.T, start starter) {
	s := start(t, none("amd64"), template("gone", "gone", "arm64"))
	s.settle(t)
	before := s.versions(t)
	s.adapter.Client = s.intercepted(t, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.CreateOption) error {
			var o client.CreateOptions
			if o.ApplyOptions(opts); len(o.DryRun) > 0 {
				return apierrors.NewInternalError(context.DeadlineExceeded) // what a webhook that is away comes to
			}
			return c.Create(ctx, obj, opts...)
		},
	})
	changed := none("amd64")
	changed.Spec.Schedule = "0 0 * * *"
	s.change(t, true, changed)
	if _, err := s.adapter.Reconcile(t.Context(), reconcile.Request{NamespacedName: s.key}); !apierrors.IsInternalError(err) {
		t.Errorf("reconcile: %v; want it to be tried again", err)
	}
	after := s.versions(t)
	delete(before, "SSP")
	delete(after, "SSP")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("without an answer changed:\n%s", diff)
	}
	s.expectCondition(t, "False", controller.ReasonWriteFailed)

	s.adapter.Client = s.Client
	s.settle(t)
	s.expect(t, "with an answer", "cron fedora-amd64 manages fedora-amd64", "DataSource fedora leads to fedora-amd64")
	if got := s.crons(t)[0].Spec.Schedule; got != "0 0 * * *" {
		t.Errorf("the schedule is %q", got)
	}
	s.expectCondition(t, "True", controller.ReasonAsExpected)
}
