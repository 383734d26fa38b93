package ours

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
)

// An Operator goes by package dictexpand. What is not nil stands in the place of one of
// its functions: a test shows what breaks then.
type Operator struct {
	OwnImages func(dictexpand.Existing) []types.NamespacedName
	Expand    func([]dictexpand.Template, dictexpand.Options) dictexpand.Expansion
	DryRunOf  func(dictexpand.Step, error) dictexpand.DryRun
	Plan      func(dictexpand.Expansion, dictexpand.Existing) dictexpand.BootSources
}

// Existing lists what exists.
func Existing(c *dictexpandtest.Client) dictexpand.Existing {
	return dictexpand.Existing{Crons: c.Crons(), DataSources: c.DataSources(), Claims: c.Claims(), DataVolumes: c.DataVolumes()}
}

// Reconcile plans, has the dry runs answered, plans again and takes the steps. It goes
// on after an error, but creates no cron under a name whose deletion failed.
func (o Operator) Reconcile(c *dictexpandtest.Client, templates []dictexpandtest.Template, cluster dictexpandtest.Cluster) error {
	have, options := Existing(c), Options(cluster)
	options.OwnImages = append(options.OwnImages, o.ownImages(have)...)
	want := o.expand(Templates(templates), options)
	plan := o.plan(want, have)
	for _, s := range plan.DryRuns() {
		have.DryRuns = append(have.DryRuns, o.dryRunOf(s, c.DryRunCron(*s.Cron)))
	}
	if len(have.DryRuns) > 0 {
		plan = o.plan(want, have)
	}
	var errs []error
	stays := map[string]bool{} // crons whose deletion failed
	for _, s := range plan.Steps {
		if name := s.Namespace + "/" + s.Name; s.Verb != dictexpand.VerbCreate || s.Kind != dictexpand.KindDataImportCron || !stays[name] {
			if err := Take(c, s); err != nil {
				errs = append(errs, err)
				stays[name] = stays[name] || s.Verb == dictexpand.VerbDelete
			}
		}
	}
	return errors.Join(errs...)
}

// Take takes a step.
func Take(c *dictexpandtest.Client, s dictexpand.Step) error {
	switch {
	case !s.Writes():
		return nil
	case s.Kind == dictexpand.KindDataSource && s.Verb == dictexpand.VerbCreate:
		return c.CreateDataSource(*s.DataSource)
	case s.Kind == dictexpand.KindDataSource && s.Verb == dictexpand.VerbUpdate:
		return c.UpdateDataSource(*s.DataSource)
	case s.Kind == dictexpand.KindDataSource:
		return gone(c.DeleteDataSource(s.Namespace, s.Name, s.UID))
	case s.Verb == dictexpand.VerbCreate:
		return c.CreateCron(*s.Cron)
	case s.Verb == dictexpand.VerbRelabel:
		return c.UpdateCron(*s.Cron)
	}
	return gone(c.DeleteCron(s.Namespace, s.Name, s.UID))
}

func gone(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

func (o Operator) ownImages(have dictexpand.Existing) []types.NamespacedName {
	if o.OwnImages != nil {
		return o.OwnImages(have)
	}
	return dictexpand.OwnImages(have)
}

func (o Operator) expand(templates []dictexpand.Template, options dictexpand.Options) dictexpand.Expansion {
	if o.Expand != nil {
		return o.Expand(templates, options)
	}
	return dictexpand.Expand(templates, options)
}

func (o Operator) dryRunOf(s dictexpand.Step, err error) dictexpand.DryRun {
	if o.DryRunOf != nil {
		return o.DryRunOf(s, err)
	}
	return dictexpand.DryRunOf(s, err)
}

func (o Operator) plan(want dictexpand.Expansion, have dictexpand.Existing) dictexpand.BootSources {
	if o.Plan != nil {
		return o.Plan(want, have)
	}
	return dictexpand.Plan(want, have)
}
