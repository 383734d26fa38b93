package dictexpand_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// A cdi is an API server with the Containerized Data Importer behind it, as far
// as DataImportCrons go. The model follows kubevirt/containerized-data-importer at
// commit f7a8debe7069, pkg/controller/dataimportcron-controller.go: Reconcile,
// shouldReconcileCron, createImportDataVolume, updateSource, updateDataSource,
// getDataSource, setDataImportCronResourceLabels, garbageCollectPVCs and cleanup;
// for releases before 1.60 at commit 0017048039a6, whose updateDataSource goes by
// any label that is not empty. The webhook is in webhook_test.go.
//
// Nothing happens by itself: a test says when CDI looks at a cron and when the
// garbage collector comes by, so it can let them lag.
type cdi struct {
	crons       map[types.NamespacedName]cdiv1beta1.DataImportCron
	dataSources map[types.NamespacedName]cdiv1beta1.DataSource
	claims      map[types.NamespacedName]metav1.ObjectMeta
	volumes     map[types.NamespacedName]metav1.ObjectMeta // DataVolumes
	// before160 makes CDI update a DataSource that carries the label of any cron.
	before160 bool
	// slow makes the deletion of a cron only set its timestamp, as with a finalizer.
	slow bool
	// images is the digest that each registry URL and architecture leads to now,
	// written as "URL architecture"; what is not listed has the digest first. An
	// empty digest cannot be imported.
	images map[string]string
	// refuses says why the webhook refuses a cron, or "".
	refuses func(cdiv1beta1.DataImportCron) string
	// gone holds the crons whose going CDI has not seen yet.
	gone map[types.NamespacedName]bool
	// events is what CDI said.
	events []string
	uid    int
	clock  int64
}

const (
	cronLabel    = "cdi.kubevirt.io/dataImportCron"
	cleanupLabel = "cdi.kubevirt.io/dataImportCron.cleanup"
	lastUse      = "cdi.kubevirt.io/storage.import.lastUseTime"
	first        = "0123456789ab"
)

func newCDI() *cdi {
	return &cdi{
		crons:       map[types.NamespacedName]cdiv1beta1.DataImportCron{},
		dataSources: map[types.NamespacedName]cdiv1beta1.DataSource{},
		claims:      map[types.NamespacedName]metav1.ObjectMeta{},
		volumes:     map[types.NamespacedName]metav1.ObjectMeta{},
		images:      map[string]string{},
		refuses:     webhook,
		gone:        map[types.NamespacedName]bool{},
	}
}

func key(namespace, name string) types.NamespacedName {
	return types.NamespacedName{Namespace: namespace, Name: name}
}

func (m *cdi) nextUID() types.UID {
	m.uid++
	return types.UID(fmt.Sprintf("uid-%d", m.uid))
}

func (m *cdi) addCron(c cdiv1beta1.DataImportCron) {
	c.UID = m.nextUID()
	m.crons[key(c.Namespace, c.Name)] = c
}

func (m *cdi) addDataSource(ds cdiv1beta1.DataSource) {
	ds.UID = m.nextUID()
	m.dataSources[key(ds.Namespace, ds.Name)] = ds
}

// create is what the API server does with a new cron. Validation and webhooks come
// before the check of the name.
func (m *cdi) create(c cdiv1beta1.DataImportCron, dryRun bool) error {
	what := schema.GroupResource{Group: cdiv1beta1.SchemeGroupVersion.Group, Resource: "dataimportcrons"}
	if why := m.refuses(c); why != "" {
		return apierrors.NewInvalid(schema.GroupKind{Group: what.Group, Kind: "DataImportCron"}, c.Name,
			field.ErrorList{field.Forbidden(field.NewPath("spec"), why)})
	}
	if _, exists := m.crons[key(c.Namespace, c.Name)]; exists {
		return apierrors.NewAlreadyExists(what, c.Name)
	}
	if !dryRun {
		c = *c.DeepCopy()
		c.Spec.Template.ObjectMeta = metav1.ObjectMeta{} // pruned
		m.addCron(c)
	}
	return nil
}

// updateCron is what the API server does with a changed cron.
func (m *cdi) updateCron(c cdiv1beta1.DataImportCron) error {
	live, exists := m.crons[key(c.Namespace, c.Name)]
	if !exists || live.UID != c.UID {
		return fmt.Errorf("update of a cron that does not exist")
	}
	if !equality.Semantic.DeepEqual(live.Spec, c.Spec) {
		return errors.New("Cannot update DataImportCron Spec")
	}
	m.crons[key(c.Namespace, c.Name)] = *c.DeepCopy()
	return nil
}

// deleteCron deletes the cron of that UID.
func (m *cdi) deleteCron(k types.NamespacedName, uid types.UID) error {
	live, exists := m.crons[k]
	if !exists || live.UID != uid {
		return fmt.Errorf("deletion of a cron that does not exist")
	}
	if m.slow {
		live.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		m.crons[k] = live
		return nil
	}
	delete(m.crons, k)
	m.gone[k] = true
	return nil
}

// finishDeletions removes what only had its timestamp set.
func (m *cdi) finishDeletions() {
	for k, c := range m.crons {
		if c.DeletionTimestamp != nil {
			delete(m.crons, k)
			m.gone[k] = true
		}
	}
	for k, ds := range m.dataSources {
		if ds.DeletionTimestamp != nil {
			delete(m.dataSources, k)
		}
	}
}

// runCDI lets CDI and the garbage collector do everything that there is to do.
func (m *cdi) runCDI() {
	for range 2 {
		for _, k := range m.pending() {
			m.reconcile(k)
		}
		m.collectGarbage()
	}
}

// pending returns the crons that CDI may look at, in a fixed order.
func (m *cdi) pending() []types.NamespacedName {
	all := slices.Concat(slices.Collect(maps.Keys(m.crons)), slices.Collect(maps.Keys(m.gone)))
	slices.SortFunc(all, func(a, b types.NamespacedName) int { return cmp.Compare(a.String(), b.String()) })
	return slices.Compact(all)
}

// reconcile is one look of CDI at a cron; an import is through at once.
func (m *cdi) reconcile(k types.NamespacedName) {
	c, exists := m.crons[k]
	delete(m.gone, k)
	if !exists || c.DeletionTimestamp != nil {
		m.cleanup(k)
		return
	}
	dk := key(k.Namespace, c.Spec.ManagedDataSource)
	ds, exists := m.dataSources[dk]
	if label := ds.Labels[cronLabel]; exists && label != k.Name && label != "" {
		if other, ok := m.crons[key(k.Namespace, label)]; ok && other.Spec.ManagedDataSource == dk.Name {
			m.events = append(m.events, fmt.Sprintf("DataSourceAlreadyManaged %s: %s", k.Name, label))
			return
		}
	}
	m.importImage(&c, dk)
	m.crons[k] = c

	if !exists {
		ds = cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: dk.Namespace, Name: dk.Name}}
		metav1.SetMetaDataLabel(&ds.ObjectMeta, cronLabel, k.Name)
		m.addDataSource(ds)
		ds = m.dataSources[dk]
	}
	if label := ds.Labels[cronLabel]; label == "" || label != k.Name && !m.before160 {
		return // "is not managed by cron, so it is not updated"
	}
	ds = *ds.DeepCopy()
	own(&c, &ds.ObjectMeta)
	if c.Status.LastImportedPVC != nil {
		ds.Spec.Source = cdiv1beta1.DataSourceSource{PVC: c.Status.LastImportedPVC.DeepCopy()}
	}
	m.dataSources[dk] = ds
}

// importImage imports what the source of the cron leads to, unless that is there.
func (m *cdi) importImage(c *cdiv1beta1.DataImportCron, dk types.NamespacedName) {
	source := c.Spec.Template.Spec.Source
	if source == nil || source.Registry == nil || source.Registry.URL == nil {
		return
	}
	image := *source.Registry.URL + " "
	if p := source.Registry.Platform; p != nil {
		image += p.Architecture
	}
	digest, listed := m.images[image]
	if !listed {
		digest = first
	}
	if digest == "" {
		return
	}
	ck := key(dk.Namespace, dk.Name+"-"+digest)
	claim, exists := m.claims[ck]
	if !exists {
		volume := metav1.ObjectMeta{Namespace: ck.Namespace, Name: ck.Name}
		own(c, &volume)
		m.volumes[ck] = volume
		claim = metav1.ObjectMeta{Namespace: ck.Namespace, Name: ck.Name, OwnerReferences: []metav1.OwnerReference{{Kind: "DataVolume", Name: ck.Name}}}
	}
	claim = *claim.DeepCopy()
	own(c, &claim) // not the DataVolume of a claim that another cron imported
	m.clock++
	metav1.SetMetaDataAnnotation(&claim, lastUse, fmt.Sprintf("%09d", m.clock))
	m.claims[ck] = claim
	c.Status.LastImportedPVC = &cdiv1beta1.DataVolumeSourcePVC{Namespace: ck.Namespace, Name: ck.Name}
	c.Status.CurrentImports = []cdiv1beta1.ImportStatus{{DataVolumeName: ck.Name, Digest: digest}}
	m.collectImports(c)
}

// collectImports deletes what a cron has imported beyond what it is to keep.
func (m *cdi) collectImports(c *cdiv1beta1.DataImportCron) {
	if g := c.Spec.GarbageCollect; g != nil && *g != cdiv1beta1.DataImportCronGarbageCollectOutdated {
		return
	}
	keep := 3
	if n := c.Spec.ImportsToKeep; n != nil {
		keep = int(*n)
	}
	var imported []metav1.ObjectMeta
	for _, claim := range m.claims {
		if claim.Namespace == c.Namespace && claim.Labels[cronLabel] == c.Name {
			imported = append(imported, claim)
		}
	}
	slices.SortFunc(imported, func(a, b metav1.ObjectMeta) int {
		return strings.Compare(b.Annotations[lastUse], a.Annotations[lastUse])
	})
	for i := keep; i < len(imported); i++ {
		k := key(imported[i].Namespace, imported[i].Name)
		delete(m.claims, k)
		delete(m.volumes, k)
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
func (m *cdi) cleanup(k types.NamespacedName) {
	its := func(o metav1.ObjectMeta) bool {
		return o.Namespace == k.Namespace && o.Labels[cronLabel] == k.Name && o.Labels[cleanupLabel] == "true"
	}
	maps.DeleteFunc(m.dataSources, func(_ types.NamespacedName, ds cdiv1beta1.DataSource) bool { return its(ds.ObjectMeta) })
	maps.DeleteFunc(m.volumes, func(_ types.NamespacedName, o metav1.ObjectMeta) bool { return its(o) })
	maps.DeleteFunc(m.claims, func(_ types.NamespacedName, o metav1.ObjectMeta) bool { return its(o) })
}

// collectGarbage deletes the claims whose DataVolume is gone.
func (m *cdi) collectGarbage() {
	maps.DeleteFunc(m.claims, func(k types.NamespacedName, o metav1.ObjectMeta) bool {
		_, exists := m.volumes[k]
		return !exists && len(o.OwnerReferences) > 0
	})
}

// boots reports whether a machine could boot from the DataSource.
func (m *cdi) boots(k types.NamespacedName) bool {
	ds, exists := m.dataSources[k]
	if to := ds.Spec.Source.DataSource; exists && to != nil {
		ds, exists = m.dataSources[key(to.Namespace, to.Name)]
	}
	if !exists || ds.Spec.Source.PVC == nil {
		return false
	}
	_, exists = m.claims[key(cmp.Or(ds.Spec.Source.PVC.Namespace, ds.Namespace), ds.Spec.Source.PVC.Name)]
	return exists
}

// updatable reports whether CDI lets the cron update its DataSource.
func (m *cdi) updatable(k types.NamespacedName) bool {
	ds, exists := m.dataSources[key(k.Namespace, m.crons[k].Spec.ManagedDataSource)]
	return !exists || ds.Labels[cronLabel] == k.Name
}
