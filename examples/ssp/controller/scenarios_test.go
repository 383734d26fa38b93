package controller_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/ssp/cdi"
	"github.com/polyarch/polyarch/examples/ssp/controller"
)

// cron and image are lines of a state: a cron, and what CDI made of it.
func cron(name, managed string) string { return "cron " + name + " manages " + managed }
func image(name, cron string) string {
	return "DataSource " + name + " has " + name + "-" + cdi.FirstDigest + " of cron " + cron
}

// testScenarios follows one cluster, with CDI, through what administrators do. From
// the first import on machines can boot at every moment.
func testScenarios(t *testing.T, start starter) {
	fedora := func(archs string) dictexpand.Template { return template("fedora", "fedora", archs) }
	s := start(t, fedora("amd64,arm64"))
	s.live(t)
	both := []string{
		cron("fedora-amd64", "fedora-amd64"), cron("fedora-arm64", "fedora-arm64"),
		"DataSource fedora leads to fedora-amd64", image("fedora-amd64", "fedora-amd64"), image("fedora-arm64", "fedora-arm64"),
	}
	s.expect(t, "two architectures", both...)
	s.expectCondition(t, "True", controller.ReasonAsExpected)

	s.change(t, true, fedora("arm64"))
	s.live(t, "fedora", "fedora-arm64")
	s.expect(t, "amd64 left the annotation",
		both[1], "DataSource fedora leads to fedora-arm64", both[3], both[4])
	s.change(t, true, fedora("amd64,arm64"))
	s.live(t, "fedora", "fedora-arm64", "fedora-amd64")
	s.expect(t, "amd64 is back", both...)

	s.change(t, false, fedora("amd64,arm64"))
	s.live(t, "fedora")
	s.expect(t, "switched off", cron("fedora", "fedora"), image("fedora", "fedora"), both[3], both[4])
	s.change(t, true, fedora("amd64,arm64"))
	s.live(t, "fedora")
	s.expect(t, "switched on again", both...)
	s.expectCondition(t, "True", controller.ReasonAsExpected)

	// A changed spec.
	before := s.versions(t)
	changed := fedora("amd64,arm64")
	changed.Spec.Schedule = "0 0 * * *"
	s.change(t, true, changed)
	s.live(t, "fedora", "fedora-arm64", "fedora-amd64")
	s.expect(t, "the schedule changed", both...)
	for _, c := range s.crons(t) {
		if c.Spec.Schedule != "0 0 * * *" || strings.HasPrefix(before["cron "+c.Name], string(c.UID)) {
			t.Errorf("%s is to be a new object with the new schedule, not %s with %q", c.Name, c.UID, c.Spec.Schedule)
		}
	}

	// A changed label is an update.
	before = s.versions(t)
	changed.Labels = map[string]string{"instancetype.kubevirt.io/default-preference": "fedora"}
	s.change(t, true, changed)
	s.live(t, "fedora")
	for _, c := range s.crons(t) {
		if c.Labels["instancetype.kubevirt.io/default-preference"] != "fedora" || !strings.HasPrefix(before["cron "+c.Name], string(c.UID)) {
			t.Errorf("%s is to be the same object with the new label: %v", c.Name, c.Labels)
		}
	}

	// A typo loses nothing.
	before = s.versions(t)
	s.saw()
	s.change(t, true, fedora("adm64"))
	s.settle(t)
	s.expectCondition(t, "False", controller.ReasonBlocked)
	if diff := cmp.Diff([]string{"ArchitectureUnsupported", "NoCompatibleArchitecture", "TemplatesBlocked"}, s.saw()); diff != "" {
		t.Errorf("events, told once, -want +got:\n%s", diff)
	}
	delete(before, "SSP")
	after := s.versions(t)
	delete(after, "SSP")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("a typo changed:\n%s", diff)
	}
}

// A template under another name: its DataSources stay bootable all the time, also
// where CDI deletes what a cron imported together with the cron, and CDI updates
// them in the end.
func testRename(t *testing.T, start starter) {
	for _, tc := range []struct {
		name      string
		retention cdiv1beta1.DataImportCronRetentionPolicy
		stays     bool // the old cron, until there is another image than its own
	}{
		{"retained", cdiv1beta1.DataImportCronRetainAll, false},
		{"not retained", cdiv1beta1.DataImportCronRetainNone, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			named := func(name string) dictexpand.Template {
				x := template(name, "fedora", "amd64,arm64")
				x.Spec.RetentionPolicy = &tc.retention
				return x
			}
			s := start(t, named("old"))
			s.live(t)
			s.expect(t, "before", cron("old-amd64", "fedora-amd64"), cron("old-arm64", "fedora-arm64"),
				"DataSource fedora leads to fedora-amd64", image("fedora-amd64", "old-amd64"), image("fedora-arm64", "old-arm64"))

			s.change(t, true, named("new"))
			s.live(t, "fedora", "fedora-amd64", "fedora-arm64")
			_, newRuns := s.versions(t)["cron new-amd64"]
			if _, oldStays := s.versions(t)["cron old-amd64"]; !newRuns || oldStays != tc.stays {
				t.Errorf("the old cron stays for its image: %t, want %t:\n%s", oldStays, tc.stays, s.state(t))
			}
			const digest = "ba9876543210"
			s.cdi.Digest = func(*cdiv1beta1.DataImportCron) string { return digest }
			s.live(t, "fedora", "fedora-amd64", "fedora-arm64")
			s.expect(t, "after", cron("new-amd64", "fedora-amd64"), cron("new-arm64", "fedora-arm64"),
				"DataSource fedora leads to fedora-amd64",
				"DataSource fedora-amd64 has fedora-amd64-"+digest+" of cron new-amd64",
				"DataSource fedora-arm64 has fedora-arm64-"+digest+" of cron new-arm64")
			s.expectCondition(t, "True", controller.ReasonAsExpected)
		})
	}
}

// Whichever write fails, the others are taken, and nothing that boots is lost: a
// step that is not taken costs no other one what it builds on.
func testFailingWrites(t *testing.T, start starter) {
	both := func(name string) dictexpand.Template {
		x := template(name, "fedora", "amd64,arm64")
		x.Spec.RetentionPolicy = new(cdiv1beta1.DataImportCronRetainNone)
		return x
	}
	for _, tc := range []struct {
		name     string
		off      bool // multiple architectures, afterwards
		template dictexpand.Template
	}{
		{"a new name", false, both("new")},
		{"multiple architectures off", true, both("old")},
	} {
		for nth := 0; ; nth++ {
			s := start(t, both("old"))
			s.live(t)
			s.change(t, !tc.off, tc.template)
			failed := s.failNth(t, nth)
			s.live(t, "fedora")
			s.cdi.Digest = func(*cdiv1beta1.DataImportCron) string { return "ba9876543210" }
			s.live(t, "fedora")
			s.expectCondition(t, "True", controller.ReasonAsExpected)
			if t.Failed() {
				t.Fatalf("%s: write %d failed (%s)", tc.name, nth, *failed)
			}
			if *failed == "" {
				if nth < 3 {
					t.Errorf("%s: %d writes only, so this test shows nothing", tc.name, nth)
				}
				break
			}
		}
	}
}

var errPlanned = errors.New("this write fails")

// failNth makes the adapter's nth write of a cron or a DataSource fail, and says
// which one that was.
func (s *site) failNth(t *testing.T, nth int) (failed *string) {
	t.Helper()
	failed = new(string)
	fails := func(verb string, obj client.Object) bool {
		switch obj.(type) {
		case *cdiv1beta1.DataImportCron, *cdiv1beta1.DataSource:
			if nth--; nth == -1 {
				*failed = verb + " " + obj.GetName()
				return true
			}
		}
		return false
	}
	s.adapter.Client = s.intercepted(t, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.CreateOption) error {
			var o client.CreateOptions
			if o.ApplyOptions(opts); len(o.DryRun) == 0 && fails("create", obj) {
				return errPlanned
			}
			return c.Create(ctx, obj, opts...)
		},
		Update: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.UpdateOption) error {
			if fails("update", obj) {
				return errPlanned
			}
			return c.Update(ctx, obj, opts...)
		},
		Delete: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.DeleteOption) error {
			if fails("delete", obj) {
				return errPlanned
			}
			return c.Delete(ctx, obj, opts...)
		},
	})
	return failed
}
