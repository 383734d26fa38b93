package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// JSON is the report for programs. Items carry their state, and the whole says
// whether it is partial.
func (r Report) JSON() ([]byte, error) {
	type item struct {
		Item
		State State `json:"state"`
	}
	// The outer fields stand in for the report's own of that name.
	whole := struct {
		Report
		Partial bool          `json:"partial"`
		Exit    int           `json:"exit"`
		Count   map[State]int `json:"count"`
		Items   []item        `json:"items"`
	}{Report: r, Partial: r.Partial(), Exit: r.Exit(), Count: map[State]int{}, Items: []item{}}
	for _, s := range states {
		whole.Count[s] = r.Count(s)
	}
	for _, i := range r.Items {
		whole.Items = append(whole.Items, item{i, i.State()})
	}
	if whole.Left == nil {
		whole.Left = []string{}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(whole)
	return b.Bytes(), err
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
