package manifestlist

import (
	"fmt"
	"slices"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// mergeDuplicates is rule A6. The entries are sorted.
func (a *assembly) mergeDuplicates() {
	for from := 0; from < len(a.entries); {
		to := from + 1
		for to < len(a.entries) && duplicate(&a.entries[from], &a.entries[to]) {
			to++
		}
		if to-from > 1 {
			a.mergeGroup(a.entries[from:to])
		}
		from = to
	}
}

// duplicate reports whether two neighbors are for one platform. What has no
// platform of its own is told apart by its digest.
func duplicate(x, y *entry) bool {
	if x.key != y.key || compareKeys(x.desc, y.desc, x.class, y.class) != 0 {
		return false
	}
	return x.class == classPlatform || x.desc.Digest == y.desc.Digest
}

func (a *assembly) mergeGroup(group []entry) {
	last := -1 // the new child given last
	for i := range group {
		if e := &group[i]; !e.carried && (last < 0 || later(e, &group[last])) {
			last = i
		}
	}
	if last < 0 {
		return // an index that is updated keeps the duplicates it has
	}
	stands := &group[last]
	if a.opts.Duplicates != ReplaceDuplicates {
		for i := range group { // the first stands, for the others to be held against
			if e := &group[i]; !e.carried && later(stands, e) {
				stands = e
			}
		}
	}
	for i := range group {
		e := &group[i]
		switch {
		case e == stands:
		case e.carried:
			e.gone = true
			a.note(FindingChildReplaced, e, "by "+a.path(stands))
		case a.opts.Duplicates == ReplaceDuplicates:
			e.gone = true
			a.note(FindingChildReplaced, e, "by "+a.path(stands))
		case a.opts.Duplicates == KeepIdentical && identical(e, stands):
			e.gone = true
			a.note(FindingIdenticalDropped, e, "it is "+a.path(stands)+" again")
		default:
			value := string(e.desc.Digest)
			if e.desc.Platform != nil {
				value = platformText(*e.desc.Platform)
			}
			a.report(&IndexError{
				Code: CodeDuplicatePlatform, Child: a.ref(e), Other: a.ref(stands), Path: a.path(e), Value: value,
				Want: "one child for each platform, but " + a.path(stands) + " is for it too",
			})
		}
	}
}

func later(x, y *entry) bool {
	return x.position > y.position || x.position == y.position && x.inner > y.inner
}

func identical(x, y *entry) bool {
	return string(appendDescriptor(nil, x.desc, x.source)) == string(appendDescriptor(nil, y.desc, y.source))
}

// dropOrphans is rule A7 and U3: an attestation goes with its image. The
// attestations are the last entries.
func (a *assembly) dropOrphans() {
	first := slices.IndexFunc(a.entries, func(e entry) bool { return e.class == classAttestation })
	if first < 0 {
		return
	}
	images := make(map[string]bool, first) // whether the image of that digest is still there
	for i := range a.entries[:first] {
		e := &a.entries[i]
		images[string(e.desc.Digest)] = images[string(e.desc.Digest)] || !e.gone
	}
	for i := first; i < len(a.entries); i++ {
		e := &a.entries[i]
		refers := e.desc.Annotations[referenceDigest]
		present, known := images[refers]
		switch {
		case e.gone || present:
		case known:
			e.gone = true
			a.note(FindingAttestationDropped, e, "the image "+refers+" that it attests was replaced")
		case e.carried: // it was an orphan before
		default:
			a.report(&IndexError{
				Code: CodeOrphanAttestation, Child: a.ref(e), Path: a.path(e) + ".annotations[" + referenceDigest + "]",
				Value: refers, Want: "the digest of an image of this index",
			})
		}
	}
}

// checkRequired is rule A8.
func (a *assembly) checkRequired() {
	for i := range a.opts.Required {
		want := &a.opts.Required[i]
		if slices.ContainsFunc(a.entries, func(e entry) bool { return e.class == classPlatform && strictMatch(e.desc.Platform, want) }) {
			continue
		}
		a.report(&IndexError{
			Code: CodeMissingPlatform, Path: fmt.Sprintf("options.required[%d]", i),
			Value: platformText(*want), Want: "a child for it; there is " + a.platforms(),
		})
	}
}

// platforms names those that are there, but no more than anybody reads.
func (a *assembly) platforms() string {
	const most = 32
	var names []string
	for i := range a.entries {
		if e := &a.entries[i]; e.class == classPlatform {
			if len(names) == most {
				names = append(names, "and more")
				break
			}
			names = append(names, platformText(*e.desc.Platform))
		}
	}
	if names == nil {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// mediaType is the one of the format that was asked for.
func (a *assembly) mediaType(updated *Index) string {
	switch {
	case a.opts.Format == Docker:
		return dockerList
	case a.opts.Format == OCI, a.opts.Format == "" && updated == nil:
		return ocispec.MediaTypeImageIndex
	case a.opts.Format == Infer:
		if a.index.ArtifactType != "" || a.index.Subject != nil || len(a.index.Annotations) > 0 || len(a.entries) == 0 {
			return ocispec.MediaTypeImageIndex
		}
		for i := range a.entries {
			if d := a.entries[i].desc; d.MediaType != dockerManifest || ociOnly(d) != "" {
				return ocispec.MediaTypeImageIndex
			}
		}
		return dockerList
	case updated != nil && updated.MediaType != "":
		return updated.MediaType
	}
	return ocispec.MediaTypeImageIndex
}

// checkFormat is rule A9. What an updated list held before is not held against
// it.
func (a *assembly) checkFormat(updated *Index) {
	if a.index.MediaType != dockerList {
		return
	}
	was := updated != nil && updated.MediaType == dockerList
	report := func(code Code, child *ChildRef, path, value, want string) {
		a.report(&IndexError{Code: code, Child: child, Path: path, Value: value, Want: want})
	}
	const none = "nothing: a Docker manifest list has no such field"
	if len(a.opts.Annotations) > 0 || !was && len(a.index.Annotations) > 0 {
		report(CodeNotRepresentable, nil, "annotations", "", none)
	}
	if a.opts.ArtifactType != "" || !was && a.index.ArtifactType != "" {
		report(CodeNotRepresentable, nil, "artifactType", a.index.ArtifactType, none)
	}
	if a.opts.Subject != nil || !was && a.index.Subject != nil {
		report(CodeNotRepresentable, nil, "subject", "", none)
	}
	for i := range a.entries {
		e := &a.entries[i]
		if e.carried && was {
			continue
		}
		if e.desc.MediaType != dockerManifest {
			report(CodeForeignMediaType, a.ref(e), a.path(e)+".mediaType", e.desc.MediaType, dockerManifest)
		}
		if field := ociOnly(e.desc); field != "" {
			report(CodeNotRepresentable, a.ref(e), a.path(e)+"."+field, "", none)
		}
	}
}

// ociOnly returns the first field of d that a Docker manifest list lacks.
func ociOnly(d *ocispec.Descriptor) string {
	switch {
	case len(d.Annotations) > 0:
		return "annotations"
	case d.ArtifactType != "":
		return "artifactType"
	case len(d.Data) > 0:
		return "data"
	case len(d.URLs) > 0:
		return "urls"
	case d.Platform == nil:
		return "platform"
	}
	return ""
}
