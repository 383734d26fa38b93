package manifestlist

// Update makes a new index out of one that was parsed and new children, by rules
// U1 to U4: a child takes the place of the entry for its platform, or joins the
// others. The error is an [IndexErrors].
func Update(index Index, children []Child, opts Options) (Result, error) {
	a := assembly{opts: opts, children: children, index: index.Index, entries: make([]entry, 0, len(index.Manifests)+len(children))}
	if opts.ArtifactType != "" {
		a.index.ArtifactType = opts.ArtifactType
	}
	if opts.Subject != nil {
		a.index.Subject = opts.Subject
	}
	if len(opts.Annotations) > 0 {
		a.index.Annotations = opts.Annotations
	}
	a.checkOptions()
	for i := range index.Manifests {
		d := &index.Manifests[i]
		a.entries = append(a.entries, entry{
			desc: d, source: index.entry(i), class: classOf(d), position: i, inner: -1, carried: true,
		})
	}
	a.add()
	return a.finish(&index)
}
