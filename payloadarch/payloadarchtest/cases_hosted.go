package payloadarchtest

import (
	"pgregory.net/rapid"
)

// A PayloadArchCase is a row of status.payloadArch.
type PayloadArchCase struct {
	Rule, Name, PayloadArch string
	Want                    Answer
}

// PayloadArchCases returns the rows of HostedCluster.
func PayloadArchCases() []PayloadArchCase {
	single, refused := Answer{Kind: KindSingle}, Answer{KindUnknown, true}
	return []PayloadArchCase{
		{"hosted-not-observed", "not inspected yet", "", Answer{Kind: KindUnknown}},
		{"hosted-multi", "Multi", "Multi", Answer{Kind: KindMulti}},
		{"hosted-single", "AMD64", "AMD64", single},
		{"hosted-single", "ARM64", "ARM64", single},
		{"hosted-single", "PPC64LE", "PPC64LE", single},
		{"hosted-single", "S390X", "S390X", single},
		{"hosted-other-value", "multi", "multi", refused},
		{"hosted-other-value", "amd64", "amd64", refused},
		{"hosted-other-value", "a blank", " ", refused},
		{"hosted-other-value", "an architecture to come", "RISCV64", refused},
	}
}

// HostedFacts is what there is of a hosted cluster.
type HostedFacts struct {
	PayloadArch string
	Cluster     Cluster
}

// A HostedCase is a row of both sources.
type HostedCase struct {
	Rule, Name string
	Facts      HostedFacts
	Want       Answer
}

// HostedCases returns the rows of Hosted.
func HostedCases() []HostedCase {
	single, isMulti, unknown := Answer{Kind: KindSingle}, Answer{Kind: KindMulti}, Answer{Kind: KindUnknown}
	settled := ClusterVersion("", VersionA, ImageA, Completed(VersionA, ImageA))
	reported := ClusterVersion(multi, VersionA, ImageA, Completed(VersionA, ImageA))
	known := FeatureGate(Enabled(VersionA))
	return []HostedCase{
		{"hosted-cluster-wins", "the HostedCluster alone", HostedFacts{"Multi", Cluster{}}, isMulti},
		{"hosted-cluster-wins", "both agree on Multi", HostedFacts{"Multi", Cluster{reported, nil}}, isMulti},
		{"hosted-cluster-wins", "both agree on Single", HostedFacts{"ARM64", Cluster{settled, known}}, single},
		{"hosted-cluster-wins", "the hosted ClusterVersion is not settled", HostedFacts{"AMD64", Cluster{ClusterVersion("", VersionA, ImageA), nil}}, single},
		{"hosted-cluster-wins", "the hosted ClusterVersion contradicts Single", HostedFacts{"AMD64", Cluster{reported, nil}}, single},
		{"hosted-cluster-wins", "the hosted ClusterVersion contradicts Multi", HostedFacts{"Multi", Cluster{settled, known}}, isMulti},
		{"hosted-cluster-wins", "another value, whatever the hosted ClusterVersion says", HostedFacts{"multi", Cluster{reported, nil}}, Answer{KindUnknown, true}},
		{"hosted-cluster-version", "it says Multi", HostedFacts{"", Cluster{reported, nil}}, isMulti},
		{"hosted-cluster-version", "it is settled", HostedFacts{"", Cluster{settled, known}}, single},
		{"hosted-cluster-version", "the hosted FeatureGate counts", HostedFacts{"", Cluster{settled, FeatureGate()}}, unknown},
		{"hosted-cluster-version", "no hosted FeatureGate", HostedFacts{"", Cluster{settled, nil}}, unknown},
		{"hosted-cluster-version", "the hosted cluster is being installed",
			HostedFacts{"", Cluster{ClusterVersion("", VersionA, ImageA, Partial(VersionA, ImageA)), known}}, Answer{Kind: KindInstalling}},
		{"hosted-cluster-version", "neither", HostedFacts{}, unknown},
	}
}

// HostedWithoutGatesCases returns the rows of HostedWithoutGates. They have no
// FeatureGate.
func HostedWithoutGatesCases() []HostedCase {
	const rule = "without-gates"
	settled := ClusterVersion("", VersionA, ImageA, Completed(VersionA, ImageA))
	return []HostedCase{
		{rule, "hosted: the HostedCluster alone", HostedFacts{"ARM64", Cluster{}}, Answer{Kind: KindSingle}},
		{rule, "hosted: the hosted ClusterVersion contradicts Multi", HostedFacts{"Multi", Cluster{settled, nil}}, Answer{Kind: KindMulti}},
		{rule, "hosted: the hosted ClusterVersion is settled", HostedFacts{"", Cluster{settled, nil}}, Answer{Kind: KindSingle}},
	}
}

func hostedRows() (rows []row) {
	for _, c := range PayloadArchCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasHostedCluster, Call: func(i Impl) outcome {
			return outcome{Input: c.PayloadArch, Want: c.Want, Got: answer(i.HostedCluster(c.PayloadArch))}
		}})
	}
	for _, c := range HostedCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasHosted, Call: func(i Impl) outcome {
			in := c.Facts.Cluster.copied()
			return outcome{Input: c.Facts, Want: c.Want, Got: answer(i.Hosted(c.Facts.PayloadArch, in.ClusterVersion, in.FeatureGate))}
		}})
	}
	for _, c := range HostedWithoutGatesCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasHostedNoGates, Call: func(i Impl) outcome {
			in := c.Facts.Cluster.copied()
			return outcome{Input: c.Facts, Want: c.Want, Got: answer(i.HostedWithoutGates(c.Facts.PayloadArch, in.ClusterVersion))}
		}})
	}
	return rows
}

func hostedProperties() []property {
	hosted := func(rule string, archs *rapid.Generator[string]) property {
		return property{Rule: rule, Name: "any hosted cluster", Implemented: hasHosted, Call: func(t *rapid.T, i Impl) outcome {
			f := HostedFacts{archs.Draw(t, "payloadArch"), Clusters().Draw(t, "cluster")}
			want, _, _ := OracleHosted(f.PayloadArch, f.Cluster)
			in := f.Cluster.copied()
			return outcome{Input: f, Want: want, Got: answer(i.Hosted(f.PayloadArch, in.ClusterVersion, in.FeatureGate))}
		}}
	}
	return []property{
		hosted("hosted-cluster-wins", legalPayloadArch()),
		hosted("hosted-cluster-version", rapid.Just("")),
		{Rule: "hosted-other-value", Name: "any other value", Implemented: hasHostedCluster, Call: func(t *rapid.T, i Impl) outcome {
			value := otherPayloadArch().Draw(t, "payloadArch")
			return outcome{Input: value, Want: OracleHostedCluster(value), Got: answer(i.HostedCluster(value))}
		}},
		{Rule: "hosted-conflict-told", Name: "any hosted cluster", Implemented: hasConflict, Call: func(t *rapid.T, i Impl) outcome {
			f := HostedFacts{PayloadArchs().Draw(t, "payloadArch"), Clusters().Draw(t, "cluster")}
			_, want, _ := OracleHosted(f.PayloadArch, f.Cluster)
			in := f.Cluster.copied()
			return outcome{Input: f, Want: want, Got: i.HostedConflict(f.PayloadArch, in.ClusterVersion, in.FeatureGate)}
		}},
		{Rule: "hosted-cluster-version-told", Name: "any hosted cluster", Implemented: hasOwnReport, Call: func(t *rapid.T, i Impl) outcome {
			f := HostedFacts{PayloadArchs().Draw(t, "payloadArch"), Clusters().Draw(t, "cluster")}
			_, _, want := OracleHosted(f.PayloadArch, f.Cluster)
			in := f.Cluster.copied()
			return outcome{Input: f, Want: want, Got: i.HostedOwnReport(f.PayloadArch, in.ClusterVersion, in.FeatureGate)}
		}},
	}
}
