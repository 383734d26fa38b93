package dictexpandtest

import (
	"errors"
	"maps"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// A World is a cluster with CDI, an operator, and what the operator is given.
type World struct {
	*CDI
	Templates []Template
	Cluster   Cluster
	// NoAnswer says that dry runs come to nothing: the webhook cannot be reached.
	NoAnswer bool
	// Operator is one run of the operator, Impl.Reconcile.
	Operator func(client *Client, templates []Template, cluster Cluster) error
}

// NewWorld returns a world of TwoArchitectures in which nothing has happened yet.
func NewWorld(templates ...Template) *World {
	return &World{CDI: NewCDI(), Templates: templates, Cluster: TwoArchitectures()}
}

// Client returns a client of the world.
func (w *World) Client() *Client {
	c := NewClient(w.CDI)
	c.noAnswer = w.NoAnswer
	return c
}

// Reconcile runs the operator once. An error is what it tries again after.
func (w *World) Reconcile() error { return w.reconcile(w.Client()) }

func (w *World) reconcile(c *Client) error {
	return w.Operator(c, copyTemplates(w.Templates), w.Cluster.clone())
}

// Settle has the operator and CDI come to an end, and everything that is being deleted
// go.
func (w *World) Settle() {
	for round, still := 0, 0; round < rounds && still < 2; round++ {
		c := w.Client()
		still++
		c.before = func(Write) { still = 0 }
		_ = w.reconcile(c) // tried again
		w.Run()
		w.FinishDeletions()
	}
}

// rounds is more than any way from one state to another takes.
const rounds = 8

func (c Cluster) clone() Cluster {
	c.Architectures, c.Workload = slices.Clone(c.Architectures), slices.Clone(c.Workload)
	c.Held, c.Supported = slices.Clone(c.Held), slices.Clone(c.Supported)
	c.Made = maps.Clone(c.Made)
	for name, list := range c.Made {
		c.Made[name] = slices.Clone(list)
	}
	c.OwnImages = slices.Clone(c.OwnImages)
	c.Labels, c.Annotations = maps.Clone(c.Labels), maps.Clone(c.Annotations)
	return c
}

// errNoAnswer is what a client says when the API server says nothing about a cron.
var errNoAnswer = errors.New("connection refused")

// GiveAway gives the object of that name in GoldenImages to somebody else.
func (w *World) GiveAway(name string) {
	k := Key(GoldenImages, name)
	if c, ok := w.Crons[k]; ok {
		c.Labels, c.Annotations = nil, nil
		w.Crons[k] = c
	}
	if ds, ok := w.DataSources[k]; ok {
		ds.Labels, ds.Annotations = nil, nil
		w.DataSources[k] = ds
	}
}

// Deleting has the object of that name in GoldenImages be deleted, but not gone yet.
func (w *World) Deleting(name string) {
	k, now := Key(GoldenImages, name), &metav1.Time{Time: time.Unix(1, 0)}
	if c, ok := w.Crons[k]; ok {
		c.DeletionTimestamp = now
		w.Crons[k] = c
	}
	if ds, ok := w.DataSources[k]; ok {
		ds.DeletionTimestamp = now
		w.DataSources[k] = ds
	}
}

// EditCron changes the cron of that name in GoldenImages behind the operator's back.
func (w *World) EditCron(name string, edit func(*cdiv1beta1.DataImportCron)) {
	c := w.Crons[Key(GoldenImages, name)]
	c = *c.DeepCopy()
	edit(&c)
	w.Crons[Key(GoldenImages, name)] = c
}

// EditDataSource changes the DataSource of that name in GoldenImages.
func (w *World) EditDataSource(name string, edit func(*cdiv1beta1.DataSource)) {
	ds := w.DataSources[Key(GoldenImages, name)]
	ds = *ds.DeepCopy()
	edit(&ds)
	w.DataSources[Key(GoldenImages, name)] = ds
}

// AddStranger adds a cron of somebody else in GoldenImages.
func (w *World) AddStranger(name, managedDataSource string) {
	c := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: GoldenImages, Name: name}}
	c.Spec.ManagedDataSource = managedDataSource
	w.AddCron(c)
}

// AddOwnImage makes the DataSource of that name in GoldenImages point to an image that
// a user put there.
func (w *World) AddOwnImage(name string) {
	w.Claims[Key(GoldenImages, "mine")] = metav1.ObjectMeta{Namespace: GoldenImages, Name: "mine"}
	w.AddDataSource(cdiv1beta1.DataSource{
		ObjectMeta: metav1.ObjectMeta{Namespace: GoldenImages, Name: name},
		Spec:       cdiv1beta1.DataSourceSpec{Source: cdiv1beta1.DataSourceSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Name: "mine"}}},
	})
}

// NewImages makes everything that the templates for a managedDataSource import from lead
// to a new image.
func (w *World) NewImages(managedDataSource string) {
	for _, a := range []string{"", "amd64", "arm64"} {
		w.Images["docker://quay.io/containerdisks/"+managedDataSource+" "+a] = "second"
	}
}
