package dictexpand

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// Options is what Expand knows of the cluster and of the caller. Plan reads them
// from the expansion. The zero value is a cluster with multiple architectures
// switched off and a caller that owns nothing.
type Options struct {
	// MultiArch is whether templates are expanded per architecture at all. If
	// not, each gives one cron as written.
	MultiArch bool
	// Architectures holds those of the cluster in the caller's order of
	// preference. The SSP operator takes the control plane's, then the workload
	// nodes'. Repetitions do not matter.
	Architectures []string
	// WorkloadArchitectures holds those of Architectures that have nodes for
	// workload. Empty means that this is not known, and that all count, unless
	// NoWorkloadNodes is set.
	WorkloadArchitectures []string
	// NoWorkloadNodes says that the cluster is known to have no node for workload.
	// It counts only while WorkloadArchitectures is empty.
	NoWorkloadNodes bool
	// ArchitecturesIncomplete says that there are nodes whose architecture is not
	// known yet. Plan then deletes and redirects nothing.
	ArchitecturesIncomplete bool
	// HeldArchitectures holds architectures that were in the cluster before: a
	// period of grace for nodes that may come back, such as those of a node set
	// that was scaled to zero. The caller remembers them, in a ConfigMap say, and
	// drops one when the grace is over. One that is in Architectures too changes
	// nothing. Of one that is not, nothing is created, and the crons and references
	// that exist stay as they are, with a finding for each template that lists it.
	HeldArchitectures []string
	// Supported holds the architectures that the caller supports. Empty means
	// all.
	Supported []string
	// Namespace is where the crons of templates without a namespace go, and
	// where the DataSources of CallerDataSources are.
	Namespace string
	// CallerDataSources holds, by the name without an architecture, the
	// DataSources that the caller makes per architecture itself, such as those of
	// the SSP operator's common templates. Plan never deletes one of them.
	CallerDataSources []CallerDataSource
	// OwnImages holds the DataSources that point to a user's own image; the
	// function OwnImages finds them. No cron is made that would manage one.
	OwnImages []types.NamespacedName
	// Owner is how the objects of the caller are told from those of others.
	Owner Owner
	// ReportImageStreams asks for a finding on each template that imports from an
	// image stream: one that was imported in Legacy mode holds one architecture.
	ReportImageStreams bool
}

// A CallerDataSource is one that the caller makes per architecture: Name-a for
// each architecture a.
type CallerDataSource struct {
	Name          string
	Architectures []string
}

// Owner holds the labels and annotations that Plan puts on every object it
// makes. An object that carries all of them is the caller's. A zero Owner owns
// nothing, so nothing of what exists is changed.
type Owner struct {
	Labels      map[string]string
	Annotations map[string]string
}

// detach gives the options memory of their own, and returns some for more strings.
func (o *Options) detach(more int) []string {
	rest := cloneLists(more, &o.Architectures, &o.WorkloadArchitectures, &o.HeldArchitectures, &o.Supported)
	o.CallerDataSources = slices.Clone(o.CallerDataSources)
	for i := range o.CallerDataSources {
		cloneLists(0, &o.CallerDataSources[i].Architectures)
	}
	o.OwnImages = slices.Clone(o.OwnImages)
	o.Owner = Owner{maps.Clone(o.Owner.Labels), maps.Clone(o.Owner.Annotations)}
	return rest
}

// cloneLists puts copies in the place of the lists, all in one allocation, and returns what
// is behind them: an empty slice for more strings.
func cloneLists(more int, lists ...*[]string) (rest []string) {
	n := more
	for _, list := range lists {
		n += len(*list)
	}
	room := make([]string, 0, n)
	for _, list := range lists {
		if *list != nil {
			begin := len(room)
			room = append(room, *list...)
			*list = room[begin:len(room):len(room)]
		}
	}
	return room[len(room):]
}
