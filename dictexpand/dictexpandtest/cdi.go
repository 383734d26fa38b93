package dictexpandtest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// CDI is an API server with the Containerized Data Importer behind it, as far
// as DataImportCrons go. The model follows kubevirt/containerized-data-importer at
// commit f7a8debe7069, pkg/controller/dataimportcron-controller.go: Reconcile,
// shouldReconcileCron, createImportDataVolume, updateSource, updateDataSource,
// getDataSource, setDataImportCronResourceLabels, garbageCollectPVCs and cleanup;
// for releases before 1.60 at commit 0017048039a6, whose updateDataSource goes by
// any label that is not empty. Its webhook is Webhook.
//
// Nothing happens by itself: a test says when CDI looks at a cron and when the
// garbage collector comes by, so it can let them lag. What an operator does to it goes
// through a Client.
type CDI struct {
	Crons       map[types.NamespacedName]cdiv1beta1.DataImportCron
	DataSources map[types.NamespacedName]cdiv1beta1.DataSource
	// Claims and Volumes are the metadata of PersistentVolumeClaims and DataVolumes.
	Claims  map[types.NamespacedName]metav1.ObjectMeta
	Volumes map[types.NamespacedName]metav1.ObjectMeta
	// Before160 makes CDI update a DataSource that carries the label of any cron.
	Before160 bool
	// Slow makes the deletion of a cron only set its timestamp, as with a finalizer.
	Slow bool
	// Images is the digest that each registry URL and architecture leads to now,
	// written as "URL architecture"; what is not listed has the digest FirstDigest. An
	// empty digest cannot be imported.
	Images map[string]string
	// Refuses says why a cron is refused, or "".
	Refuses func(cdiv1beta1.DataImportCron) string
	// gone holds the crons whose going CDI has not seen yet.
	gone map[types.NamespacedName]bool
	// Events is what CDI said.
	Events []string
	uid    int
	clock  int64
}

// FirstDigest is what everything leads to at first.
const FirstDigest = "0123456789ab"

const (
	cronLabel    = "cdi.kubevirt.io/dataImportCron"
	cleanupLabel = "cdi.kubevirt.io/dataImportCron.cleanup"
	lastUse      = "cdi.kubevirt.io/storage.import.lastUseTime"
)

// NewCDI returns an empty cluster with CDI from 1.60 on.
func NewCDI() *CDI {
	return &CDI{
		Crons:       map[types.NamespacedName]cdiv1beta1.DataImportCron{},
		DataSources: map[types.NamespacedName]cdiv1beta1.DataSource{},
		Claims:      map[types.NamespacedName]metav1.ObjectMeta{},
		Volumes:     map[types.NamespacedName]metav1.ObjectMeta{},
		Images:      map[string]string{},
		Refuses:     Webhook,
		gone:        map[types.NamespacedName]bool{},
	}
}

// Key is the key of an object.
func Key(namespace, name string) types.NamespacedName {
	return types.NamespacedName{Namespace: namespace, Name: name}
}

func (m *CDI) nextUID() types.UID {
	m.uid++
	return types.UID(fmt.Sprintf("uid-%d", m.uid))
}

// AddCron adds a cron as it is, whoever it is of, without asking the webhook.
func (m *CDI) AddCron(c cdiv1beta1.DataImportCron) {
	c.UID = m.nextUID()
	m.Crons[Key(c.Namespace, c.Name)] = c
}

// AddDataSource adds a DataSource as it is.
func (m *CDI) AddDataSource(ds cdiv1beta1.DataSource) {
	ds.UID = m.nextUID()
	m.DataSources[Key(ds.Namespace, ds.Name)] = ds
}

// Run lets CDI and the garbage collector do everything that there is to do.
func (m *CDI) Run() {
	for range 2 {
		for _, k := range m.Pending() {
			m.Look(k)
		}
		m.CollectGarbage()
	}
}

// Pending returns the crons that CDI may look at, in a fixed order.
func (m *CDI) Pending() []types.NamespacedName {
	all := slices.Concat(slices.Collect(maps.Keys(m.Crons)), slices.Collect(maps.Keys(m.gone)))
	slices.SortFunc(all, func(a, b types.NamespacedName) int { return cmp.Compare(a.String(), b.String()) })
	return slices.Compact(all)
}

// Look is one look of CDI at a cron; an import is through at once.
func (m *CDI) Look(k types.NamespacedName) {
	c, exists := m.Crons[k]
	delete(m.gone, k)
	if !exists || c.DeletionTimestamp != nil {
		m.cleanup(k)
		return
	}
	dk := Key(k.Namespace, c.Spec.ManagedDataSource)
	ds, exists := m.DataSources[dk]
	if label := ds.Labels[cronLabel]; exists && label != k.Name && label != "" {
		if other, ok := m.Crons[Key(k.Namespace, label)]; ok && other.Spec.ManagedDataSource == dk.Name {
			m.Events = append(m.Events, fmt.Sprintf("DataSourceAlreadyManaged %s: %s", k.Name, label))
			return
		}
	}
	m.importImage(&c, dk)
	m.Crons[k] = c

	if !exists {
		ds = cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: dk.Namespace, Name: dk.Name}}
		metav1.SetMetaDataLabel(&ds.ObjectMeta, cronLabel, k.Name)
		m.AddDataSource(ds)
		ds = m.DataSources[dk]
	}
	if label := ds.Labels[cronLabel]; label == "" || label != k.Name && !m.Before160 {
		return // "is not managed by cron, so it is not updated"
	}
	ds = *ds.DeepCopy()
	own(&c, &ds.ObjectMeta)
	if c.Status.LastImportedPVC != nil {
		ds.Spec.Source = cdiv1beta1.DataSourceSource{PVC: c.Status.LastImportedPVC.DeepCopy()}
	}
	m.DataSources[dk] = ds
}

// ImageOf returns what a cron imports, as in CDI.Images, or "" if that is no registry.
func ImageOf(c *cdiv1beta1.DataImportCron) string {
	source := c.Spec.Template.Spec.Source
	if source == nil || source.Registry == nil || source.Registry.URL == nil {
		return ""
	}
	image := *source.Registry.URL + " "
	if p := source.Registry.Platform; p != nil {
		image += p.Architecture
	}
	return image
}

// importImage imports what the source of the cron leads to, unless that is there.
func (m *CDI) importImage(c *cdiv1beta1.DataImportCron, dk types.NamespacedName) {
	image := ImageOf(c)
	if image == "" {
		return
	}
	digest, listed := m.Images[image]
	if !listed {
		digest = FirstDigest
	}
	if digest == "" {
		return
	}
	ck := Key(dk.Namespace, dk.Name+"-"+digest)
	claim, exists := m.Claims[ck]
	if !exists {
		volume := metav1.ObjectMeta{Namespace: ck.Namespace, Name: ck.Name}
		own(c, &volume)
		m.Volumes[ck] = volume
		claim = metav1.ObjectMeta{Namespace: ck.Namespace, Name: ck.Name, OwnerReferences: []metav1.OwnerReference{{Kind: "DataVolume", Name: ck.Name}}}
	}
	claim = *claim.DeepCopy()
	own(c, &claim) // not the DataVolume of a claim that another cron imported
	m.clock++
	metav1.SetMetaDataAnnotation(&claim, lastUse, fmt.Sprintf("%09d", m.clock))
	m.Claims[ck] = claim
	c.Status.LastImportedPVC = &cdiv1beta1.DataVolumeSourcePVC{Namespace: ck.Namespace, Name: ck.Name}
	c.Status.CurrentImports = []cdiv1beta1.ImportStatus{{DataVolumeName: ck.Name, Digest: digest}}
	m.collectImports(c)
}

// collectImports deletes what a cron has imported beyond what it is to keep.
func (m *CDI) collectImports(c *cdiv1beta1.DataImportCron) {
	if g := c.Spec.GarbageCollect; g != nil && *g != cdiv1beta1.DataImportCronGarbageCollectOutdated {
		return
	}
	keep := 3
	if n := c.Spec.ImportsToKeep; n != nil {
		keep = int(*n)
	}
	var imported []metav1.ObjectMeta
	for _, claim := range m.Claims {
		if claim.Namespace == c.Namespace && claim.Labels[cronLabel] == c.Name {
			imported = append(imported, claim)
		}
	}
	slices.SortFunc(imported, func(a, b metav1.ObjectMeta) int {
		return strings.Compare(b.Annotations[lastUse], a.Annotations[lastUse])
	})
	for i := keep; i < len(imported); i++ {
		k := Key(imported[i].Namespace, imported[i].Name)
		delete(m.Claims, k)
		delete(m.Volumes, k)
	}
}

// own labels an object as that of a cron. A cleanup label that is there stays.
func own(c *cdiv1beta1.DataImportCron, o *metav1.ObjectMeta) {
	metav1.SetMetaDataLabel(o, cronLabel, c.Name)
	if p := c.Spec.RetentionPolicy; p != nil && *p == cdiv1beta1.DataImportCronRetainNone {
		metav1.SetMetaDataLabel(o, cleanupLabel, "true")
	}
}

// cleanup deletes what carries the name of a cron that is gone and the label for
// cleanup.
func (m *CDI) cleanup(k types.NamespacedName) {
	its := func(o metav1.ObjectMeta) bool {
		return o.Namespace == k.Namespace && o.Labels[cronLabel] == k.Name && o.Labels[cleanupLabel] == "true"
	}
	maps.DeleteFunc(m.DataSources, func(_ types.NamespacedName, ds cdiv1beta1.DataSource) bool { return its(ds.ObjectMeta) })
	maps.DeleteFunc(m.Volumes, func(_ types.NamespacedName, o metav1.ObjectMeta) bool { return its(o) })
	maps.DeleteFunc(m.Claims, func(_ types.NamespacedName, o metav1.ObjectMeta) bool { return its(o) })
}

// CollectGarbage deletes the claims whose DataVolume is gone.
func (m *CDI) CollectGarbage() {
	maps.DeleteFunc(m.Claims, func(k types.NamespacedName, o metav1.ObjectMeta) bool {
		_, exists := m.Volumes[k]
		return !exists && len(o.OwnerReferences) > 0
	})
}

// Boots reports whether a machine could boot from the DataSource.
func (m *CDI) Boots(k types.NamespacedName) bool {
	ds, exists := m.DataSources[k]
	if to := ds.Spec.Source.DataSource; exists && to != nil {
		ds, exists = m.DataSources[Key(to.Namespace, to.Name)]
	}
	if !exists || ds.Spec.Source.PVC == nil {
		return false
	}
	_, exists = m.Claims[Key(cmp.Or(ds.Spec.Source.PVC.Namespace, ds.Namespace), ds.Spec.Source.PVC.Name)]
	return exists
}

// Updatable reports whether CDI lets the cron update its DataSource.
func (m *CDI) Updatable(k types.NamespacedName) bool {
	ds, exists := m.DataSources[Key(k.Namespace, m.Crons[k].Spec.ManagedDataSource)]
	return !exists || ds.Labels[cronLabel] == k.Name
}

// Updates reports whether the cron updates the DataSource that it manages, by its label.
func (m *CDI) Updates(k types.NamespacedName) bool {
	managed := m.Crons[k].Spec.ManagedDataSource
	label := m.DataSources[Key(k.Namespace, managed)].Labels[cronLabel]
	other, exists := m.Crons[Key(k.Namespace, label)]
	return label == k.Name || m.Before160 && label != "" && !(exists && other.Spec.ManagedDataSource == managed)
}

// Booting returns the DataSources that machines can boot from.
func (m *CDI) Booting() []types.NamespacedName {
	return slices.DeleteFunc(slices.SortedFunc(maps.Keys(m.DataSources), compareKeys), func(k types.NamespacedName) bool { return !m.Boots(k) })
}

// Victims returns the DataSources that machines could no longer boot from if the cron
// were deleted.
func (m *CDI) Victims(k types.NamespacedName) []types.NamespacedName {
	after := *m
	after.Crons, after.DataSources = maps.Clone(m.Crons), maps.Clone(m.DataSources)
	after.Claims, after.Volumes = maps.Clone(m.Claims), maps.Clone(m.Volumes)
	delete(after.Crons, k)
	after.cleanup(k)
	after.CollectGarbage()
	return slices.DeleteFunc(m.Booting(), func(ds types.NamespacedName) bool { return after.Boots(ds) })
}
