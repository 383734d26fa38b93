package importmodetest

import (
	configv1 "github.com/openshift/api/config/v1"
)

const (
	configLegacy   = configv1.ImportModeLegacy
	configPreserve = configv1.ImportModePreserveOriginal
)

// A DecideCase is a row of the cluster's mode.
type DecideCase struct {
	Rule, Name    string
	Spec, Current configv1.ImportModeType
	Payload       Payload
	Want          configv1.ImportModeType
	// WantError says that the spec is refused.
	WantError bool
}

// DecideCases returns the rows of the cluster's mode.
func DecideCases() []DecideCase {
	return []DecideCase{
		{Rule: "spec-wins", Name: "Legacy over a multi payload", Spec: configLegacy, Current: configPreserve, Payload: PayloadMulti, Want: configLegacy},
		{Rule: "spec-wins", Name: "PreserveOriginal over a single payload", Spec: configPreserve, Current: configPreserve, Payload: PayloadSingle, Want: configPreserve},
		{Rule: "spec-wins", Name: "while the payload is unknown", Spec: configPreserve, Payload: PayloadUnknown, Want: configPreserve},
		{Rule: "spec-wins", Name: "during an installation", Spec: configPreserve, Payload: PayloadInstalling, Want: configPreserve},
		{Rule: "unknown-spec-keeps-current", Name: "on a multi payload", Spec: "Whole", Current: configLegacy, Payload: PayloadMulti, Want: configLegacy, WantError: true},
		{Rule: "unknown-spec-keeps-current", Name: "modes are spelled exactly", Spec: "legacy", Payload: PayloadSingle, WantError: true},
		{Rule: "multi-preserves", Name: "an empty status", Payload: PayloadMulti, Want: configPreserve},
		{Rule: "multi-preserves", Name: "single to multi", Current: configLegacy, Payload: PayloadMulti, Want: configPreserve},
		{Rule: "multi-preserves", Name: "settled", Current: configPreserve, Payload: PayloadMulti, Want: configPreserve},
		{Rule: "installing-fills", Name: "an installation gets Legacy at once", Payload: PayloadInstalling, Want: configLegacy},
		{Rule: "installing-fills", Name: "what looks like an installation reverts nothing", Current: configPreserve, Payload: PayloadInstalling, Want: configPreserve},
		{Rule: "installing-fills", Name: "settled", Current: configLegacy, Payload: PayloadInstalling, Want: configLegacy},
		{Rule: "single-is-legacy", Name: "an empty status", Payload: PayloadSingle, Want: configLegacy},
		{Rule: "single-is-legacy", Name: "multi to single reverts", Current: configPreserve, Payload: PayloadSingle, Want: configLegacy},
		{Rule: "unknown-payload-keeps-current", Name: "PreserveOriginal", Current: configPreserve, Payload: PayloadUnknown, Want: configPreserve},
		{Rule: "unknown-payload-keeps-current", Name: "Legacy", Current: configLegacy, Payload: PayloadUnknown, Want: configLegacy},
		{Rule: "unknown-payload-writes-nothing", Name: "an empty status stays empty", Payload: PayloadUnknown},
		{Rule: "unknown-current-counts-empty", Name: "during an installation", Current: "Whole", Payload: PayloadInstalling, Want: configLegacy},
		{Rule: "unknown-current-counts-empty", Name: "nothing is written over it while the payload is unknown", Current: "Whole", Payload: PayloadUnknown},
		{Rule: "unknown-current-counts-empty", Name: "beside a spec that is no mode", Spec: "All", Current: "Whole", Payload: PayloadMulti, WantError: true},
	}
}

// decided is what Decide gives.
type decided struct {
	Mode  configv1.ImportModeType
	Error bool
}

type decideInput struct {
	Spec, Current configv1.ImportModeType
	Payload       Payload
}

func (in decideInput) call(i Impl) decided {
	mode, err := i.Decide(in.Spec, in.Current, in.Payload)
	return decided{mode, err != nil}
}

// A SuggestCase is a row of what an administrator is told.
type SuggestCase struct {
	Rule, Name string
	Spec       configv1.ImportModeType
	Payload    Payload
	Nodes      []string
	Complete   bool
	Want       bool
}

// SuggestCases returns the rows of what an administrator is told.
func SuggestCases() []SuggestCase {
	const rule = "homogeneous-nodes"
	return []SuggestCase{
		{rule, "one architecture", "", PayloadMulti, []string{"arm64"}, true, true},
		{rule, "several architectures", "", PayloadMulti, []string{"amd64", "arm64"}, true, false},
		{rule, "no architecture is known", "", PayloadMulti, nil, true, false},
		{rule, "the set is incomplete", "", PayloadMulti, []string{"arm64"}, false, false},
		{rule, "the override is set already", configPreserve, PayloadMulti, []string{"arm64"}, true, false},
		{rule, "one architecture is as expected of a single payload", "", PayloadSingle, []string{"amd64"}, true, false},
	}
}

func decideRows() (rows []row) {
	for _, c := range DecideCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasDecide, Call: func(i Impl) outcome {
			in := decideInput{c.Spec, c.Current, c.Payload}
			return outcome{Input: in, Want: decided{c.Want, c.WantError}, Got: in.call(i)}
		}})
	}
	for _, c := range SuggestCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasSuggest, Call: func(i Impl) outcome {
			in := struct {
				Spec     configv1.ImportModeType
				Payload  Payload
				Nodes    []string
				Complete bool
			}{c.Spec, c.Payload, c.Nodes, c.Complete}
			return outcome{Input: in, Want: c.Want, Got: i.Suggest(c.Spec, c.Payload, c.Nodes, c.Complete)}
		}})
	}
	return rows
}
