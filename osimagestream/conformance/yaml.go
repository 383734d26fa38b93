package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// objects returns the API objects in an input: the input itself, or the fields of
// a struct that groups several, where they are objects or lists of objects.
func objects(input any) (found []any) {
	if input == nil {
		return nil
	}
	v := reflect.ValueOf(input)
	if isObject(v) {
		return []any{input}
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			found = append(found, objects(v.Index(i).Interface())...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				found = append(found, objects(v.Field(i).Interface())...)
			}
		}
	}
	return found
}

// isObject reports whether v is an API object: only those know of their kind.
func isObject(v reflect.Value) bool {
	t := v.Type()
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return false
	}
	_, value := t.MethodByName("GetObjectKind")
	_, pointer := reflect.PointerTo(t).MethodByName("GetObjectKind")
	return value || pointer && t.Kind() == reflect.Struct
}

// YAML returns v, which encoding/json can write, as a YAML document.
func YAML(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("# %v\n", err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	n, err := readNode(d)
	if err != nil {
		return fmt.Sprintf("# %v\n", err)
	}
	var b strings.Builder
	n.write(&b, 0)
	return b.String()
}

// A node is a JSON value whose members are in their order.
type node struct {
	scalar string // JSON, which is YAML too
	keys   []string
	values []node // of the keys, or the elements of a list
	object bool
	list   bool
}

func readNode(d *json.Decoder) (node, error) {
	token, err := d.Token()
	if err != nil {
		return node{}, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		text, err := json.Marshal(token)
		return node{scalar: string(text)}, err
	}
	n := node{object: delim == '{', list: delim == '['}
	for d.More() {
		if n.object {
			key, err := d.Token()
			if err != nil {
				return node{}, err
			}
			n.keys = append(n.keys, fmt.Sprint(key))
		}
		value, err := readNode(d)
		if err != nil {
			return node{}, err
		}
		n.values = append(n.values, value)
	}
	_, err = d.Token() // the closing delimiter
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (n node) empty() bool { return len(n.values) == 0 }

// write writes the node at the beginning of a line of that depth.
func (n node) write(b *strings.Builder, depth int) {
	pad := strings.Repeat("  ", depth)
	switch {
	case n.object && n.empty():
		b.WriteString("{}\n")
	case n.list && n.empty():
		b.WriteString("[]\n")
	case n.object:
		for i, key := range n.keys {
			if i > 0 {
				b.WriteString(pad)
			}
			b.WriteString(yamlKey(key) + ":")
			value := n.values[i]
			if value.empty() {
				b.WriteByte(' ')
				value.write(b, 0)
				continue
			}
			b.WriteString("\n" + pad + "  ")
			value.write(b, depth+1)
		}
	case n.list:
		for i, value := range n.values {
			if i > 0 {
				b.WriteString(pad)
			}
			b.WriteString("- ")
			value.write(b, depth+1)
		}
	default:
		b.WriteString(n.scalar + "\n")
	}
}

// plainKey is a key that YAML takes for nothing but a text.
var plainKey = regexp.MustCompile(`^[A-Za-z][-A-Za-z0-9_./]*$`)

// yamlKey quotes a key that YAML could take for something else.
func yamlKey(key string) string {
	switch strings.ToLower(key) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
	default:
		if plainKey.MatchString(key) {
			return key
		}
	}
	text, err := json.Marshal(key)
	if err != nil {
		return strconv.Quote(key)
	}
	return string(text)
}
