package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/polyarch/polyarch/examples/audit/source"
)

// Schema names the form of the JSON. A later version of the same number only adds to it.
const Schema = "polyarch.audit/v1"

// A Report is all that an audit says.
type Report struct {
	Schema string `json:"schema"`
	// Time is when the audit was made, in RFC 3339.
	Time   string      `json:"time"`
	Source source.Info `json:"source"`
	// Judged is false if nothing can be said without what the source does not hold.
	Judged bool `json:"judged"`
	// Unjudged says why, if Judged is false.
	Unjudged []string  `json:"unjudged,omitempty"`
	Summary  Summary   `json:"summary"`
	Sections []Section `json:"sections"`
	// WhatIf is there if the audit was asked.
	WhatIf *WhatIf `json:"whatIf,omitempty"`
	// Suppressed holds the entries that somebody decided to live with, Stale the
	// suppressions that match none.
	Suppressed []Suppressed  `json:"suppressed,omitempty"`
	Stale      []Suppression `json:"stale,omitempty"`
}

// Summary counts the entries of each level, without those that are suppressed.
type Summary struct {
	Broken     int `json:"broken"`
	Risk       int `json:"risk"`
	Note       int `json:"note"`
	Suppressed int `json:"suppressed"`
}

// A Section is what is said about one subject.
type Section struct {
	// Name is permanent, Title is for people.
	Name  string `json:"name"`
	Title string `json:"title"`
	// Proposed marks what no operator of today does.
	Proposed bool `json:"proposed,omitempty"`
	// Looked says how many objects of each kind were looked at, Missing what was not to
	// be had.
	Looked    []Count    `json:"looked,omitempty"`
	Missing   []Missing  `json:"missing,omitempty"`
	Decisions []Decision `json:"decisions,omitempty"`
	// Hops are those of the import mode, in the section of that name.
	Hops   []Hop   `json:"hops,omitempty"`
	Tables []Table `json:"tables,omitempty"`
	// Growth is what image streams come to, in their section.
	Growth []Growth `json:"growth,omitempty"`
	// Writes are those that operators have still to make.
	Writes  []Write `json:"writes,omitempty"`
	Entries []Entry `json:"entries,omitempty"`
	// Omitted counts, by code, the entries over the limit.
	Omitted map[string]int `json:"omitted,omitempty"`
	// Notes say what bounds the answers.
	Notes []string `json:"notes,omitempty"`
}

// Count is how many objects of a kind were looked at.
type Count struct {
	Kind    string `json:"kind"`
	Objects int    `json:"objects"`
}

// Missing is a kind that was not to be had.
type Missing struct {
	Kind string `json:"kind"`
	// State is NotInSource, NotServed, Forbidden or Failed.
	State  string `json:"state"`
	Detail string `json:"detail,omitempty"`
	// Command fetches it, where the source is files.
	Command string `json:"command,omitempty"`
}

// A Decision is what a package of polyarch says, with its reason.
type Decision struct {
	// Name is permanent within its section.
	Name   string `json:"name"`
	Answer string `json:"answer"`
	// Reason and Field are the package's own.
	Reason  string   `json:"reason,omitempty"`
	Field   string   `json:"field,omitempty"`
	Objects []string `json:"objects,omitempty"`
}

// A Hop is a place that the import mode passes through.
type Hop struct {
	Name   string `json:"name"`
	Object string `json:"object"`
	Field  string `json:"field"`
	// Value is what is there, Want what should be, given the hop before; both are empty
	// where there is none.
	Value string `json:"value"`
	Want  string `json:"want"`
	State string `json:"state"`
	// Reason is that of Want.
	Reason string `json:"reason,omitempty"`
}

// The states of a hop.
const (
	HopAsExpected = "AsExpected"
	// HopLags: it is not what the hop before calls for.
	HopLags = "Lags"
	// HopWaits: it is what the hop before calls for, and that one is to change.
	HopWaits = "Waits"
	// HopRefused: the hop before has a value that this one does not take.
	HopRefused = "Refused"
	HopUnknown = "Unknown"
)

// A Table holds facts. Each row has a cell for each column.
type Table struct {
	Name    string     `json:"name"`
	Title   string     `json:"title"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	// Omitted counts the rows over the limit.
	Omitted int `json:"omitted,omitempty"`
	// JSONOnly tables are too long for the text.
	JSONOnly bool `json:"-"`
}

// Growth is what a change of image streams adds, and how sure that is.
type Growth struct {
	// Name is ByChange, what changes by itself, or ByFixes, what the remedies add.
	Name string `json:"name"`
	Tags int64  `json:"tags"`
	// Unknown counts the tags whose list nobody knows. They are in no number below.
	Unknown      int64 `json:"unknown"`
	Objects      int64 `json:"objects"`
	Bytes        int64 `json:"bytes"`
	BytesUnknown int64 `json:"bytesUnknown"`
	LayersGone   int64 `json:"layersGone"`
	// Estimate is the number of objects if each unknown list has as many children as
	// the audit was told to assume.
	Estimate        *int64 `json:"estimate,omitempty"`
	AssumedChildren int    `json:"assumedChildren,omitempty"`
}

// A Write is one that follows from what there is.
type Write struct {
	Object string `json:"object"`
	// Field is what is written, empty for a whole object. Value is what it becomes.
	Field string `json:"field,omitempty"`
	Value string `json:"value,omitempty"`
	Verb  string `json:"verb"`
	// By is who writes it.
	By     string `json:"by"`
	Reason string `json:"reason,omitempty"`
	// Rollout names what restarts because of it.
	Rollout string `json:"rollout,omitempty"`
	// Proposed marks what no operator of today does.
	Proposed bool `json:"proposed,omitempty"`
}

// An Entry is something that is not as it should be, or worth knowing.
type Entry struct {
	Code  string `json:"code"`
	Level Level  `json:"level"`
	// Object is such as imagestreams[ns/name], Field a path in it.
	Object string `json:"object"`
	Field  string `json:"field,omitempty"`
	// Detail is what was met, in the words of the package that decided.
	Detail string `json:"detail"`
	Impact string `json:"impact"`
	Remedy string `json:"remedy"`
	// Commands mend it.
	Commands []string `json:"commands,omitempty"`
	// Patches are the commands that a file can hold.
	Patches []Patch `json:"patches,omitempty"`
}

// Finish sorts the entries, applies the suppressions, counts what is left, and takes out
// what may be secret.
func (r *Report) Finish(suppressions []Suppression) {
	r.Schema = Schema
	used := make([]bool, len(suppressions))
	for i := range r.Sections {
		s := &r.Sections[i]
		slices.SortStableFunc(s.Entries, compareEntries)
		s.Entries = slices.DeleteFunc(s.Entries, func(e Entry) bool {
			matched := false
			for j, u := range suppressions {
				if !u.matches(e) {
					continue
				}
				if used[j] = true; !matched {
					r.Suppressed = append(r.Suppressed, Suppressed{u, e})
				}
				matched = true
			}
			return matched
		})
		for _, e := range s.Entries {
			r.Summary.add(e.Level, 1)
		}
		for code, n := range s.Omitted {
			if c, ok := Lookup(code); ok {
				r.Summary.add(c.Level, n)
			}
		}
	}
	r.Summary.Suppressed = len(r.Suppressed)
	for j, u := range suppressions {
		if !used[j] {
			r.Stale = append(r.Stale, u)
		}
	}
	r.redact()
}

func compareEntries(a, b Entry) int {
	return cmp.Or(cmp.Compare(b.Level.rank(), a.Level.rank()), strings.Compare(a.Code, b.Code),
		strings.Compare(a.Object, b.Object), strings.Compare(a.Field, b.Field), strings.Compare(a.Detail, b.Detail))
}

func (s *Summary) add(l Level, n int) {
	switch l {
	case Broken:
		s.Broken += n
	case Risk:
		s.Risk += n
	case Note:
		s.Note += n
	}
}
