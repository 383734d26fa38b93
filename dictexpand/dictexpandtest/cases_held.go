package dictexpandtest

import ()

// heldCases are architectures that left the cluster and are held.
func heldCases() []ExpandCase {
	return []ExpandCase{
		{
			Rule: "held-makes-nothing", Name: "an architecture that left the cluster gets a finding and nothing new",
			Templates: one("x", "m", "amd64,arm64"),
			Cluster:   amd64Left,
			Want: `cron x-arm64 manages m-arm64 arch arm64
reference m to m-arm64
`,
		},
		{
			Rule: "held-makes-nothing", Name: "nothing else is left",
			Templates: one("x", "m", "amd64"),
			Cluster:   amd64Left,
			Want:      "",
		},
	}
}
