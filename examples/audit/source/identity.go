package source

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// An identity is what an object says of itself.
type identity struct {
	apiVersion, kind, resourceVersion string
	Key
}

// itemKind returns the kind of the items of a list.
func itemKind(list string) string {
	if kind, ok := strings.CutSuffix(list, listKind); ok {
		return kind
	}
	return ""
}

// identify reads the identity of a piece. It looks for the few lines of YAML that hold
// it, as Kubernetes writes them, and parses only what is written in another way.
func identify(p piece) identity {
	if !p.isJSON {
		if id, ok := glance(p.text); ok {
			return id
		}
	}
	text, err := p.json()
	if err != nil {
		return identity{}
	}
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Namespace       string `json:"namespace"`
			Name            string `json:"name"`
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	// Which takes names in their own letter case only, as the API server does.
	if utiljson.Unmarshal(text, &head) != nil {
		return identity{}
	}
	return identity{head.APIVersion, head.Kind, head.Metadata.ResourceVersion, Key{head.Metadata.Namespace, head.Metadata.Name}}
}

// glance reads apiVersion, kind and metadata of block style YAML; false where it cannot
// be sure.
func glance(text []byte) (identity, bool) {
	var id identity
	if hasOtherBreaks(text) {
		return id, false
	}
	base, child, inMetadata := -1, -1, false
	scalarAt := math.MaxInt // the indentation of the key whose value was read last
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		content := bytes.TrimLeft(line, " ")
		if trimmed := bytes.TrimSpace(content); len(trimmed) == 0 || trimmed[0] == '#' {
			continue
		}
		indent := len(line) - len(content)
		if base < 0 {
			base = indent
		}
		if indent > scalarAt {
			return id, false // the value goes on
		}
		scalarAt = math.MaxInt
		var into *string
		key, value, found := bytes.Cut(content, []byte(":"))
		ours := indent == base || inMetadata && (child < 0 || indent == child)
		if ours && !isDash(content) && !(found && isName(key)) {
			return id, false
		}
		switch {
		case indent == base:
			child = -1
			inMetadata = string(key) == "metadata"
			if inMetadata && (!found || len(bytes.TrimSpace(value)) > 0) {
				return id, false
			}
			switch string(key) {
			case "apiVersion":
				into = &id.apiVersion
			case "kind":
				into = &id.kind
			}
		case ours:
			child = indent
			switch string(key) {
			case "namespace":
				into = &id.Namespace
			case "name":
				into = &id.Name
			case "resourceVersion":
				into = &id.resourceVersion
			}
		}
		if into == nil {
			continue
		}
		var ok bool
		if *into, ok = scalar(value); !ok || value[0] != ' ' {
			return id, false
		}
		scalarAt = indent
	}
	return id, id.kind != "" && id.apiVersion != ""
}

// isName reports whether a key is written as Kubernetes writes the names of fields: a tag,
// an anchor or a quote would be none of the name.
func isName(key []byte) bool {
	return len(key) > 0 && bytes.IndexFunc(key, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) < 0
}

// scalar reads a plain or quoted scalar without anything special in it.
func scalar(value []byte) (string, bool) {
	s := string(bytes.TrimSpace(value))
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		s = s[1 : len(s)-1]
		return s, !strings.ContainsAny(s, `"'\`)
	}
	return s, s != "" && !strings.ContainsAny(s, "{}[]&*!|>%@`\"'#,?")
}

// drop takes fields out of an object.
func drop(text []byte, fields ...[][]string) ([]byte, error) {
	var object map[string]any
	if err := yaml.Unmarshal(text, &object); err != nil {
		return nil, err
	}
	for _, list := range fields {
		for _, path := range list {
			at := object
			for _, name := range path[:len(path)-1] {
				at, _ = at[name].(map[string]any)
			}
			delete(at, path[len(path)-1])
		}
	}
	return json.Marshal(object)
}
