package patchfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"sigs.k8s.io/yaml"

	"github.com/polyarch/polyarch/examples/audit/report"
)

// key names the object of a patch.
type key struct{ apiVersion, resource, namespace, name string }

// Files returns a file for each object that entries of the report have patches for, by
// name, and a line for each that cannot be one. Entries that are suppressed have none.
func Files(r *report.Report) (files []File, withheld []string) {
	byObject := map[key][]report.Patch{}
	for _, s := range r.Sections {
		for _, e := range s.Entries {
			for _, p := range e.Patches {
				k := key{p.APIVersion, p.Resource, p.Namespace, p.Name}
				byObject[k] = append(byObject[k], p)
			}
		}
	}
	for k, patches := range byObject {
		content, err := document(k, patches)
		if err != nil {
			withheld = append(withheld, line(k.path()+": "+err.Error()+"; the report has the commands"))
			continue
		}
		files = append(files, File{k.file(), content})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(withheld)
	for _, s := range r.Sections {
		for code, n := range s.Omitted {
			if code == "imagestreams.StaysLegacy" {
				withheld = append(withheld, fmt.Sprintf("%d entries of %s over --limit", n, code))
			}
		}
	}
	return files, withheld
}

func (k key) path() string {
	if k.namespace == "" {
		return k.resource + "[" + k.name + "]"
	}
	return k.resource + "[" + k.namespace + "/" + k.name + "]"
}

func (k key) file() string {
	if k.namespace == "" {
		return fileName(k.resource, k.name)
	}
	return fileName(k.resource, k.namespace, k.name)
}

// target is how kubectl is told of the object.
func (k key) target() string {
	resource := k.resource
	if group, _, ok := strings.Cut(k.apiVersion, "/"); ok {
		resource += "." + group
	}
	target := resource + "/" + report.Shell(k.name)
	if k.namespace != "" {
		target += " --namespace=" + report.Shell(k.namespace)
	}
	return target
}

// document is the object with all its patches, below what they do.
func document(k key, patches []report.Patch) ([]byte, error) {
	apply := patches[0].Apply
	switch {
	case apply == nil:
		return nil, errors.New("the object was not kept")
	case apply.Withheld != "":
		return nil, errors.New(apply.Withheld)
	}
	object := []byte(apply.Object)
	for _, p := range patches {
		var err error
		if object, err = patched(object, p); err != nil {
			return nil, err
		}
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(object, &all); err != nil {
		return nil, err
	}
	// The items of a list may lack them.
	all["apiVersion"], _ = json.Marshal(k.apiVersion)
	all["kind"], _ = json.Marshal(patches[0].Kind)
	object, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	text, err := yaml.JSONToYAML(object)
	if err != nil {
		return nil, err
	}
	return append([]byte(head(k, patches)), text...), nil
}

func patched(object []byte, p report.Patch) ([]byte, error) {
	if p.Type == "merge" {
		return jsonpatch.MergePatch(object, p.Body)
	}
	patch, err := jsonpatch.DecodePatch(p.Body)
	if err != nil {
		return nil, err
	}
	return patch.Apply(object)
}

// head says in comments what the file does, and what undoes it.
func head(k key, patches []report.Patch) string {
	var b strings.Builder
	say := func(format string, args ...any) { b.WriteString("# " + line(fmt.Sprintf(format, args...)) + "\n") }
	say("%s: this file", k.path())
	for _, p := range patches {
		say("- %s.", p.Does)
	}
	say("It mends nothing else. Its lists are whole, so that none loses an element, and the server")
	say("refuses it when the object has changed since the audit: let the audit write it anew then.")
	b.WriteString("#\n")
	say("See:    kubectl diff -f %s", k.file())
	say("Apply:  kubectl apply -f %s", k.file())
	reverts := reverts(k, patches)
	for _, command := range reverts {
		say("Revert: %s", command)
	}
	if len(reverts) < 1 {
		say("No command reverts it.")
	}
	b.WriteString("#\n")
	if patches[0].Apply.Applied {
		say("Somebody keeps this object by kubectl apply. Make the change in that manifest too, and see")
		say("that it has all lists whole: its next apply takes out what this file has and it has not.")
	} else {
		say("kubectl apply notes this file in an annotation, and a later apply of another file takes out")
		say("what is only noted there. Unless this file is kept, take the annotation away:")
		say("        kubectl annotate %s %s-", k.target(), report.LastApplied)
	}
	return b.String()
}

// reverts are the commands that undo the patches: one, if they are JSON patches.
func reverts(k key, patches []report.Patch) []string {
	var operations []json.RawMessage
	var commands []string
	command := func(form string, body []byte) {
		commands = append(commands, fmt.Sprintf("kubectl patch %s --type=%s -p %s", k.target(), form, report.Shell(string(body))))
	}
	for _, p := range slices.Backward(patches) {
		var list []json.RawMessage
		switch {
		case len(p.Revert) == 0:
		case p.Type == "merge":
			command(p.Type, p.Revert)
		case json.Unmarshal(p.Revert, &list) == nil:
			operations = append(operations, list...)
		}
	}
	if len(operations) > 0 {
		if body, err := json.Marshal(operations); err == nil {
			command("json", body)
		}
	}
	return commands
}

// line keeps a text in one line: what stands in an object must not end a comment. YAML
// takes some other runes as the end of a line, too.
func line(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) {
			return '?'
		}
		return r
	}, text)
}
