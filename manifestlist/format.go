package manifestlist

import (
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// mediaType is rule A14, and rule U4 for the format.
func (a *assembly) mediaType(updated *Index) string {
	switch {
	case a.opts.Format == Docker:
		return dockerList
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
	case a.opts.Format == "" && updated != nil && updated.MediaType != "":
		return updated.MediaType
	}
	return ocispec.MediaTypeImageIndex
}

// checkFormat is rule A10. What a list held before it was updated is not held
// against it (U2).
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
		if e.kept && was {
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
