package buildplantest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// The patterns of the CRDs, as they stand in their YAML. A test compares.
const (
	digestNamePattern = `^([a-zA-Z0-9-]+\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$`
	digestPattern     = `^sha256:[a-f0-9]{64}$`
	pushSpecPattern   = `^([a-zA-Z0-9-]+\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?(/[a-zA-Z0-9-_]{1,61})*/[a-zA-Z0-9-_.]+:[a-zA-Z0-9._-]+$`
	servicePattern    = `^[^.]+\.[^.]+\.svc:\d+\/[^\/]+\/[^\/]+:[^\/]+$`
	reasonPattern     = `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`
)

var (
	digestNameRE = regexp.MustCompile(digestNamePattern)
	digestRE     = regexp.MustCompile(digestPattern)
	pushSpecRE   = regexp.MustCompile(pushSpecPattern)
	serviceRE    = regexp.MustCompile(servicePattern)
	reasonRE     = regexp.MustCompile(reasonPattern)
)

// A Violation is something that a rule does not allow.
type Violation struct {
	Rule string // its ID
	What string
}

func (v Violation) String() string { return v.Rule + ": " + v.What }

// Refusals are the reasons for which the CRD of MachineOSBuild refuses to go from one
// status to the next, and that exactly one of its five conditions is to be true.
func Refusals(old, status mcfgv1.MachineOSBuildStatus) []Violation {
	var found []Violation
	refuse := func(rule, format string, args ...any) {
		found = append(found, Violation{rule, fmt.Sprintf(format, args...)})
	}

	const (
		one, room, ended, times = "one-condition-is-true", "conditions-of-others-stay", "ended-build-stays-as-it-is", "times-are-set-once"
		related, builder, spec  = "jobs-are-related-objects", "builder-is-the-last-job", "pull-spec-is-what-the-status-takes"
	)
	seen := map[string]bool{}
	for _, c := range status.Conditions {
		if seen[c.Type] {
			refuse(one, "two conditions %s", c.Type)
		}
		seen[c.Type] = true
		if !reasonRE.MatchString(c.Reason) || len(c.Reason) > 1024 {
			refuse(one, "reason %q of %s", c.Reason, c.Type)
		}
		if c.LastTransitionTime.IsZero() || c.Status == "" || len(c.Message) > 32768 {
			refuse(one, "condition %+v", c)
		}
	}
	if len(status.Conditions) > 8 {
		refuse(room, "%d conditions", len(status.Conditions))
	}
	for _, c := range old.Conditions {
		ends := c.Type == "Failed" || c.Type == "Interrupted" || c.Type == "Succeeded"
		if ends && c.Status == metav1.ConditionTrue && !equality.Semantic.DeepEqual(old.Conditions, status.Conditions) {
			refuse(ended, "conditions changed after %s", c.Type)
		}
	}
	if old.BuildStart != nil && status.BuildStart != nil && !old.BuildStart.Equal(status.BuildStart) {
		refuse(times, "buildStart changed")
	}
	if old.BuildEnd != nil && status.BuildEnd != nil && !old.BuildEnd.Equal(status.BuildEnd) {
		refuse(times, "buildEnd changed")
	}
	if status.BuildEnd != nil {
		// The API keeps whole seconds.
		if status.BuildStart == nil || status.BuildEnd.Unix() <= status.BuildStart.Unix() {
			refuse(times, "buildEnd %v is not after buildStart %v", status.BuildEnd, status.BuildStart)
		}
	}
	if b := status.Builder; b != nil && (b.ImageBuilderType == mcfgv1.JobBuilder) != (b.Job != nil) {
		refuse(builder, "builder %+v", b)
	}
	if len(status.RelatedObjects) > 10 {
		refuse(related, "%d related objects", len(status.RelatedObjects))
	}
	names := map[string]bool{}
	for _, o := range status.RelatedObjects {
		if names[o.Resource+"/"+o.Name] {
			refuse(related, "related object %s %s twice", o.Resource, o.Name)
		}
		names[o.Resource+"/"+o.Name] = true
		if len(validation.IsDNS1123Subdomain(o.Group)) > 0 || len(validation.IsDNS1123Subdomain(o.Name)) > 0 || len(validation.IsDNS1035Label(o.Resource)) > 0 {
			refuse(related, "related object %+v", o)
		}
	}
	if pullSpec := string(status.DigestedImagePushSpec); pullSpec != "" && !LegalPullSpec(pullSpec) {
		refuse(spec, "pull spec %s", pullSpec)
	}

	// Not the CRD's: exactly one of the five is true.
	trues := 0
	for _, p := range progresses() {
		if isTrue(status.Conditions, p) {
			trues++
		}
	}
	if trues != 1 {
		refuse(one, "%d conditions are true", trues)
	}
	return found
}

// wrongTimes are the conditions whose time moved though their status did not.
func wrongTimes(old, status mcfgv1.MachineOSBuildStatus) (found []Violation) {
	for _, was := range old.Conditions {
		for _, is := range status.Conditions {
			if was.Type == is.Type && was.Status == is.Status && !was.LastTransitionTime.Equal(&is.LastTransitionTime) {
				found = append(found, Violation{"one-condition-is-true", "the time of " + is.Type + " moved, its status did not"})
			}
		}
	}
	return found
}

// progresses are the conditions of a MachineOSBuild that say how far it is.
func progresses() []mcfgv1.BuildProgress {
	return []mcfgv1.BuildProgress{mcfgv1.MachineOSBuildPrepared, mcfgv1.MachineOSBuilding, mcfgv1.MachineOSBuildFailed,
		mcfgv1.MachineOSBuildInterrupted, mcfgv1.MachineOSBuildSucceeded}
}

func isTrue(conditions []metav1.Condition, p mcfgv1.BuildProgress) bool {
	return slices.ContainsFunc(conditions, func(c metav1.Condition) bool { return c.Type == string(p) && c.Status == metav1.ConditionTrue })
}

// endOf is how a build ended, "" if it has not.
func endOf(status mcfgv1.MachineOSBuildStatus) mcfgv1.BuildProgress {
	for _, p := range progresses()[2:] {
		if isTrue(status.Conditions, p) {
			return p
		}
	}
	return ""
}

// LegalPullSpec reports whether the CRDs take a pull spec by digest.
func LegalPullSpec(spec string) bool {
	name, digest, ok := strings.Cut(spec, "@")
	return ok && !strings.Contains(digest, "@") && len(spec) <= 447 && digestNameRE.MatchString(name) && digestRE.MatchString(digest)
}

// LegalPushSpec reports whether the CRDs take a push spec.
func LegalPushSpec(spec string) bool {
	return spec != "" && len(spec) <= 447 && (pushSpecRE.MatchString(spec) || serviceRE.MatchString(spec))
}
