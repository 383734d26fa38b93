package manifestlist

import "fmt"

// Update makes a new index out of one that was parsed, and new children, by rules
// U1 to U6. The error is an [IndexErrors], and then there is no index.
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
	for i, source := range index.sources() {
		d := &index.Manifests[i]
		a.entries = append(a.entries, entry{
			desc: d, source: source, class: classOf(d), position: i, inner: -1, carried: true,
		})
	}
	a.remove()
	a.add()
	return a.finish(&index)
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
				e.gone = true
				a.note(FindingRemoved, e, path+" removes "+platformText(*e.desc.Platform))
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
