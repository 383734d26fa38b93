package payloadarch_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

// verdictOf returns the whole verdict on a cluster: the kind that the oracle gives, and
// what rests on the rule that decides.
func verdictOf(c payloadarchtest.Cluster) verdict {
	rule, want := payloadarchtest.OracleCluster(c)
	v := verdict{Kind: kindOf(want.Kind)}
	switch rule {
	case "no-cluster-version", "nothing-desired":
		v.Reason, v.Field = payloadarch.ReasonNotObserved, desired
	case "unrecognized-architecture":
		v.Reason, v.Field = payloadarch.ReasonUnrecognized, archAt
		v.Problems = []problem{{field.ErrorTypeNotSupported, archAt}}
	case "reported-multi":
		v.Reason, v.Field = payloadarch.ReasonReported, archAt
	case "gate-not-observed":
		v.Reason, v.Field = payloadarch.ReasonGateUnknown, "featuregates[cluster]"
	case "gate-version-unknown":
		v.Reason, v.Field = payloadarch.ReasonGateUnknown, gatesAt
	case "gate-disabled":
		v.Reason, v.Field = payloadarch.ReasonGateDisabled, gatesAt+"["+c.ClusterVersion.Status.Desired.Version+"].enabled"
	case "installing-is-single":
		v.Reason, v.Field = payloadarch.ReasonInstalling, stateAt
	case "updating-is-unknown":
		v.Reason, v.Field = payloadarch.ReasonUpdating, "clusterversions[version].status.history[0].image"
		if h := c.ClusterVersion.Status.History; len(h) == 0 {
			v.Field = "clusterversions[version].status.history"
		} else if h[0].State != configv1.CompletedUpdate {
			v.Field = stateAt
		}
	case "settled-is-single":
		v.Reason, v.Field = payloadarch.ReasonSettled, archAt
	}
	return v
}

// withoutGates returns the verdict where the FeatureGate cannot be read: that of a
// cluster whose gate is enabled, but for an installation, which is an update.
func withoutGates(cv *configv1.ClusterVersion) verdict {
	c := payloadarchtest.Cluster{ClusterVersion: cv}
	if cv != nil {
		c.FeatureGate = featureGate(enabled(cv.Status.Desired.Version))
	}
	v := verdictOf(c)
	if v.Reason == payloadarch.ReasonInstalling {
		return verdict{Reason: payloadarch.ReasonUpdating, Field: stateAt}
	}
	return v
}

func TestFromClusterVersionWholeDomain(t *testing.T) {
	n, seen := 0, map[payloadarch.Reason]int{}
	for c := range payloadarchtest.EveryCluster() {
		n++
		want := verdictOf(c)
		seen[want.Reason]++
		checkVerdict(t, payloadarch.FromClusterVersion(c.ClusterVersion, c.FeatureGate), want)
		if c.FeatureGate == nil {
			checkVerdict(t, payloadarch.FromClusterVersionWithoutGates(c.ClusterVersion), withoutGates(c.ClusterVersion))
		}
	}
	if n < 4000 || len(seen) != 8 {
		t.Errorf("the domain has %d members and %d reasons, want at least 4000 and 8", n, len(seen))
	}
}

func TestVerdictsOfTheRows(t *testing.T) {
	for _, c := range payloadarchtest.ClusterCases() {
		t.Run(c.Rule+"/"+c.Name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromClusterVersion(c.Cluster.ClusterVersion, c.Cluster.FeatureGate), verdictOf(c.Cluster))
		})
	}
}

// From the first report of an installation on, the kind of a single payload is known:
// openshift-apiserver need not roll out once more when the installation is complete.
func TestInstallation(t *testing.T) {
	for _, step := range []struct {
		cv    *configv1.ClusterVersion
		gates *configv1.FeatureGate
		want  payloadarch.Kind
	}{
		{clusterVersion("", "", ""), nil, payloadarch.Unknown},
		{clusterVersion("", "", imageA, partial("", imageA)), nil, payloadarch.Unknown},
		{clusterVersion("", v1, imageA, partial(v1, imageA)), featureGate(), payloadarch.Unknown},
		{clusterVersion("", v1, imageA, partial(v1, imageA)), featureGate(enabled(v1)), payloadarch.Single},
		{clusterVersion("", v1, imageA, completed(v1, imageA)), featureGate(enabled(v1)), payloadarch.Single},
	} {
		if got := payloadarch.FromClusterVersion(step.cv, step.gates); got.Kind != step.want {
			t.Errorf("%+v with the gates %+v is %v, want %v", step.cv.Status, step.gates, got.Kind, step.want)
		}
	}
}

// An update to a version that enables the gate, of a cluster with a multi payload:
// upstream, what the operator reports on the way reads as single, then as multi
// (OCPBUGS-112551). Here it is never Single.
func TestUpgradeRace(t *testing.T) {
	before, after := completed("4.18.0", imageA), partial(v1, imageB)
	var kinds []payloadarch.Kind
	for _, step := range []struct {
		cv    *configv1.ClusterVersion
		gates *configv1.FeatureGate
	}{
		{clusterVersion("", "4.18.0", imageA, before), featureGate(disabled("4.18.0"))},
		{clusterVersion("", v1, imageB, after, before), featureGate(disabled("4.18.0"))},
		// The entry of the new version is there, and the operator has not restarted.
		{clusterVersion("", v1, imageB, after, before), featureGate(disabled("4.18.0"), enabled(v1))},
		{clusterVersion(multi, v1, imageB, after, before), featureGate(disabled("4.18.0"), enabled(v1))},
		{clusterVersion(multi, v1, imageB, completed(v1, imageB), before), featureGate(enabled(v1))},
	} {
		kinds = append(kinds, payloadarch.FromClusterVersion(step.cv, step.gates).Kind)
	}
	want := []payloadarch.Kind{payloadarch.Unknown, payloadarch.Unknown, payloadarch.Unknown, payloadarch.Multi, payloadarch.Multi}
	for i := range want {
		if kinds[i] != want[i] {
			t.Fatalf("kinds = %v, want %v", kinds, want)
		}
	}
}

// Multi to single is seen once it is complete, and not before: keeping the value
// on every empty architecture would never see it.
func TestMultiToSingleIsSeenWhenComplete(t *testing.T) {
	gates := featureGate(enabled(v1))
	during := payloadarch.FromClusterVersion(clusterVersion("", v1, imageB, partial(v1, imageB), completed(v1, imageA)), gates)
	after := payloadarch.FromClusterVersion(clusterVersion("", v1, imageB, completed(v1, imageB), completed(v1, imageA)), gates)
	if during.Kind != payloadarch.Unknown || after.Kind != payloadarch.Single {
		t.Errorf("kinds during and after = %v, %v; want Unknown, Single", during.Kind, after.Kind)
	}
}
