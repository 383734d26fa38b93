package payloadarchtest

import (
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
)

// A Cluster is what a cluster shows of its payload.
type Cluster struct {
	ClusterVersion *configv1.ClusterVersion
	FeatureGate    *configv1.FeatureGate
}

// A ClusterCase is a row of what a cluster shows.
type ClusterCase struct {
	Rule, Name string
	Cluster    Cluster
	Want       Answer
}

// ClusterCases returns the rows of ClusterVersion.
func ClusterCases() []ClusterCase {
	unknown, refused := Answer{Kind: KindUnknown}, Answer{KindUnknown, true}
	single, installing, isMulti := Answer{Kind: KindSingle}, Answer{Kind: KindInstalling}, Answer{Kind: KindMulti}
	// A cluster that runs a release, and one that is updated to the next.
	settled := ClusterVersion("", VersionA, ImageA, Completed(VersionA, ImageA))
	reported := ClusterVersion(multi, VersionA, ImageA, Completed(VersionA, ImageA))
	updating := ClusterVersion("", VersionB, ImageB, Partial(VersionB, ImageB), Completed(VersionA, ImageA))
	installation := ClusterVersion("", VersionA, ImageA, Partial(VersionA, ImageA))
	onA, onB := FeatureGate(Enabled(VersionA)), FeatureGate(Enabled(VersionB))
	return []ClusterCase{
		{"no-cluster-version", "the gate is known", Cluster{nil, onA}, unknown},
		{"no-cluster-version", "no FeatureGate either", Cluster{}, unknown},

		{"unrecognized-architecture", "an architecture", Cluster{ClusterVersion("ARM64", VersionA, ImageA, Completed(VersionA, ImageA)), onA}, refused},
		{"unrecognized-architecture", "the spelling of the update service (OCPBUGS-57646)", Cluster{ClusterVersion("multi", VersionA, ImageA, Completed(VersionA, ImageA)), onA}, refused},
		{"unrecognized-architecture", "although nothing is desired", Cluster{ClusterVersion("multi", "", ""), nil}, refused},

		{"nothing-desired", "an empty ClusterVersion", Cluster{&configv1.ClusterVersion{}, nil}, unknown},
		{"nothing-desired", "Multi without version and image", Cluster{ClusterVersion(multi, "", ""), nil}, unknown},
		{"nothing-desired", "only history", Cluster{ClusterVersion("", "", "", Completed(VersionA, ImageA)), onA}, unknown},

		{"reported-multi", "settled", Cluster{reported, onA}, isMulti},
		{"reported-multi", "the gate is disabled", Cluster{reported, FeatureGate(Disabled(VersionA))}, isMulti},
		{"reported-multi", "the gate is unknown", Cluster{reported, FeatureGate()}, isMulti},
		{"reported-multi", "during the update", Cluster{ClusterVersion(multi, VersionB, ImageB, Partial(VersionB, ImageB), Completed(VersionA, ImageA)), nil}, isMulti},
		{"reported-multi", "during the installation", Cluster{ClusterVersion(multi, VersionA, ImageA, Partial(VersionA, ImageA)), onA}, isMulti},
		{"reported-multi", "a version and no image", Cluster{ClusterVersion(multi, VersionA, ""), nil}, isMulti},
		{"reported-multi", "an image and no version", Cluster{ClusterVersion(multi, "", ImageA), nil}, isMulti},

		{"gate-not-observed", "as after a lister's NotFound", Cluster{settled, nil}, unknown},
		{"gate-not-observed", "during an update", Cluster{updating, nil}, unknown},
		{"gate-not-observed", "at the beginning of an installation", Cluster{installation, nil}, unknown},

		{"gate-version-unknown", "no entries", Cluster{settled, FeatureGate()}, unknown},
		{"gate-version-unknown", "an entry of another version only", Cluster{ClusterVersion("", VersionB, ImageB, Completed(VersionB, ImageB)), onA}, unknown},
		{"gate-version-unknown", "the desired version is not known yet", Cluster{ClusterVersion("", "", ImageB, Completed(VersionA, ImageB)), onA}, unknown},
		{"gate-version-unknown", "during an installation", Cluster{installation, FeatureGate()}, unknown},

		{"gate-disabled", "listed as disabled", Cluster{settled, FeatureGate(Disabled(VersionA))}, unknown},
		{"gate-disabled", "listed nowhere", Cluster{settled, FeatureGate(configv1.FeatureGateDetails{Version: VersionA})}, unknown},
		{"gate-disabled", "enabled for another version only", Cluster{ClusterVersion("", VersionB, ImageB, Completed(VersionB, ImageB)), FeatureGate(Enabled(VersionA), Disabled(VersionB))}, unknown},
		{"gate-disabled", "during an installation", Cluster{installation, FeatureGate(Disabled(VersionA))}, unknown},

		{"installing-is-single", "an installation begins", Cluster{installation, onA}, installing},
		{"installing-is-single", "a state of no name is not Completed", Cluster{ClusterVersion("", VersionA, ImageA, configv1.UpdateHistory{Image: ImageA}), onA}, installing},

		{"updating-is-unknown", "an installation whose release changed", Cluster{ClusterVersion("", VersionB, ImageB, Partial(VersionA, ImageA)), onB}, unknown},
		{"updating-is-unknown", "two entries are no installation", Cluster{ClusterVersion("", VersionA, ImageA, Partial(VersionA, ImageA), Partial(VersionB, ImageB)), onA}, unknown},
		{"updating-is-unknown", "no history", Cluster{ClusterVersion("", VersionA, ImageA), onA}, unknown},
		{"updating-is-unknown", "Partial", Cluster{updating, FeatureGate(Enabled(VersionA), Enabled(VersionB))}, unknown},
		{"updating-is-unknown", "a state of no name", Cluster{ClusterVersion("", VersionB, ImageB, configv1.UpdateHistory{Image: ImageB}, Completed(VersionA, ImageA)), onB}, unknown},
		{"updating-is-unknown", "Completed for another image of the same version", Cluster{ClusterVersion("", VersionA, ImageB, Completed(VersionA, ImageA)), onA}, unknown},
		{"updating-is-unknown", "Completed for the image, but not as the newest", Cluster{ClusterVersion("", VersionA, ImageA, Partial(VersionB, ImageB), Completed(VersionA, ImageA)), onA}, unknown},

		{"settled-is-single", "settled", Cluster{settled, onA}, single},
		{"settled-is-single", "an entry that lists the gate twice over",
			Cluster{settled, FeatureGate(configv1.FeatureGateDetails{Version: VersionA, Enabled: Enabled(VersionA).Enabled, Disabled: Disabled(VersionA).Disabled})}, single},
	}
}

// WithoutGatesCases returns the rows of ClusterVersionWithoutGates. Their clusters have
// no FeatureGate.
func WithoutGatesCases() []ClusterCase {
	const rule = "without-gates"
	unknown := Answer{Kind: KindUnknown}
	return []ClusterCase{
		{rule, "no ClusterVersion", Cluster{}, unknown},
		{rule, "nothing is desired", Cluster{ClusterVersion("", "", ""), nil}, unknown},
		{rule, "Multi", Cluster{ClusterVersion(multi, VersionA, ImageA), nil}, Answer{Kind: KindMulti}},
		{rule, "during an update", Cluster{ClusterVersion("", VersionB, ImageB, Partial(VersionB, ImageB), Completed(VersionA, ImageA)), nil}, unknown},
		{rule, "an installation is not recognized", Cluster{ClusterVersion("", VersionA, ImageA, Partial(VersionA, ImageA)), nil}, unknown},
		{rule, "settled", Cluster{ClusterVersion("", VersionA, ImageA, Completed(VersionA, ImageA)), nil}, Answer{Kind: KindSingle}},
	}
}

func (c Cluster) copied() Cluster {
	return Cluster{c.ClusterVersion.DeepCopy(), c.FeatureGate.DeepCopy()}
}

func (c Cluster) outcome(want Answer, call func(Cluster) (Kind, error)) outcome {
	return outcome{Input: c, Want: want, Got: answer(call(c.copied()))}
}

func clusterRows() (rows []row) {
	for _, c := range ClusterCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasClusterVersion, Call: func(i Impl) outcome {
			return c.Cluster.outcome(c.Want, func(c Cluster) (Kind, error) { return i.ClusterVersion(c.ClusterVersion, c.FeatureGate) })
		}})
	}
	for _, c := range WithoutGatesCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasWithoutGates, Call: func(i Impl) outcome {
			return c.Cluster.outcome(c.Want, func(c Cluster) (Kind, error) { return i.ClusterVersionWithoutGates(c.ClusterVersion) })
		}})
	}
	return rows
}

func clusterProperties() (all []property) {
	for _, rule := range clusterRules() {
		all = append(all, property{Rule: rule, Name: "any cluster", Implemented: hasClusterVersion, Call: func(t *rapid.T, i Impl) outcome {
			c := ClusterOf(rule).Draw(t, "cluster")
			_, want := OracleCluster(c)
			return c.outcome(want, func(c Cluster) (Kind, error) { return i.ClusterVersion(c.ClusterVersion, c.FeatureGate) })
		}})
	}
	return append(all, property{Rule: "without-gates", Name: "any cluster", Implemented: hasWithoutGates, Call: func(t *rapid.T, i Impl) outcome {
		rule := rapid.SampledFrom([]string{"installing-is-single", "updating-is-unknown", "settled-is-single"}).Draw(t, "situation")
		c := Cluster{ClusterVersion: ClusterOf(rule).Draw(t, "cluster").ClusterVersion}
		return c.outcome(OracleWithoutGates(c.ClusterVersion), func(c Cluster) (Kind, error) { return i.ClusterVersionWithoutGates(c.ClusterVersion) })
	}})
}
