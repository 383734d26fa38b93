package manifestlist

import (
	"bytes"
	"encoding/json"
	"fmt"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// Update makes a new index out of one that was parsed, and new children, by rules
// U1 to U7. The error is an [IndexErrors], and then there is no index.
func Update(index Index, children []Child, opts Options) (Result, error) {
	a := assembly{
		opts: opts, children: children, index: index.Index,
		entries: make([]entry, 0, len(index.Manifests)+len(children)),
	}
	if opts.ClearAnnotations {
		a.index.Annotations = nil
	}
	if len(opts.Annotations) > 0 {
		a.index.Annotations = opts.Annotations
	}
	if opts.ArtifactType != "" {
		a.index.ArtifactType = opts.ArtifactType
	}
	if opts.Subject != nil {
		a.index.Subject = opts.Subject
	}
	a.checkOptions()
	a.carry(&index)
	a.remove()
	a.add()
	return a.finish(&index)
}

// carry is rules U2 and U7. What was published before is held to no rule; what was
// edited since is held to A3 and A4.
func (a *assembly) carry(index *Index) {
	if index.MediaType != "" && !isIndexType(index.MediaType) {
		a.report(&IndexError{Code: CodeInvalidMediaType, Path: "mediaType", Value: index.MediaType, Want: ocispec.MediaTypeImageIndex + " or " + dockerList})
	}
	if s := index.ArtifactType; a.opts.ArtifactType == "" && s != "" && !validMediaType(s) && s != stringMember(index.Source.json, "artifactType") {
		a.report(&IndexError{Code: CodeInvalidMediaType, Path: "artifactType", Value: s, Want: "type/subtype"})
	}
	if a.opts.Subject == nil && index.Subject != nil && !unedited(index.Subject, memberValue(index.Source.json, "subject")) {
		errs, _ := check(index.Subject, false)
		for _, err := range errs {
			err.Path = "subject." + err.Path
			a.report(err)
		}
	}
	for i, source := range index.sources() {
		d := &index.Manifests[i]
		e := entry{desc: d, source: source, class: classOf(d), position: int32(i), inner: -1, carried: true, kept: unedited(d, source)}
		if !e.kept {
			errs, _ := check(d, passesForImage(d))
			a.reportAt(&e, errs)
		}
		a.entries = append(a.entries, e)
	}
}

// unedited reports whether a descriptor is still what its source says.
func unedited(d *ocispec.Descriptor, source []byte) bool {
	if source == nil {
		return false
	}
	if bytes.Equal(appendDescriptor(nil, d, source), source) {
		return true // canonical, as nearly every index is
	}
	var was ocispec.Descriptor
	_ = json.Unmarshal(source, &was) // Parse has read it
	return bytes.Equal(appendDescriptor(nil, d, nil), appendDescriptor(nil, &was, nil))
}

// remove is rule U5. The entries are those of the index alone.
func (a *assembly) remove() {
	for i := range a.opts.Remove {
		unwanted := &a.opts.Remove[i]
		path := fmt.Sprintf("options.remove[%d]", i)
		there := false
		for j := range a.entries {
			e := &a.entries[j]
			if e.class != classPlatform || !strictMatch(e.desc.Platform, unwanted) {
				continue
			}
			there = true
			if !e.gone {
				a.drop(e)
				a.note(FindingRemoved, e, path+" removes "+quote.Cut(platformText(*e.desc.Platform)))
			}
		}
		if !there {
			a.report(&IndexError{
				Code: CodeMissingPlatform, Path: path, Value: platformText(*unwanted),
				Want: "an entry for it; there is " + a.platforms(),
			})
		}
	}
}
