package controller

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// The conditions of a MachineOSConfig.
const (
	// Blocked says that something must be mended before anything is built.
	Blocked = "Blocked"
	// Failed says that builds have failed as often as they may, and that nothing
	// is tried until something changes or a rebuild is asked for.
	Failed = "Failed"
)

// report tells the MachineOSConfig what came of it.
func (r *Builds) report(ctx context.Context, f *look, b buildplan.Build) error {
	next := f.Config.DeepCopy()
	set := func(name string, is bool, message string) {
		c := metav1.Condition{Type: name, Status: metav1.ConditionFalse, Reason: string(b.Reason), LastTransitionTime: r.Now()}
		if is {
			c.Status, c.Message = metav1.ConditionTrue, message
		}
		meta.SetStatusCondition(&next.Status.Conditions, c)
	}
	problems := ""
	if err := b.Problems.ToAggregate(); err != nil {
		problems = err.Error()
	}
	set(Blocked, b.Next == buildplan.NextBlocked, problems)
	set(Failed, b.Next == buildplan.NextGiveUp, whyGivenUp(f.Builds, b))
	next.Status.ObservedGeneration = f.Config.Generation
	if b.Next == buildplan.NextDone {
		next.Status.CurrentImagePullSpec = mcfgv1.ImageDigestFormat(b.PullSpec)
		next.Status.MachineOSBuild = &mcfgv1.ObjectReference{Group: mcfgv1.GroupName, Resource: "machineosbuilds", Name: b.Name}
	}
	if equality.Semantic.DeepEqual(next.Status, f.Config.Status) {
		return nil
	}
	return r.Client.Status().Update(ctx, next)
}

// whyGivenUp names the last build and says how it ended, or what was lost of it.
func whyGivenUp(builds []*mcfgv1.MachineOSBuild, b buildplan.Build) string {
	text := "machineosbuilds[" + b.Name + "]: "
	if b.Reason == buildplan.ReasonImagesLost {
		for _, finding := range b.Findings {
			if finding.Code == buildplan.FindingImageGone {
				return finding.String()
			}
		}
	}
	i := slices.IndexFunc(builds, func(have *mcfgv1.MachineOSBuild) bool { return have.Name == b.Name })
	if i < 0 {
		return text + string(b.Reason)
	}
	for _, c := range builds[i].Status.Conditions {
		if c.Status == metav1.ConditionTrue {
			text += c.Type + ": " + c.Message
		}
	}
	return text
}
