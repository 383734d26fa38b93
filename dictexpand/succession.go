package dictexpand

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/internal/quote"
)

// A wait is what a cron that is to go stays for.
type wait struct {
	why string
	// on is the cron that should exist and that it waits for, nil for a user's own
	// image.
	on *Cron
}

// awaited returns what a cron that is to go has to stay for, or "". It goes by what
// exists, not by the other steps: a step that fails costs nothing then. Crons that
// would wait for one another wait for nothing: CDI leaves no other way.
func (f *facts) awaited(old *cdiv1beta1.DataImportCron) string {
	f.indexSuccessions()
	for _, w := range f.waits(old) {
		if !f.needs(w.on, old, map[*cdiv1beta1.DataImportCron]bool{}) {
			return w.why
		}
	}
	return ""
}

// indexSuccessions gathers the DataSources that should exist and lead to another
// one, by that one; the DataSources with an image, by the crons that it may go with; and
// the crons that should exist, by their template; all in ascending order.
func (f *facts) indexSuccessions() {
	if f.leading != nil {
		return
	}
	f.leading, f.imported = map[types.NamespacedName][]types.NamespacedName{}, map[types.NamespacedName][]types.NamespacedName{}
	f.ofTemplate = map[types.NamespacedName][]*Cron{}
	for key, ds := range f.dataSources {
		if to := ds.Spec.Source.DataSource; to != nil && (f.references[key] != nil || f.managers[key] != nil) {
			target := types.NamespacedName{Namespace: to.Namespace, Name: to.Name}
			f.leading[target] = append(f.leading[target], key)
		}
		for _, cron := range f.importers(ds) {
			f.imported[cron] = append(f.imported[cron], key)
		}
	}
	for _, index := range [...]map[types.NamespacedName][]types.NamespacedName{f.leading, f.imported} {
		for _, list := range index {
			slices.SortFunc(list, compareKeys)
		}
	}
	for i := range f.Crons {
		c := &f.Crons[i]
		template := types.NamespacedName{Namespace: c.Object.Namespace, Name: c.Template}
		f.ofTemplate[template] = append(f.ofTemplate[template], c)
	}
}

// importers returns the crons with which the image of the DataSource may go: those of the
// labels of the image and of the DataVolume that owns it.
func (f *facts) importers(ds *cdiv1beta1.DataSource) []types.NamespacedName {
	image := f.images.image(ds)
	if image == nil {
		return nil
	}
	var crons []types.NamespacedName
	add := func(m *metav1.ObjectMeta) {
		key := types.NamespacedName{Namespace: m.Namespace, Name: m.Labels[LabelDataImportCron]}
		if key.Name != "" && !slices.Contains(crons, key) {
			crons = append(crons, key)
		}
	}
	add(image)
	if v := f.images.volumes[types.NamespacedName{Namespace: image.Namespace, Name: volumeOf(image)}]; v != nil {
		add(v)
	}
	return crons
}

// needs reports whether the cron c, which should exist, can do so only when the
// old one is gone.
func (f *facts) needs(c *Cron, old *cdiv1beta1.DataImportCron, seen map[*cdiv1beta1.DataImportCron]bool) bool {
	if c == nil {
		return false
	}
	live := f.crons[keyOf(&c.Object.ObjectMeta)]
	if live == old {
		return true
	}
	if live == nil || seen[live] || f.runs(c) || !f.owner.owns(&live.ObjectMeta) {
		return false
	}
	seen[live] = true
	return slices.ContainsFunc(f.waits(live), func(w wait) bool { return f.needs(w.on, old, seen) })
}

// waits returns everything that a cron that is to go stays for; rules 72 to 75.
func (f *facts) waits(old *cdiv1beta1.DataImportCron) []wait {
	key := managed(old)
	waits := f.waitsAt(key, old)
	for _, former := range f.imported[keyOf(&old.ObjectMeta)] {
		if ds := f.dataSources[former]; former != key && f.loses(ds, old) {
			waits = append(waits, f.waitsAt(former, old)...)
		}
	}
	if c := f.awaitedOfTemplate(old); c != nil {
		waits = append(waits, wait{f.missing(c), c})
	}
	return waits
}

// waitsAt returns what the cron stays for because of one DataSource, that which it
// manages or one that it managed before.
func (f *facts) waitsAt(key types.NamespacedName, old *cdiv1beta1.DataImportCron) []wait {
	var waits []wait
	ds := f.dataSources[key]
	if c := f.managers[key]; c != nil && keyOf(&c.Object.ObjectMeta) != keyOf(&old.ObjectMeta) {
		if why := f.succeeds(c, old, ds); why != "" {
			waits = append(waits, wait{why, c})
		}
	}
	if f.references[key] != nil && ds != nil && !isReference(ds) && (ds.Labels[LabelDataImportCron] == old.Name || f.loses(ds, old)) {
		waits = append(waits, wait{"the DataSource " + quote.Quote(key.Name) + " is no reference yet", f.leadsTo(key)})
	}
	if ds != nil && hasSource(ds) {
		for _, from := range f.leading[key] {
			on := f.managers[from]
			if ref := f.references[from]; ref != nil {
				if ref.Target == key.Name {
					continue
				}
				on = f.leadsTo(from)
			}
			waits = append(waits, wait{"the DataSource " + quote.Quote(from.Name) + " still leads to " + quote.Quote(key.Name), on})
		}
	}
	return waits
}

// succeeds returns what is missing before the cron c has taken over the DataSource
// of the old one, or "".
func (f *facts) succeeds(c *Cron, old *cdiv1beta1.DataImportCron, ds *cdiv1beta1.DataSource) string {
	switch {
	case !f.runs(c):
		return f.missing(c)
	case ds == nil:
		return ""
	case ds.Labels[LabelDataImportCron] == old.Name:
		return "the DataSource " + quote.Quote(ds.Name) + " is not that of the cron " + quote.Quote(c.Object.Name) + " yet"
	case f.loses(ds, old):
		return "the image of the DataSource " + quote.Quote(ds.Name) + " goes with it, and the cron " + quote.Quote(c.Object.Name) +
			", which takes its place, has imported no other yet"
	}
	return ""
}

func (f *facts) missing(c *Cron) string {
	return "the cron " + quote.Quote(c.Object.Name) + ", which takes its place, does not exist yet"
}

// leadsTo returns the cron that makes the image which the DataSource should lead
// to, or nil if the DataSource should be no reference, or one to a user's own
// image.
func (f *facts) leadsTo(from types.NamespacedName) *Cron {
	ref := f.references[from]
	if ref == nil {
		return nil
	}
	return f.managers[types.NamespacedName{Namespace: ref.Namespace, Name: ref.Target}]
}

// awaitedOfTemplate returns a cron that has to take the place of an old one of the
// same template, or nil if there is none, or if one is there.
func (f *facts) awaitedOfTemplate(old *cdiv1beta1.DataImportCron) *Cron {
	if f.wanted[keyOf(&old.ObjectMeta)] != nil {
		return nil
	}
	switch f.templates.whyUnwanted(old) {
	case ReasonMultiArchSwitched, ReasonArchitectureRemoved:
	default:
		return nil
	}
	out := f.templates.of(old)
	crons := f.ofTemplate[types.NamespacedName{Namespace: out.Namespace, Name: out.Template}]
	if len(crons) == 0 || slices.ContainsFunc(crons, f.runs) {
		return nil
	}
	return crons[0]
}

// loses reports whether the deletion of the cron takes the image of the DataSource
// along. CDI names an image after the DataSource and the digest. A cron that takes
// over may find an image of its digest, and labels the claim, but not the DataVolume
// that owns the claim: that one still goes with the cron that imported it.
func (f *facts) loses(ds *cdiv1beta1.DataSource, old *cdiv1beta1.DataImportCron) bool {
	if f.importedData(old) != DataDeleted || !hasSource(ds) {
		return false
	}
	if image := f.images.image(ds); image != nil {
		label, volume := image.Labels[LabelDataImportCron], volumeOf(image)
		switch {
		case label == old.Name:
			return true
		case volume == "":
			return false
		}
		if v := f.images.volumes[types.NamespacedName{Namespace: image.Namespace, Name: volume}]; v != nil {
			return v.Labels[LabelDataImportCron] == old.Name
		}
		// What is older than the cron of its label was imported by another one.
		cron := f.crons[types.NamespacedName{Namespace: image.Namespace, Name: label}]
		if cron != nil && image.CreationTimestamp.Before(&cron.CreationTimestamp) {
			return true
		}
	}
	name := sourceName(ds)
	last := old.Status.LastImportedPVC
	return last != nil && last.Name == name ||
		slices.ContainsFunc(old.Status.CurrentImports, func(i cdiv1beta1.ImportStatus) bool { return i.DataVolumeName == name })
}

// await makes s wait until what takes the place of its object is there.
func await(s Step, why string) Step {
	s.Verb, s.Reason, s.Detail = VerbWait, ReasonReplacementAwaited, why
	return s
}
