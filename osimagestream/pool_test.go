package osimagestream

import (
	"strings"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestForPool(t *testing.T) {
	both := stored("rhel-9", "rhel-9", sets("rhel-10", "rhel-9")...)
	poolField := func(name string) string { return "machineconfigpools[" + name + "].spec.osImageStream.name" }
	for _, tc := range []struct {
		name     string
		pool     Pool
		want     string
		images   mcfgv1.OSImageStreamSet
		reason   PoolReason
		field    string
		problems []problem
		findings []FindingCode
	}{
		{name: "80: own stream", pool: Pool{Pool: pool("worker", "rhel-10"), Stored: both},
			want: "rhel-10", images: set("rhel-10"), reason: ReasonOwn, field: poolField("worker")},
		{name: "83: default", pool: Pool{Pool: pool("worker", ""), Stored: both}, want: "rhel-9", images: set("rhel-9"), reason: ReasonDefault, field: statusField},
		{name: "80: custom pool: own before worker's", pool: Pool{Pool: pool("infra", "rhel-9"), Worker: pool("worker", "rhel-10"), Stored: both},
			want: "rhel-9", images: set("rhel-9"), reason: ReasonOwn, field: poolField("infra")},
		{name: "81: custom pool inherits the worker's", pool: Pool{Pool: pool("infra", ""), Worker: pool("worker", "rhel-10"), Stored: both},
			want: "rhel-10", images: set("rhel-10"), reason: ReasonWorker, field: poolField("worker")},
		{name: "83: custom pool, worker names none: default", pool: Pool{Pool: pool("infra", ""), Worker: pool("worker", ""), Stored: both},
			want: "rhel-9", images: set("rhel-9"), reason: ReasonDefault, field: statusField},
		{name: "82: custom pool, no worker pool given", pool: Pool{Pool: pool("infra", ""), Stored: both},
			want: "rhel-9", images: set("rhel-9"), reason: ReasonDefault, field: statusField, findings: []FindingCode{FindingWorkerMissing}},
		{name: "83: master does not inherit", pool: Pool{Pool: pool("master", ""), Worker: pool("worker", "rhel-10"), Stored: both},
			want: "rhel-9", images: set("rhel-9"), reason: ReasonDefault, field: statusField},
		{name: "83: arbiter does not inherit", pool: Pool{Pool: pool("arbiter", ""), Worker: pool("worker", "rhel-10"), Stored: both},
			want: "rhel-9", images: set("rhel-9"), reason: ReasonDefault, field: statusField},
		{name: "83: no pool given: the default", pool: Pool{Stored: both}, want: "rhel-9", images: set("rhel-9"), reason: ReasonDefault, field: statusField},

		{name: "87,97: retired own stream: no image, never the default's", pool: Pool{Pool: pool("worker", "rhel-8"), Stored: both},
			want: "rhel-8", reason: ReasonOwn, field: poolField("worker"), problems: []problem{{field.ErrorTypeNotSupported, poolField("worker"), "rhel-8"}}},
		{name: "87: retired worker stream: the problem is the worker's", pool: Pool{Pool: pool("infra", ""), Worker: pool("worker", "rhel-8"), Stored: both},
			want: "rhel-8", reason: ReasonWorker, field: poolField("worker"), problems: []problem{{field.ErrorTypeNotSupported, poolField("worker"), "rhel-8"}}},
		{name: "87: default that is not offered", pool: Pool{Pool: pool("worker", ""), Stored: stored("a", "a", set("b"))},
			want: "a", reason: ReasonDefault, field: statusField, problems: []problem{{field.ErrorTypeNotSupported, statusField, "a"}}},

		{name: "85,98: missing singleton", pool: Pool{Pool: pool("worker", "")}, reason: ReasonUnresolved, field: statusField, findings: []FindingCode{FindingSingletonMissing}},
		{name: "85: missing singleton, own stream", pool: Pool{Pool: pool("worker", "rhel-9")}, want: "rhel-9", reason: ReasonOwn, field: poolField("worker"), findings: []FindingCode{FindingSingletonMissing}},
		{name: "84,86,98: singleton without status: spec does not count yet", pool: Pool{Pool: pool("worker", ""), Stored: stored("rhel-9", "")},
			reason: ReasonUnresolved, field: statusField, findings: []FindingCode{FindingNotReconciled}},
		{name: "85: nothing given", reason: ReasonUnresolved, field: statusField, findings: []FindingCode{FindingSingletonMissing}},

		{name: "89,99: singleton of this release", pool: Pool{Pool: pool("worker", ""), Stored: both, Version: release.Version},
			want: "rhel-9", images: set("rhel-9"), reason: ReasonDefault, field: statusField},
		{name: "88,98: singleton of another release: no image", pool: Pool{Pool: pool("worker", ""), Stored: both, Version: "next"},
			want: "rhel-9", reason: ReasonDefault, field: statusField, findings: []FindingCode{FindingOtherRelease}},
		{name: "87: singleton of another release, retired stream", pool: Pool{Pool: pool("worker", "rhel-8"), Stored: both, Version: "next"},
			want: "rhel-8", reason: ReasonOwn, field: poolField("worker"), problems: []problem{{field.ErrorTypeNotSupported, poolField("worker"), "rhel-8"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := ForPool(tc.pool)
			diff(t, "stream", tc.want, r.Stream)
			diff(t, "images", tc.images, r.Images)
			diff(t, "reason", tc.reason, r.Reason)
			diff(t, "field", tc.field, r.Field)
			diff(t, "problems", tc.problems, problems(r.Problems))
			diff(t, "findings", tc.findings, codes(r.Findings))
			diff(t, "the image to run", string(tc.images.OSImage), r.OSImageURL)
			diff(t, "the stream in status", tc.images.Name, r.StatusStream)
			degraded := map[bool]DegradedReason{true: ReasonStreamNotOffered}[len(tc.problems) > 0]
			diff(t, "degraded", degraded, r.Degraded)
			for _, p := range r.Problems {
				for _, s := range tc.pool.Stored.Status.AvailableStreams {
					if !strings.Contains(p.Error(), s.Name) {
						t.Errorf("%v does not name %s", p, s.Name)
					}
				}
			}
		})
	}
}

func TestValidatePool(t *testing.T) {
	offered := stored("rhel-10", "rhel-10", sets("rhel-10", "rhel-11")...)
	const path = "spec.osImageStream.name"
	for _, tc := range []struct {
		name      string
		pool, old *mcfgv1.MachineConfigPool
		singleton *mcfgv1.OSImageStream
		want      []problem
	}{
		{"100: create without a stream", pool("a", ""), nil, offered, nil},
		{"104: create with a stream that is offered", pool("a", "rhel-11"), nil, offered, nil},
		{"103: create with a stream that is not", pool("a", "rhel-9"), nil, offered, []problem{{field.ErrorTypeNotSupported, path, "rhel-9"}}},
		{"104: change to a stream that is offered", pool("a", "rhel-11"), pool("a", "rhel-10"), offered, nil},
		{"103: change to a stream that is not", pool("a", "rhel-9"), pool("a", "rhel-10"), offered, []problem{{field.ErrorTypeNotSupported, path, "rhel-9"}}},
		{"103: set a stream that is not offered", pool("a", "rhel-9"), pool("a", ""), offered, []problem{{field.ErrorTypeNotSupported, path, "rhel-9"}}},
		// Seen in MCO: it refuses any edit of a pool that names a retired stream.
		{"101: untouched retired name", pool("a", "rhel-9"), pool("a", "rhel-9"), offered, nil},
		{"100: leave a retired stream", pool("a", ""), pool("a", "rhel-9"), offered, nil},
		{"103: from one retired stream to another", pool("a", "rhel-8"), pool("a", "rhel-9"), offered, []problem{{field.ErrorTypeNotSupported, path, "rhel-8"}}},
		// Seen in MCO: it refused all writes to pools without the singleton (MCO#5618).
		{"100: missing singleton, no stream", pool("a", ""), pool("a", ""), nil, nil},
		{"100: missing singleton, create without a stream", pool("a", ""), nil, nil, nil},
		{"101: missing singleton, untouched stream", pool("a", "rhel-9"), pool("a", "rhel-9"), nil, nil},
		{"102: missing singleton, new stream", pool("a", "rhel-9"), pool("a", ""), nil, []problem{{field.ErrorTypeNotFound, path, "rhel-9"}}},
		{"100: singleton without status, no stream", pool("a", ""), pool("a", "x"), stored("rhel-9", ""), nil},
		{"102: singleton without status, new stream", pool("a", "rhel-9"), nil, stored("rhel-9", ""), []problem{{field.ErrorTypeNotFound, path, "rhel-9"}}},
		{"100: nothing", nil, nil, nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			diff(t, "problems", tc.want, problems(ValidatePool(tc.pool, tc.old, tc.singleton)))
		})
	}
}
