package report

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// A Patch is a change to one object that mends something.
type Patch struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Resource   string `json:"resource"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
	// Type is json (RFC 6902) or merge (RFC 7386).
	Type string `json:"type"`
	// Does is what it does, Body does it and Revert undoes it.
	Does   string          `json:"does"`
	Body   json.RawMessage `json:"body"`
	Revert json.RawMessage `json:"revert,omitempty"`
	// Apply is the object that it changes, if somebody wants files to apply.
	Apply *Applicable `json:"-"`
}

// Command returns the command that applies the patch.
func (p Patch) Command() string {
	namespace := ""
	if p.Namespace != "" {
		namespace = " --namespace=" + Shell(p.Namespace)
	}
	return fmt.Sprintf("oc patch %s/%s%s --type=%s -p %s", p.Resource, Shell(p.Name), namespace, p.Type, Shell(string(p.Body)))
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9._:/=-]+$`)

// Shell quotes a word of a command: what stands in an object must not become a command
// when somebody copies a line.
func Shell(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
