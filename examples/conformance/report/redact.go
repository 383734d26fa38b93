package report

import (
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Redactor replaces what a report that goes to others is not to hold.
type Redactor struct{ secrets []secret }

type secret struct {
	text, shown string
	whole       *regexp.Regexp // nil where a part of a word is hidden, too
}

// Hide has the text shown as [shown] from now on, wherever it is. An empty text is
// none.
func (r *Redactor) Hide(text, shown string) { r.hide(secret{text: text, shown: "[" + shown + "]"}) }

func (r *Redactor) hide(s secret) {
	if s.text == "" {
		return
	}
	r.secrets = append(r.secrets, s)
	// The longest goes first, or what it is part of would be torn.
	slices.SortStableFunc(r.secrets, func(a, b secret) int { return len(b.text) - len(a.text) })
}

// HideServer hides the address of an API server in each form that errors show.
func (r *Redactor) HideServer(server string) {
	r.Hide(server, "server")
	u, err := url.Parse(server)
	if err != nil {
		return
	}
	r.Hide(u.Host, "server")
	// A host may be called api, which is a part of much that a report says.
	r.hide(secret{u.Hostname(), "[server]", regexp.MustCompile(`\b` + regexp.QuoteMeta(u.Hostname()) + `\b`)})
}

// HideFile hides where a file or directory is. A name by itself tells nothing.
func (r *Redactor) HideFile(file, shown string) {
	if file == "" {
		return
	}
	if absolute, err := filepath.Abs(file); err == nil {
		r.Hide(absolute, shown)
	}
	if filepath.Base(file) != file {
		r.Hide(file, shown)
	}
}

// Text is s without what is hidden.
func (r *Redactor) Text(s string) string {
	for _, secret := range r.secrets {
		if secret.whole != nil {
			s = secret.whole.ReplaceAllLiteralString(s, secret.shown)
		} else {
			s = strings.ReplaceAll(s, secret.text, secret.shown)
		}
	}
	return s
}

// Step is the step without what is hidden.
func (r *Redactor) Step(s Step) Step {
	s.Want, s.Got, s.Detail = r.Text(s.Want), r.Text(s.Got), r.Text(s.Detail)
	return s
}
