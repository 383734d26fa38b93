package controller

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/dictexpand"
)

// plan plans, and tries on the API server what the plan wants tried: whether it
// would take a cron that another one has to make room for. It returns the dry runs
// too that said nothing about their crons.
func (r *Reconciler) plan(ctx context.Context, e dictexpand.Expansion, have dictexpand.Existing) (dictexpand.BootSources, []*stepError) {
	var unanswered []*stepError
	plan := dictexpand.Plan(e, have)
	for tries := plan.DryRuns(); len(tries) > 0; tries = plan.DryRuns() {
		for _, s := range tries {
			err := r.Client.Create(ctx, s.Cron.DeepCopy(), client.DryRunAll)
			answer := dictexpand.DryRunOf(s, err)
			if answer.Answer == dictexpand.DryRunUnknown {
				unanswered = append(unanswered, &stepError{s, err})
			}
			have.DryRuns = append(have.DryRuns, answer)
		}
		plan = dictexpand.Plan(e, have)
	}
	return plan, unanswered
}
