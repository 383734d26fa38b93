package importmode

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// FindingCode names a kind of Finding.
type FindingCode string

const (
	// FindingUnknownCurrent: the current status holds a value that is no mode,
	// which was taken as empty.
	FindingUnknownCurrent FindingCode = "UnknownCurrentMode"
	// FindingHomogeneousNodes: a multi payload runs on nodes of a single
	// architecture, where an administrator may prefer Legacy.
	FindingHomogeneousNodes FindingCode = "HomogeneousNodes"
	// FindingHeterogeneousNodes: a single payload runs on nodes of several
	// architectures, for some of which it has no images.
	FindingHeterogeneousNodes FindingCode = "HeterogeneousNodes"
	// FindingLegacyIgnored: a client that always sends Legacy sent it, which was
	// taken as omitted.
	FindingLegacyIgnored FindingCode = "LegacyIgnored"
	// FindingUnknownStored: a tag is stored with a value that is no mode, which
	// was kept.
	FindingUnknownStored FindingCode = "UnknownStoredMode"
	// FindingUnknownCluster: the cluster's mode was to decide and is no mode; Legacy
	// was taken.
	FindingUnknownCluster FindingCode = "UnknownClusterMode"
	// FindingLegacyOverPreserveOriginal: the manifest of a managed stream sets
	// Legacy on a tag that preserves the original now.
	FindingLegacyOverPreserveOriginal FindingCode = "LegacyOverPreserveOriginal"
)

// A Finding is something odd that does not make the answer wrong.
type Finding struct {
	Code FindingCode
	// Path is the field that the finding is about. It is relative to the image
	// config for a Decision, and begins with the caller's path for a tag.
	Path string
	// Detail is for people. It names the value that was met and what would be
	// right.
	Detail string
}

// String returns "path: detail", or the detail alone if there is no path.
func (f Finding) String() string {
	if f.Path == "" {
		return f.Detail
	}
	return f.Path + ": " + f.Detail
}

// Findings returns what is odd about the decision, and nil if nothing is. Path is
// where the caller has the tag: upstream's paths are spec.tags[name] for a tag of
// a stream, tag for an image stream tag, spec.images[index] for an image of an
// import and spec.repository for a repository's. The decision holds flags only,
// so that deciding need not allocate; the texts are made here.
func (d TagDecision) Findings(path *field.Path) []Finding {
	if !d.LegacyIgnored && !d.UnknownStored && !d.UnknownCluster && !d.LegacyOverPreserveOriginal {
		return nil
	}
	var at string
	if path != nil {
		at = path.String()
	}
	var found []Finding
	note := func(code FindingCode, detail string) {
		found = append(found, Finding{code, at, detail})
	}
	if d.LegacyIgnored {
		note(FindingLegacyIgnored, "the client sends Legacy unasked, so Legacy counts as omitted; the tag is imported as "+
			quote.Quote(string(d.Import))+" ("+d.Reason.String()+")")
	}
	if d.UnknownStored {
		note(FindingUnknownStored, "the tag is stored with the mode "+quote.Quote(string(d.Store))+
			", which is kept; it is imported by the mode of the cluster, "+string(d.Import)+"; set it to Legacy or PreserveOriginal")
	}
	if d.UnknownCluster {
		note(FindingUnknownCluster, "the import mode that the server is configured with is neither Legacy nor PreserveOriginal and counts as Legacy")
	}
	if d.LegacyOverPreserveOriginal {
		note(FindingLegacyOverPreserveOriginal, "the tag is "+string(imagev1.ImportModePreserveOriginal)+
			" now and the manifest sets it to Legacy; omit the mode from the manifest to keep it")
	}
	return found
}
