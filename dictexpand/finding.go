package dictexpand

import (
	"cmp"
	"slices"
)

// FindingCode names a kind of Finding.
type FindingCode string

const (
	// FindingUnsupported: a listed architecture is not one that the caller
	// supports; it was skipped.
	FindingUnsupported FindingCode = "ArchitectureUnsupported"
	// FindingNotInCluster: a listed architecture is not in the cluster; it was
	// skipped.
	FindingNotInCluster FindingCode = "ArchitectureNotInCluster"
	// FindingAlias: a listed architecture is not spelled as GOARCH spells it; it
	// was skipped.
	FindingAlias FindingCode = "ArchitectureAlias"
	// FindingNoCompatibleArchitecture: nothing is left of the list, so there is
	// neither a cron nor a reference.
	FindingNoCompatibleArchitecture FindingCode = "NoCompatibleArchitecture"
	// FindingNoWorkloadNodes: a cron was made for an architecture that has no
	// workload nodes. CDI runs its pods on that architecture only.
	FindingNoWorkloadNodes FindingCode = "NoWorkloadNodes"
	// FindingAutoUpdateOff: a DataSource points to an image of a user's own, so
	// no cron updates it.
	FindingAutoUpdateOff FindingCode = "AutoUpdateOff"
	// FindingImageStream: the source is an image stream. One that is imported in
	// Legacy mode holds one architecture only.
	FindingImageStream FindingCode = "ImageStreamSource"
)

// A Finding is something skipped or odd that does not make the answer wrong.
type Finding struct {
	Code FindingCode
	// Path is a field path below the list of templates, such as
	// "dataImportCronTemplates[rhel10].metadata.annotations[ssp.kubevirt.io/dict.architectures]".
	Path string
	// Detail is for people and names the value met and what would be right.
	Detail string
}

func sortFindings(f []Finding) {
	slices.SortFunc(f, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
}
