package osimagestreamtest

import (
	"slices"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// PoolOracle returns what a pool that selects no machine configs is to run, the rule
// for its stream and the rule for its images.
func PoolOracle(f PoolFacts) (images PoolImages, refused bool, stream, rule string) {
	name := ""
	switch {
	case f.Pool != nil && f.Pool.Spec.OSImageStream.Name != "":
		name, stream = f.Pool.Spec.OSImageStream.Name, "own-stream-first"
	case f.Pool != nil && !slices.Contains([]string{"master", "worker", "arbiter"}, f.Pool.Name) && f.Worker == nil:
		stream = "custom-pool-without-worker"
	case f.Pool != nil && !slices.Contains([]string{"master", "worker", "arbiter"}, f.Pool.Name) && f.Worker.Spec.OSImageStream.Name != "":
		name, stream = f.Worker.Spec.OSImageStream.Name, "custom-pool-inherits"
	}
	if stream == "" {
		stream = "pool-takes-the-default"
	}
	switch {
	case f.Stored == nil:
		return images, false, stream, "singleton-missing"
	case !hasStatus(f.Stored):
		return images, false, stream, "singleton-without-status"
	case name == "":
		name = f.Stored.Status.DefaultStream
	}
	for _, s := range f.Stored.Status.AvailableStreams {
		if s.Name == name {
			return imagesOf(s), false, stream, "images-of-the-stream"
		}
	}
	return images, true, stream, "stream-not-offered"
}

// EditOracle reports whether a write to a pool is refused, and the rule that says so.
func EditOracle(pool, old *mcfgv1.MachineConfigPool, stored *mcfgv1.OSImageStream) (refused bool, rule string) {
	name := pool.Spec.OSImageStream.Name
	switch {
	case name == "":
		return false, "pool-without-a-stream"
	case old != nil && old.Spec.OSImageStream.Name == name:
		return false, "untouched-stream-is-valid"
	case stored == nil || !hasStatus(stored):
		return true, "new-stream-without-a-singleton"
	case !offers(stored.Status.AvailableStreams, name):
		return true, "new-stream-not-offered"
	}
	return false, "new-stream-offered"
}

// LastImage is MergeMachineConfigs of openshift/machine-config-operator
// (pkg/controller/common/helpers.go, as it was before it took an OSImageStreamSet) as
// far as it is about osImageURL: the worker's configs, then the others, each sorted by
// name, and each osImageURL replaces the one before.
func LastImage(configs []*mcfgv1.MachineConfig, base string) string {
	var workers, others []*mcfgv1.MachineConfig
	for _, c := range configs {
		if c.Labels[labelRole] == "worker" {
			workers = append(workers, c)
		} else {
			others = append(others, c)
		}
	}
	byName := func(a, b *mcfgv1.MachineConfig) int { return strings.Compare(a.Name, b.Name) }
	slices.SortStableFunc(workers, byName)
	slices.SortStableFunc(others, byName)
	url := base
	for _, c := range append(workers, others...) {
		if c.Spec.OSImageURL != "" {
			url = c.Spec.OSImageURL
		}
	}
	return url
}
