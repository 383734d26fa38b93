package report

import (
	"net/url"
	"slices"
	"strings"
)

// A Redactor replaces what a report that goes to others is not to hold.
type Redactor struct{ secrets []secret }

type secret struct{ text, shown string }

// Hide has the text shown as [shown] from now on. An empty text is none.
func (r *Redactor) Hide(text, shown string) {
	if text == "" {
		return
	}
	r.secrets = append(r.secrets, secret{text, "[" + shown + "]"})
	// The longest goes first, or what it is part of would be torn.
	slices.SortStableFunc(r.secrets, func(a, b secret) int { return len(b.text) - len(a.text) })
}

// HideServer hides the address of an API server in each form that errors show.
func (r *Redactor) HideServer(server string) {
	r.Hide(server, "server")
	if u, err := url.Parse(server); err == nil {
		r.Hide(u.Host, "server")
		r.Hide(u.Hostname(), "server")
	}
}

// Text is s without what is hidden.
func (r *Redactor) Text(s string) string {
	for _, secret := range r.secrets {
		s = strings.ReplaceAll(s, secret.text, secret.shown)
	}
	return s
}

// Step is the step without what is hidden.
func (r *Redactor) Step(s Step) Step {
	s.Want, s.Got, s.Detail = r.Text(s.Want), r.Text(s.Got), r.Text(s.Detail)
	return s
}
