package manifestlist

// mergeDuplicates is rules A6 and U1. The entries are sorted.
func (a *assembly) mergeDuplicates() {
	for from := 0; from < len(a.entries); {
		to := from + 1
		for to < len(a.entries) && duplicate(&a.entries[from], &a.entries[to]) {
			to++
		}
		a.mergeGroup(a.entries[from:to])
		from = to
	}
}

// duplicate reports whether two neighbors are one by rule A6.
func duplicate(x, y *entry) bool {
	if compareKeys(x.desc, y.desc, x.class, y.class) != 0 {
		return false
	}
	return x.class == classPlatform || x.desc.Digest == y.desc.Digest
}

// mergeGroup merges the entries for one platform, of which there may be one.
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
		case e == stands, e.gone:
		case e.carried:
			a.drop(e)
			a.note(FindingChildReplaced, e, "replaced by "+a.path(stands))
		case a.opts.Duplicates == ReplaceDuplicates:
			a.drop(e)
			a.note(FindingChildReplaced, e, "replaced by "+a.path(stands))
		case a.opts.Duplicates == KeepIdentical && identical(e, stands):
			a.drop(e)
			a.note(FindingIdenticalDropped, e, "the same as "+a.path(stands)+", counted once")
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
