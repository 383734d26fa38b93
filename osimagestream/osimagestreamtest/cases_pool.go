package osimagestreamtest

import (
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A PoolCase is a row of PoolImages.
type PoolCase struct {
	Rules, Name string
	Pool        PoolFacts
	Images      mcfgv1.OSImageStreamSet // of the stream; none if it keeps what it runs
	// What package osimagestream reports. There is an error if there are problems.
	Want, Reason, Field string
	Problems            []Problem
	Findings            []Finding
}

// PoolCases are the rows of the stream of a pool.
func PoolCases() []PoolCase {
	both := Stored("rhel-9", "rhel-9", Sets("rhel-10", "rhel-9")...)
	poolField := func(name string) string { return "machineconfigpools[" + name + "].spec.osImageStream.name" }
	return []PoolCase{
		{Rules: "own-stream-first", Name: "own stream", Pool: PoolFacts{Pool: Pool("worker", "rhel-10"), Stored: both},
			Want: "rhel-10", Images: Set("rhel-10"), Reason: "Own", Field: poolField("worker")},
		{Rules: "pool-takes-the-default", Name: "default", Pool: PoolFacts{Pool: Pool("worker", ""), Stored: both}, Want: "rhel-9", Images: Set("rhel-9"), Reason: "Default", Field: statusField},
		{Rules: "own-stream-first", Name: "custom pool: own before worker's", Pool: PoolFacts{Pool: Pool("infra", "rhel-9"), Worker: Pool("worker", "rhel-10"), Stored: both},
			Want: "rhel-9", Images: Set("rhel-9"), Reason: "Own", Field: poolField("infra")},
		{Rules: "custom-pool-inherits", Name: "custom pool inherits the worker's", Pool: PoolFacts{Pool: Pool("infra", ""), Worker: Pool("worker", "rhel-10"), Stored: both},
			Want: "rhel-10", Images: Set("rhel-10"), Reason: "Worker", Field: poolField("worker")},
		{Rules: "pool-takes-the-default", Name: "custom pool, worker names none: default", Pool: PoolFacts{Pool: Pool("infra", ""), Worker: Pool("worker", ""), Stored: both},
			Want: "rhel-9", Images: Set("rhel-9"), Reason: "Default", Field: statusField},
		{Rules: "custom-pool-without-worker", Name: "custom pool, no worker pool given", Pool: PoolFacts{Pool: Pool("infra", ""), Stored: both},
			Want: "rhel-9", Images: Set("rhel-9"), Reason: "Default", Field: statusField, Findings: Codes("WorkerMissing")},
		{Rules: "pool-takes-the-default", Name: "master does not inherit", Pool: PoolFacts{Pool: Pool("master", ""), Worker: Pool("worker", "rhel-10"), Stored: both},
			Want: "rhel-9", Images: Set("rhel-9"), Reason: "Default", Field: statusField},
		{Rules: "pool-takes-the-default", Name: "arbiter does not inherit", Pool: PoolFacts{Pool: Pool("arbiter", ""), Worker: Pool("worker", "rhel-10"), Stored: both},
			Want: "rhel-9", Images: Set("rhel-9"), Reason: "Default", Field: statusField},
		{Rules: "pool-takes-the-default", Name: "no pool given: the default", Pool: PoolFacts{Stored: both}, Want: "rhel-9", Images: Set("rhel-9"), Reason: "Default", Field: statusField},

		{Rules: "stream-not-offered problem-means-no-images", Name: "retired own stream: no image, never the default's", Pool: PoolFacts{Pool: Pool("worker", "rhel-8"), Stored: both},
			Want: "rhel-8", Reason: "Own", Field: poolField("worker"), Problems: []Problem{{field.ErrorTypeNotSupported, poolField("worker"), "rhel-8"}}},
		{Rules: "stream-not-offered", Name: "retired worker stream: the problem is the worker's", Pool: PoolFacts{Pool: Pool("infra", ""), Worker: Pool("worker", "rhel-8"), Stored: both},
			Want: "rhel-8", Reason: "Worker", Field: poolField("worker"), Problems: []Problem{{field.ErrorTypeNotSupported, poolField("worker"), "rhel-8"}}},
		{Rules: "stream-not-offered", Name: "default that is not offered", Pool: PoolFacts{Pool: Pool("worker", ""), Stored: Stored("a", "a", Set("b"))},
			Want: "a", Reason: "Default", Field: statusField, Problems: []Problem{{field.ErrorTypeNotSupported, statusField, "a"}}},

		{Rules: "singleton-missing no-images-is-no-problem", Name: "missing singleton", Pool: PoolFacts{Pool: Pool("worker", "")}, Reason: "Unresolved", Field: statusField, Findings: Codes("SingletonMissing")},
		{Rules: "singleton-missing", Name: "missing singleton, own stream", Pool: PoolFacts{Pool: Pool("worker", "rhel-9")}, Want: "rhel-9", Reason: "Own", Field: poolField("worker"), Findings: Codes("SingletonMissing")},
		{Rules: "pool-without-a-default singleton-without-status no-images-is-no-problem", Name: "singleton without status: spec does not count yet", Pool: PoolFacts{Pool: Pool("worker", ""), Stored: Stored("rhel-9", "")},
			Reason: "Unresolved", Field: statusField, Findings: Codes("NotReconciled")},
		{Rules: "singleton-missing", Name: "nothing given", Reason: "Unresolved", Field: statusField, Findings: Codes("SingletonMissing")},

		{Rules: "images-of-the-stream pool-status-names-the-stream", Name: "singleton of this release", Pool: PoolFacts{Pool: Pool("worker", ""), Stored: both, Version: ReleaseVersion},
			Want: "rhel-9", Images: Set("rhel-9"), Reason: "Default", Field: statusField},
		{Rules: "streams-of-another-release no-images-is-no-problem", Name: "singleton of another release: no image", Pool: PoolFacts{Pool: Pool("worker", ""), Stored: both, Version: "next"},
			Want: "rhel-9", Reason: "Default", Field: statusField, Findings: Codes("OtherRelease")},
		{Rules: "stream-not-offered", Name: "singleton of another release, retired stream", Pool: PoolFacts{Pool: Pool("worker", "rhel-8"), Stored: both, Version: "next"},
			Want: "rhel-8", Reason: "Own", Field: poolField("worker"), Problems: []Problem{{field.ErrorTypeNotSupported, poolField("worker"), "rhel-8"}}},
	}
}

// An EditCase is a row of ValidatePool.
type EditCase struct {
	Rules, Name string
	Pool, Old   *mcfgv1.MachineConfigPool
	Stored      *mcfgv1.OSImageStream
	// What package osimagestream reports. The edit is refused if there are problems.
	Problems []Problem
}

// EditCases are the rows of ValidatePool.
func EditCases() []EditCase {
	offered := Stored("rhel-10", "rhel-10", Sets("rhel-10", "rhel-11")...)
	const path = "spec.osImageStream.name"
	return []EditCase{
		{"pool-without-a-stream", "create without a stream", Pool("a", ""), nil, offered, nil},
		{"new-stream-offered", "create with a stream that is offered", Pool("a", "rhel-11"), nil, offered, nil},
		{"new-stream-not-offered", "create with a stream that is not", Pool("a", "rhel-9"), nil, offered, []Problem{{field.ErrorTypeNotSupported, path, "rhel-9"}}},
		{"new-stream-offered", "change to a stream that is offered", Pool("a", "rhel-11"), Pool("a", "rhel-10"), offered, nil},
		{"new-stream-not-offered", "change to a stream that is not", Pool("a", "rhel-9"), Pool("a", "rhel-10"), offered, []Problem{{field.ErrorTypeNotSupported, path, "rhel-9"}}},
		{"new-stream-not-offered", "set a stream that is not offered", Pool("a", "rhel-9"), Pool("a", ""), offered, []Problem{{field.ErrorTypeNotSupported, path, "rhel-9"}}},
		// Seen in MCO: it refuses any edit of a pool that names a retired stream.
		{"untouched-stream-is-valid", "untouched retired name", Pool("a", "rhel-9"), Pool("a", "rhel-9"), offered, nil},
		{"pool-without-a-stream", "leave a retired stream", Pool("a", ""), Pool("a", "rhel-9"), offered, nil},
		{"new-stream-not-offered", "from one retired stream to another", Pool("a", "rhel-8"), Pool("a", "rhel-9"), offered, []Problem{{field.ErrorTypeNotSupported, path, "rhel-8"}}},
		// Seen in MCO: it refused all writes to pools without the singleton (MCO#5618).
		{"pool-without-a-stream", "missing singleton, no stream", Pool("a", ""), Pool("a", ""), nil, nil},
		{"pool-without-a-stream", "missing singleton, create without a stream", Pool("a", ""), nil, nil, nil},
		{"untouched-stream-is-valid", "missing singleton, untouched stream", Pool("a", "rhel-9"), Pool("a", "rhel-9"), nil, nil},
		{"new-stream-without-a-singleton", "missing singleton, new stream", Pool("a", "rhel-9"), Pool("a", ""), nil, []Problem{{field.ErrorTypeNotFound, path, "rhel-9"}}},
		{"pool-without-a-stream", "singleton without status, no stream", Pool("a", ""), Pool("a", "x"), Stored("rhel-9", ""), nil},
		{"new-stream-without-a-singleton", "singleton without status, new stream", Pool("a", "rhel-9"), nil, Stored("rhel-9", ""), []Problem{{field.ErrorTypeNotFound, path, "rhel-9"}}},
		{"pool-without-a-stream", "nothing", nil, nil, nil, nil},
	}
}
