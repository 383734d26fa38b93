package buildplan

import (
	"cmp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// progress makes one state of those of the images: rules 74 to 78.
func (b Build) progress(current []metav1.Condition) (mcfgv1.BuildProgress, ProgressReason, string) {
	var failed, interrupted *Image
	var missing []string
	waiting := false
	started := isTrue(current, mcfgv1.MachineOSBuilding)
	all := b.all()
	for i := range all {
		image := &all[i]
		waiting = waiting || image.State == StateWait
		started = started || image.Exists
		if image.Architecture != "" && image.PullSpec == "" {
			missing = append(missing, image.Architecture)
		}
		if image.State != StateStop {
			continue
		}
		if end, _ := stopped(image.Reason); end == mcfgv1.MachineOSBuildFailed {
			failed = cmp.Or(failed, image)
		} else {
			interrupted = cmp.Or(interrupted, image)
		}
	}
	lacks := "waiting for " + strings.Join(missing, ", ")
	switch {
	case failed != nil && waiting:
		return mcfgv1.MachineOSBuilding, ReasonSiblings, "job " + failed.Job + " failed; " + lacks
	case failed != nil:
		end, reason := stopped(failed.Reason)
		return end, reason, "job " + failed.Job + " failed"
	case interrupted != nil:
		end, reason := stopped(interrupted.Reason)
		return end, reason, "job " + interrupted.Job
	case b.PullSpec != "":
		return mcfgv1.MachineOSBuildSucceeded, ReasonPublished, b.PullSpec
	case started && len(missing) > 0:
		return mcfgv1.MachineOSBuilding, ReasonBuilding, lacks
	case started:
		return mcfgv1.MachineOSBuilding, ReasonPublishing, b.Publish.PushSpec
	}
	return mcfgv1.MachineOSBuildPrepared, ReasonPrepared, ""
}

// stopped says how a build ends by an image that stopped, and why.
func stopped(why ImageReason) (mcfgv1.BuildProgress, ProgressReason) {
	switch why {
	case ReasonJobFailed:
		return mcfgv1.MachineOSBuildFailed, ReasonBuildJobFailed
	case ReasonNoDigest:
		return mcfgv1.MachineOSBuildFailed, ReasonBuildNoDigest
	case ReasonImageGone:
		return mcfgv1.MachineOSBuildInterrupted, ReasonBuildImageGone
	default:
		return mcfgv1.MachineOSBuildInterrupted, ReasonBuildJobDeleted
	}
}

// all are the images of the architectures and the final one.
func (b Build) all() []Image { return append(slices.Clone(b.Images), b.Publish) }
