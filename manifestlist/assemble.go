package manifestlist

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// A Result is an index that is ready to be pushed.
type Result struct {
	// Bytes is the document, to be pushed as it is.
	Bytes []byte
	// Descriptor has the media type, digest and size of Bytes, and the
	// artifactType.
	Descriptor ocispec.Descriptor
	// Findings tell what was left out or is odd: what option Remove took away, then
	// what concerns a child alone, in the order of the children, then how they go
	// together, in the order of the index.
	Findings []Finding
}

// Assemble makes an index of the children by rules A1 to A18 and B1 to B4. The bytes
// do not depend on the order of the children, unless ReplaceDuplicates lets the last
// of two stand. The error is an [IndexErrors] with everything that is wrong, and then
// there is no index.
func Assemble(children []Child, opts Options) (Result, error) {
	a := assembly{opts: opts, children: children, entries: make([]entry, 0, len(children))}
	a.index.ArtifactType, a.index.Subject, a.index.Annotations = opts.ArtifactType, opts.Subject, opts.Annotations
	a.checkOptions()
	if len(opts.Remove) > 0 {
		a.report(&IndexError{Code: CodeUnknownOption, Path: "options.remove", Want: "nothing: Assemble has no index to remove from"})
	}
	a.add()
	return a.finish(nil)
}

// An entry is a child on its way into the index. It is kept small, since sorting moves
// it.
type entry struct {
	desc     *ocispec.Descriptor
	source   []byte // compact source of a parsed descriptor
	position int32  // in the argument, or in the index that is updated
	inner    int32  // in the nested index, or -1
	class    class
	carried  bool // of the index that is updated
	kept     bool // carried, and still what source says: written as source has it
	gone     bool
}

// An assembly holds what Assemble, Describe and Update have in common.
type assembly struct {
	opts     Options
	children []Child       // for their names
	index    ocispec.Index // all but Manifests
	entries  []entry
	dropped  bool // one of them is gone
	findings []Finding
	errs     IndexErrors
}

func (a *assembly) report(err *IndexError) {
	a.errs = append(a.errs, err)
}

func (a *assembly) reportAt(e *entry, errs IndexErrors) {
	for _, err := range errs {
		err.Child = a.ref(e)
		err.Path = join(a.path(e), err.Path)
		a.errs = append(a.errs, err)
	}
}

func (a *assembly) note(code FindingCode, e *entry, detail string) {
	a.findings = append(a.findings, Finding{Code: code, Path: a.path(e), Detail: detail})
}

func (a *assembly) drop(e *entry) {
	e.gone, a.dropped = true, true
}

// ref says which child e is, or came with.
func (a *assembly) ref(e *entry) *ChildRef {
	r := &ChildRef{Position: int(e.position), Entry: e.carried}
	if !e.carried {
		r.Name = a.children[e.position].Name
	}
	return r
}

func (a *assembly) path(e *entry) string {
	path := a.ref(e).String()
	if e.inner >= 0 {
		path += fmt.Sprintf(".manifests[%d]", e.inner)
	}
	return path
}

// add takes the children through rules A1 to A5 and B1 to B4, and drops attestations
// by A7.
func (a *assembly) add() {
	for i := range a.children {
		c := &a.children[i]
		e := entry{desc: &c.Descriptor, source: c.Source.json, position: int32(i), inner: -1}
		image := passesForImage(e.desc)
		if c.Manifest != nil || c.Config != nil {
			r, errs := resolve(c, a.opts.SizeLimit)
			e.desc = &r.desc
			if errs != nil {
				a.reportAt(&e, errs)
				a.addForOthers(&e)
				continue
			}
			image = r.image
		}
		if isIndexType(e.desc.MediaType) {
			a.addNested(&e, c.Manifest)
			continue
		}
		a.addEntry(&e, image)
	}
}

func (a *assembly) addNested(e *entry, src []byte) {
	if a.opts.Nested != Flatten || e.inner >= 0 {
		a.reportAt(e, IndexErrors{{Code: CodeNestedIndex, Path: "mediaType", Value: e.desc.MediaType, Want: "the manifest of one image"}})
		return
	}
	if src == nil {
		a.reportAt(e, IndexErrors{{Code: CodeNestedIndex, Path: "manifest", Want: "the bytes of the index, to flatten it"}})
		return
	}
	nested, err := parse(src, a.opts.SizeLimit)
	if err != nil {
		err.Path = join("manifest", err.Path)
		a.reportAt(e, IndexErrors{err})
		return
	}
	a.note(FindingFlattened, e, fmt.Sprintf("replaced by its %d entries", len(nested.Manifests)))
	for i, source := range nested.sources() {
		inner := entry{desc: &nested.Manifests[i], source: source, position: e.position, inner: int32(i)}
		if isIndexType(inner.desc.MediaType) {
			a.addNested(&inner, nil)
			continue
		}
		a.addEntry(&inner, passesForImage(inner.desc))
	}
}

func (a *assembly) addEntry(e *entry, image bool) {
	errs, known := check(e.desc, image)
	if errs != nil {
		a.reportAt(e, errs)
		a.addForOthers(e)
		return
	}
	e.class = classOf(e.desc)
	if e.class == classAttestation && a.opts.Attestations == DropAttestations {
		a.note(FindingAttestationDropped, e, "an attestation, which option Attestations does not keep")
		return
	}
	if e.class == classPlatform && !known {
		a.note(FindingUnknownPlatform, e, quote.Cut(platformText(*e.desc.Platform))+" is not a platform that Go knows")
	}
	a.entries = append(a.entries, entry{desc: e.desc, source: e.source, position: e.position, inner: e.inner, class: e.class})
}

// addForOthers keeps an entry that has errors, for the rules about several
// children (A17).
func (a *assembly) addForOthers(e *entry) {
	if e.class = classOf(e.desc); e.class == classPlatform {
		a.entries = append(a.entries, *e)
	}
}

// finish is the rest of the rules. updated is the index that is updated, if any.
func (a *assembly) finish(updated *Index) (Result, error) {
	if sortEntries(a.entries) {
		a.mergeDuplicates()
	}
	a.dropOrphans()
	if a.dropped {
		a.entries = slices.DeleteFunc(a.entries, func(e entry) bool { return e.gone })
	}
	a.checkRequired()
	a.index.Versioned = specs.Versioned{SchemaVersion: 2}
	a.index.MediaType = a.mediaType(updated)
	a.checkFormat(updated)
	if len(a.errs) > 0 {
		a.errs.sort()
		return Result{}, a.errs
	}
	var source []byte
	if updated != nil {
		source = updated.Source.json
	}
	b := a.encode(source)
	if limit := sizeLimit(a.opts.SizeLimit); len(b) > limit {
		return Result{}, IndexErrors{{Code: CodeTooLarge, Value: strconv.Itoa(len(b)), Want: fmt.Sprintf("at most %d bytes", limit)}}
	}
	if len(a.entries) == 0 {
		a.findings = append(a.findings, Finding{Code: FindingEmpty, Path: "manifests", Detail: "the index holds no entry"})
	}
	return Result{
		Bytes: b,
		Descriptor: ocispec.Descriptor{
			MediaType:    a.index.MediaType,
			Digest:       digestOf(sha256.Sum256(b)),
			Size:         int64(len(b)),
			ArtifactType: a.index.ArtifactType,
		},
		Findings: a.findings,
	}, nil
}

func (a *assembly) encode(source []byte) []byte {
	n := len(`{"schemaVersion":2,"mediaType":"","artifactType":"","manifests":[],"annotations":{}}`) +
		len(a.index.MediaType) + len(a.index.ArtifactType) + len(source)
	if a.index.Subject != nil {
		n += len(`,"subject":`) + sizeHint(a.index.Subject)
	}
	for k, v := range a.index.Annotations {
		n += len(k) + len(v) + 8
	}
	for i := range a.entries {
		n += len(a.entries[i].source) + sizeHint(a.entries[i].desc)
	}
	b := append(appendHead(make([]byte, 0, n), &a.index), '[')
	for i := range a.entries {
		if i > 0 {
			b = append(b, ',')
		}
		if e := &a.entries[i]; e.kept {
			b = append(b, e.source...)
		} else {
			b = appendChecked(b, e.desc, e.source)
		}
	}
	return appendTail(append(b, ']'), &a.index, source)
}
