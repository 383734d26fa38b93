package dictexpandtest

import (
	"cmp"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// A Client is what an operator reads and writes the cluster through. What it returns are
// copies, in ascending order of namespace and name, and the errors of
// k8s.io/apimachinery/pkg/api/errors. An operator whose code takes a client of
// controller-runtime or client-go puts a small one around this.
type Client struct {
	cdi *CDI
	// fails returns an error if the write is not to reach the API server.
	fails func(Write) error
	// noAnswer says that dry runs come to nothing.
	noAnswer bool
	// before is called before a write that reaches the API server, after behind it.
	before func(Write)
	after  func(Write, error)
}

// A Write is what an operator asked the API server for. Dry runs are none.
type Write struct {
	// Verb is Create, Update or Delete, Kind DataImportCron or DataSource.
	Verb, Kind string
	Key        types.NamespacedName
}

// String is such as "Delete DataImportCron ns/x".
func (w Write) String() string { return w.Verb + " " + w.Kind + " " + w.Key.String() }

// NewClient returns a client of the cluster whose writes all succeed.
func NewClient(m *CDI) *Client { return &Client{cdi: m} }

// Crons returns all crons.
func (c *Client) Crons() []cdiv1beta1.DataImportCron {
	return listed(c.cdi.Crons, func(o cdiv1beta1.DataImportCron) cdiv1beta1.DataImportCron { return *o.DeepCopy() })
}

// DataSources returns all DataSources.
func (c *Client) DataSources() []cdiv1beta1.DataSource {
	return listed(c.cdi.DataSources, func(o cdiv1beta1.DataSource) cdiv1beta1.DataSource { return *o.DeepCopy() })
}

// Claims returns the metadata of all PersistentVolumeClaims.
func (c *Client) Claims() []metav1.ObjectMeta {
	return listed(c.cdi.Claims, func(o metav1.ObjectMeta) metav1.ObjectMeta { return *o.DeepCopy() })
}

// DataVolumes returns the metadata of all DataVolumes.
func (c *Client) DataVolumes() []metav1.ObjectMeta {
	return listed(c.cdi.Volumes, func(o metav1.ObjectMeta) metav1.ObjectMeta { return *o.DeepCopy() })
}

func listed[T any](from map[types.NamespacedName]T, deepCopy func(T) T) []T {
	var list []T
	for _, k := range slices.SortedFunc(maps.Keys(from), compareKeys) {
		list = append(list, deepCopy(from[k]))
	}
	return list
}

func compareKeys(a, b types.NamespacedName) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// DryRunCron asks what a creation would come to, with metav1.DryRunAll.
func (c *Client) DryRunCron(o cdiv1beta1.DataImportCron) error {
	if c.noAnswer {
		return errNoAnswer
	}
	return c.cdi.CreateCron(o, true)
}

// CreateCron creates a cron.
func (c *Client) CreateCron(o cdiv1beta1.DataImportCron) error {
	return c.write("Create", "DataImportCron", Key(o.Namespace, o.Name), func() error { return c.cdi.CreateCron(o, false) })
}

// UpdateCron updates a cron: its labels and annotations, since CDI admits no change of a
// spec.
func (c *Client) UpdateCron(o cdiv1beta1.DataImportCron) error {
	return c.write("Update", "DataImportCron", Key(o.Namespace, o.Name), func() error { return c.cdi.UpdateCron(o) })
}

// DeleteCron deletes a cron. A UID other than "" is a precondition.
func (c *Client) DeleteCron(namespace, name string, uid types.UID) error {
	k := Key(namespace, name)
	return c.write("Delete", "DataImportCron", k, func() error { return c.cdi.DeleteCron(k, uid) })
}

// CreateDataSource creates a DataSource.
func (c *Client) CreateDataSource(o cdiv1beta1.DataSource) error {
	return c.write("Create", "DataSource", Key(o.Namespace, o.Name), func() error { return c.cdi.CreateDataSource(o) })
}

// UpdateDataSource updates a DataSource.
func (c *Client) UpdateDataSource(o cdiv1beta1.DataSource) error {
	return c.write("Update", "DataSource", Key(o.Namespace, o.Name), func() error { return c.cdi.UpdateDataSource(o) })
}

// DeleteDataSource deletes a DataSource. A UID other than "" is a precondition.
func (c *Client) DeleteDataSource(namespace, name string, uid types.UID) error {
	k := Key(namespace, name)
	return c.write("Delete", "DataSource", k, func() error { return c.cdi.DeleteDataSource(k, uid) })
}

func (c *Client) write(verb, kind string, k types.NamespacedName, do func() error) error {
	w := Write{verb, kind, k}
	if c.fails != nil {
		if err := c.fails(w); err != nil {
			return err
		}
	}
	if c.before != nil {
		c.before(w)
	}
	err := do()
	if c.after != nil {
		c.after(w, err)
	}
	return err
}
