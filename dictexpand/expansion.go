package dictexpand

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// An Expansion is what a list of templates comes to.
type Expansion struct {
	// Crons are in ascending order of namespace and name.
	Crons []Cron
	// References are in ascending order of namespace and name.
	References []Reference
	// Outcomes holds one for each template, in the order of the templates.
	Outcomes []Outcome
	// Problems is what somebody must mend, in the order of field and value. The
	// templates it is about are blocked, all others are expanded.
	Problems field.ErrorList
	// Findings is what was skipped or is odd, in the order of path, code and
	// detail.
	Findings []Finding
	// Options is a copy of what Expand was given, for Plan.
	Options Options
}

// A Cron is a DataImportCron that should exist.
type Cron struct {
	Object cdiv1beta1.DataImportCron
	// Template is the name of the template it comes from.
	Template string
	// Architecture is "" if the cron does not choose one.
	Architecture string
	Reason       OutcomeReason
}

// A Reference is a DataSource that should exist and leads to the DataSource of
// one architecture in its own namespace. Whoever does not care about the
// architecture finds an image under the name without one.
type Reference struct {
	Namespace string
	Name      string
	// Target is the name of the DataSource that it leads to.
	Target string
	// Architecture is that of Target.
	Architecture string
	// Templates holds the names of the templates whose managedDataSource is Name,
	// in ascending order.
	Templates []string
	Reason    ReferenceReason
}

// DataSource returns the reference as an object.
func (r Reference) DataSource() cdiv1beta1.DataSource {
	return cdiv1beta1.DataSource{
		ObjectMeta: metav1.ObjectMeta{Namespace: r.Namespace, Name: r.Name},
		Spec: cdiv1beta1.DataSourceSpec{Source: cdiv1beta1.DataSourceSource{
			DataSource: &cdiv1beta1.DataSourceRefSourceDataSource{Namespace: r.Namespace, Name: r.Target},
		}},
	}
}

// An Outcome is what became of one template.
type Outcome struct {
	// Template is its name, Namespace the one its crons go to, and DataSource
	// its managedDataSource.
	Template   string
	Namespace  string
	DataSource string
	// Blocked says that no cron was made of it, and that Plan deletes nothing
	// that may belong to it.
	Blocked bool
	// Held holds those of Options.HeldArchitectures that are not in the cluster and
	// that the template has, in the order in which it lists them. Plan leaves alone
	// what was made of the template for them.
	Held []string
	// Unclear says that the template lists an architecture that nobody knows, or one
	// that is not spelled as GOARCH spells it. It may have meant any, so Plan deletes
	// no cron for the reason that the template no longer lists its architecture.
	Unclear bool
	Reason  OutcomeReason
}
