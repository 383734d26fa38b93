package dictexpand

import (
	"cmp"
	"slices"
)

// FindingCode names a kind of Finding.
type FindingCode string

const (
	// FindingUnsupported: the caller does not support a listed architecture,
	// which was skipped.
	FindingUnsupported FindingCode = "ArchitectureUnsupported"
	// FindingNotInCluster: a listed architecture is not in the cluster and was
	// skipped.
	FindingNotInCluster FindingCode = "ArchitectureNotInCluster"
	// FindingArchitectureHeld: a listed architecture has left the cluster, and the
	// caller holds what was made for it. See Options.HeldArchitectures.
	FindingArchitectureHeld FindingCode = "ArchitectureHeld"
	// FindingAlias: a listed architecture is not spelled as GOARCH spells it and
	// was skipped.
	FindingAlias FindingCode = "ArchitectureAlias"
	// FindingNoCompatibleArchitecture: nothing is left of the list, so there is
	// neither a cron nor a reference.
	FindingNoCompatibleArchitecture FindingCode = "NoCompatibleArchitecture"
	// FindingNoWorkloadNodes: a cron was made for an architecture without workload
	// nodes. CDI runs the pods of its import on that architecture only.
	FindingNoWorkloadNodes FindingCode = "NoWorkloadNodes"
	// FindingAutoUpdateOff: a DataSource points to a user's own image, so no cron
	// updates it.
	FindingAutoUpdateOff FindingCode = "AutoUpdateOff"
	// FindingRetentionPolicy: the retentionPolicy is one that CDI does not know, so
	// that it keeps the images.
	FindingRetentionPolicy FindingCode = "RetentionPolicyUnknown"
	// FindingImageStream: the source is an image stream. One that was imported in
	// Legacy mode holds one architecture only. See Options.ReportImageStreams.
	FindingImageStream FindingCode = "ImageStreamSource"
)

// A Finding is something skipped or odd that does not make the answer wrong.
type Finding struct {
	Code FindingCode
	// Template is the name of the template that it is about.
	Template string
	// Architecture is the one that it is about, as the template spells it, or ""
	// if it is about the whole template.
	Architecture string
	// Path is a field path below the list of templates, such as
	// "dataImportCronTemplates[rhel10].metadata.annotations[ssp.kubevirt.io/dict.architectures]".
	Path string
	// Detail is for people and names the value met and what would be right.
	Detail string
}

// String returns the path and the detail.
func (f Finding) String() string {
	if f.Path == "" {
		return f.Detail
	}
	return f.Path + ": " + f.Detail
}

func sortFindings(f []Finding) {
	slices.SortFunc(f, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
}
