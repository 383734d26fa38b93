package nodearchtest

import (
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
)

// A NodeCase is a node and its architecture.
type NodeCase struct {
	Rule, Name string
	Node       corev1.Node
	Want       string
}

// NodeCases returns the rows of Architecture.
func NodeCases() []NodeCase {
	const label, differ, none, spelling, unknown, token = "label-first", "label-and-kubelet-differ", "no-architecture-yet", "other-spelling-understood", "unknown-name-kept", "one-token"
	return []NodeCase{
		{label, "the label", Node("a", "arm64", Reported("", "linux")), "arm64"},
		{label, "nodeInfo where there is no label", Node("a", "arm64", NoLabel(corev1.LabelArchStable)), "arm64"},
		{label, "nodeInfo where the label is empty", Node("a", "arm64", Label(corev1.LabelArchStable, "")), "arm64"},
		{label, "nodeInfo of a node without labels", Node("a", "arm64", func(n *corev1.Node) { n.Labels = nil }), "arm64"},
		{differ, "the label is taken", Node("a", "arm64", Reported("amd64", "linux")), "arm64"},
		{none, "a node that has not registered all of itself", Node("a", "", NoLabel(corev1.LabelArchStable)), ""},
		{none, "blanks", Node("a", " \t"), ""},
		{spelling, "x86_64", Node("a", "x86_64"), "amd64"},
		{spelling, "aarch64 in nodeInfo", Node("a", "aarch64", NoLabel(corev1.LabelArchStable)), "arm64"},
		{spelling, "upper case", Node("a", "S390X"), "s390x"},
		{spelling, "as a MachineOSConfig has it", Node("a", "PPC64LE"), "ppc64le"},
		{unknown, "riscv64", Node("a", "riscv64"), "riscv64"},
		{unknown, "every character of a token", Node("a", "az_09"), "az_09"},
		{token, "two architectures on one node are none", Node("a", "", Reported("amd64,arm64", "linux")), ""},
		{token, "commas and blanks", Node("a", ",\t,"), ""},
		{token, "nodeInfo where the label is malformed", Node("a", "amd 64", Reported("arm64", "linux")), "arm64"},
		{token, "the label where nodeInfo is malformed", Node("a", "arm64", Reported("arm/64", "linux")), "arm64"},
		{token, "upper case of no known architecture", Node("a", "RISCV64"), ""},
		{token, "a hyphen", Node("a", "riscv-64"), ""},
	}
}

// A ToldCase is a node that is odd, or not.
type ToldCase struct {
	Rule, Name string
	Node       corev1.Node
	Told       bool
}

// ToldCases returns the rows of what is told about nodes.
func ToldCases() []ToldCase {
	const differ, none, spelling, unknown, token, system = "difference-told", "no-architecture-told", "other-spelling-told", "unknown-name-told", "malformed-told", "no-system-told"
	return []ToldCase{
		{differ, "label and nodeInfo differ", Node("a", "arm64", Reported("amd64", "linux")), true},
		{differ, "they agree", Node("a", "arm64"), false},
		{differ, "two spellings of one architecture do not differ", Node("a", "amd64", Reported("x86_64", "linux")), false},
		{differ, "one is missing", Node("a", "amd64", Reported("", "linux")), false},
		{none, "neither label nor nodeInfo", Node("a", "", NoLabel(corev1.LabelArchStable)), true},
		{spelling, "x86_64", Node("a", "x86_64"), true},
		{unknown, "riscv64", Node("a", "riscv64"), true},
		{token, "two architectures", Node("a", "", Reported("amd64,arm64", "linux")), true},
		{token, "in nodeInfo only", Node("a", "arm64", Reported("arm/64", "linux")), true},
		{system, "neither label nor nodeInfo", Node("a", "amd64", NoLabel(corev1.LabelOSStable), Reported("amd64", "")), true},
		{system, "nodeInfo only", Node("a", "amd64", NoLabel(corev1.LabelOSStable)), false},
	}
}

func nodeRows() (rows []row) {
	for _, c := range NodeCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasArchitecture, Call: func(i Impl) outcome {
			return outcome{Input: c.Node, Want: c.Want, Got: i.Architecture(*c.Node.DeepCopy())}
		}}, row{Rule: c.Rule, Name: c.Name + ", in a cluster", Implemented: hasNodes, Call: func(i Impl) outcome {
			want := []string{}
			if c.Want != "" {
				want = append(want, c.Want)
			}
			return outcome{Input: c.Node, Want: want, Got: set(i.Nodes([]corev1.Node{*c.Node.DeepCopy()}).All)}
		}})
	}
	for _, c := range ToldCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasNodes, Call: func(i Impl) outcome {
			return outcome{Input: c.Node, Want: c.Told, Got: len(i.Nodes([]corev1.Node{*c.Node.DeepCopy()}).Told) > 0}
		}})
	}
	return rows
}

// nodeProperties draw what a node may say of its architecture, by rule.
func nodeProperties() (properties []property) {
	for _, of := range []struct {
		rule  string
		value *rapid.Generator[string]
	}{
		{"label-first", KnownArchitectures()},
		{"other-spelling-understood", OtherSpellings()},
		{"unknown-name-kept", OtherTokens()},
		{"one-token", Malformed()},
		{"no-architecture-yet", rapid.StringMatching(`[ \t\n]{0,3}`)},
	} {
		properties = append(properties, property{Rule: of.rule, Name: "any value", Implemented: hasArchitecture, Call: func(t *rapid.T, i Impl) outcome {
			n := Node("a", of.value.Draw(t, "label"))
			if rapid.Bool().Draw(t, "in nodeInfo only") {
				delete(n.Labels, corev1.LabelArchStable)
			}
			return outcome{Input: n, Want: OracleArchitecture(n), Got: i.Architecture(*n.DeepCopy())}
		}})
	}
	return append(properties, property{Rule: "label-and-kubelet-differ", Name: "any two", Implemented: hasArchitecture, Call: func(t *rapid.T, i Impl) outcome {
		n := Node("a", KnownArchitectures().Draw(t, "label"), Reported(KnownArchitectures().Draw(t, "nodeInfo"), "linux"))
		return outcome{Input: n, Want: n.Labels[corev1.LabelArchStable], Got: i.Architecture(*n.DeepCopy())}
	}})
}
