package conformance

import "pgregory.net/rapid"

// Strength says what stands behind a rule.
type Strength string

const (
	// StrengthUpstream is for what the written design asks for, or what the
	// operators of today do and rely on.
	StrengthUpstream Strength = "Upstream"
	// StrengthOurs is for a deliberate difference; docs/decisions.md says why.
	StrengthOurs Strength = "Ours"
)

// A Rule is a rule of a decision package.
type Rule struct {
	// ID never changes and is never used again: "stored-empty-stays".
	ID string
	// Since is the rule set that had it first.
	Since string
	// Name says it in a few words.
	Name string
	// Strength says what stands behind it.
	Strength Strength
	// Number is its number in the package's doc.go, which may change.
	Number string
	// Sentence is what doc.go says under that number.
	Sentence string
}

// An Outcome is one call of an implementation, beside what it should have given.
type Outcome struct {
	// Input is what the implementation was called with: a value, or a struct of
	// several. It is printed when Want and Got differ.
	Input any
	// Want and Got are equal under reflect.DeepEqual if the rule holds.
	Want, Got any
}

// A Row is one case of a rule.
type Row[I any] struct {
	Rule string // its ID
	Name string
	// Implemented reports whether the implementation has what the row calls.
	Implemented func(I) bool
	// Call calls the implementation once.
	Call func(I) Outcome
}

// A Property is a case of a rule whose input is drawn.
type Property[I any] struct {
	Rule string // its ID
	Name string
	// Implemented reports whether the implementation has what the property calls.
	Implemented func(I) bool
	// Call draws an input to which the rule applies and calls the implementation.
	Call func(*rapid.T, I) Outcome
}

// A Suite is what a decision package is held to.
type Suite[I any] struct {
	// Package is the name of the decision package.
	Package string
	// RuleSets are the versions of the rules, the oldest first.
	RuleSets []string
	// Rules are in the order in which they are reported.
	Rules      []Rule
	Rows       []Row[I]
	Properties []Property[I]
}

// Options says what an implementation is held to. RuleSet is required.
type Options struct {
	// RuleSet is the version of the rules that the caller knows of. Rules that
	// came later are not run, so that an update of polyarch breaks no test.
	RuleSet string
	// Strengths are those of the rules to run. Empty means all.
	Strengths []Strength
	// Deviations are the rules that the implementation breaks on purpose.
	Deviations []Deviation
}

// A Deviation is a rule that an implementation breaks on purpose.
type Deviation struct {
	// Rule is its ID.
	Rule string
	// Row is the name of a single row or property, "" for the whole rule.
	Row string
	// Reason says why. It is required.
	Reason string
}
