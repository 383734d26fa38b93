package importmode

import imagev1 "github.com/openshift/api/image/v1"

// Options changes how requests are read. The zero value takes them literally.
type Options struct {
	// IgnoreLegacy takes Legacy in the request as omitted. It is for requests of
	// clients that are known to send Legacy unasked, as oc import-image, oc tag
	// and oc new-app do. The caller tells which client sent the request.
	IgnoreLegacy bool
}

// TagDecision is the import mode of one tag: by which mode to import it, and
// what to write to it. The two differ for a tag that is stored without a mode.
//
// The zero value decides nothing. Its reason is ReasonUndecided.
type TagDecision struct {
	// Import is the mode to import the tag by: one of the two modes, or empty if
	// nothing was decided.
	Import imagev1.ImportModeType
	// Store is the mode to write to the tag's importPolicy.importMode, in every
	// case: where nothing changes, it is what is there already. It is empty for a
	// tag that is stored without a mode and stays so.
	Store  imagev1.ImportModeType
	Reason TagReason
	// New says that no tag of that name is stored.
	New bool
	// Changed says that the effective mode differs from that of the stored tag,
	// as in ModeChanged. A new tag has nothing to differ from.
	Changed bool
	// LegacyIgnored says that the request gave Legacy, which Options.IgnoreLegacy
	// took as omitted.
	LegacyIgnored bool
	// UnknownStored says that the stored tag holds a value that is no mode, and
	// that Store keeps it.
	UnknownStored bool
	// UnknownCluster says that the cluster's mode was to decide and is no mode, so that
	// Legacy was taken.
	UnknownCluster bool
	// LegacyOverPreserveOriginal says that the manifest of a managed stream takes
	// a tag from PreserveOriginal back to Legacy.
	LegacyOverPreserveOriginal bool
}

// DecidedTag is a decision beside the name of the tag that it is for.
type DecidedTag struct {
	// Name is empty for an image that is imported to no tag.
	Name string
	TagDecision
}

// DefaultTag decides one tag of a request by rules 22 to 29, from modes alone.
// Given is the mode in the request and stored the one in storage, where isStored
// says that a tag of that name is stored at all. Cluster is the mode out of
// Configure; an empty one means Legacy.
//
// It is the decision for callers whose tags are in types of their own. The
// functions for whole objects of image/v1 are built on it.
func DefaultTag(given, stored imagev1.ImportModeType, isStored bool, cluster imagev1.ImportModeType, opts Options) TagDecision {
	var d TagDecision
	d.decide(given, stored, isStored, readCluster(cluster), opts)
	return d
}

// clusterMode is the cluster's mode, by rule 44.
type clusterMode struct {
	mode    imagev1.ImportModeType // one of the two modes
	unknown bool                   // what was given is none
}

func readCluster(given imagev1.ImportModeType) clusterMode {
	if known(given) {
		return clusterMode{mode: given}
	}
	return clusterMode{imagev1.ImportModeLegacy, given != ""}
}

// decide is DefaultTag for a cluster's mode that has been read. It fills d, which
// holds whatever was in the caller's memory before, field by field: a whole
// TagDecision is built aside and then moved, which takes ten times as long.
func (d *TagDecision) decide(given, stored imagev1.ImportModeType, isStored bool, cluster clusterMode, opts Options) {
	d.New, d.Changed = !isStored, false
	d.LegacyIgnored, d.UnknownStored, d.UnknownCluster, d.LegacyOverPreserveOriginal = false, false, false, false
	if opts.IgnoreLegacy && given == imagev1.ImportModeLegacy {
		given, d.LegacyIgnored = "", true
	}
	switch {
	case given != "":
		d.Import, d.Store, d.Reason = given, given, ReasonGiven
		d.Changed = isStored && ModeChanged(stored, given)
		if !known(given) {
			d.Import, d.UnknownCluster = cluster.mode, cluster.unknown
			d.UnknownStored = isStored && given == stored
		}
	case !isStored:
		d.Import, d.Store, d.Reason = cluster.mode, cluster.mode, ReasonClusterMode
		d.UnknownCluster = cluster.unknown
	case stored == "":
		d.Import, d.Store, d.Reason = imagev1.ImportModeLegacy, "", ReasonStoredEmpty
	default:
		d.Import, d.Store, d.Reason = stored, stored, ReasonStored
		if !known(stored) {
			d.Import, d.UnknownStored, d.UnknownCluster = cluster.mode, true, cluster.unknown
		}
	}
}

// DefaultManagedTag decides one tag of a manifest out of the release payload, by
// rules 30 and 31. Given is the mode in the manifest; stored and isStored are as
// in DefaultTag.
func DefaultManagedTag(given, stored imagev1.ImportModeType, isStored bool) TagDecision {
	d := TagDecision{Store: given, Reason: ReasonGiven, New: !isStored}
	if given == "" {
		d.Store, d.Reason = imagev1.ImportModePreserveOriginal, ReasonManaged
	}
	if d.Import = d.Store; !known(d.Store) {
		d.Import = imagev1.ImportModePreserveOriginal
	}
	if isStored {
		d.Changed = ModeChanged(stored, d.Store)
		d.LegacyOverPreserveOriginal = stored == imagev1.ImportModePreserveOriginal && d.Store == imagev1.ImportModeLegacy
	}
	return d
}
