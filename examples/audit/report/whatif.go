package report

// WhatIf compares the cluster with what it would be.
type WhatIf struct {
	// Changes are those that were asked for.
	Changes []string `json:"changes"`
	// Before and After hold the decisions that differ.
	Differences []Difference `json:"differences,omitempty"`
	Writes      []Write      `json:"writes,omitempty"`
	Rollouts    []string     `json:"rollouts,omitempty"`
	Growth      []Growth     `json:"growth,omitempty"`
	// Appears and Disappears are the entries that come and go.
	Appears    []Entry  `json:"appears,omitempty"`
	Disappears []Entry  `json:"disappears,omitempty"`
	Notes      []string `json:"notes,omitempty"`
}

// A Difference is a decision that changes.
type Difference struct {
	Section string   `json:"section"`
	Before  Decision `json:"before"`
	After   Decision `json:"after"`
}
