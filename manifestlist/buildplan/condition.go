package buildplan

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// maxConditions is the CRD's limit.
const maxConditions = 8

// ours are the conditions of a MachineOSBuild, in the order in which the machine
// config operator writes them.
func ours() [5]mcfgv1.BuildProgress {
	return [5]mcfgv1.BuildProgress{mcfgv1.MachineOSBuildPrepared, mcfgv1.MachineOSBuilding,
		mcfgv1.MachineOSBuildFailed, mcfgv1.MachineOSBuildInterrupted, mcfgv1.MachineOSBuildSucceeded}
}

// conditions returns the five conditions, one of them true, and after them those
// of others that were there and fit. A transition time moves only when the status
// does.
func conditions(current []metav1.Condition, progress mcfgv1.BuildProgress, reason ProgressReason, message string, now metav1.Time) (list []metav1.Condition, dropped int) {
	list = make([]metav1.Condition, 0, maxConditions)
	for _, t := range ours() {
		c := metav1.Condition{Type: string(t), Status: metav1.ConditionFalse, Reason: string(t), LastTransitionTime: now}
		if t == progress {
			c.Status, c.Reason, c.Message = metav1.ConditionTrue, string(reason), message
		}
		for _, old := range current {
			if old.Type != c.Type {
				continue
			}
			c.ObservedGeneration = old.ObservedGeneration
			if old.Status == c.Status && !old.LastTransitionTime.IsZero() {
				c.LastTransitionTime = old.LastTransitionTime
			}
		}
		list = append(list, c)
	}
	for _, c := range current {
		switch {
		case isOurs(c.Type):
		case len(list) == maxConditions:
			dropped++
		default:
			list = append(list, c)
		}
	}
	return list, dropped
}

func isOurs(t string) bool {
	for _, o := range ours() {
		if t == string(o) {
			return true
		}
	}
	return false
}

func isTrue(conditions []metav1.Condition, t mcfgv1.BuildProgress) bool {
	for _, c := range conditions {
		if c.Type == string(t) && c.Status == metav1.ConditionTrue {
			return true
		}
	}
	return false
}
