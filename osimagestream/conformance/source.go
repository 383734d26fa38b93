package conformance

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Source returns v as Go source: a composite literal without its zero fields. It
// is for copying an input into a test. Pointers to what has no literal are
// written as new with a comment, functions as nil.
func Source(v any) string {
	if v == nil {
		return "nil"
	}
	var b strings.Builder
	writeSource(&b, reflect.ValueOf(v), 0, true)
	return b.String()
}

// writeSource writes one value. typed says whether the type has to stand there,
// which it need not as an element of a list or map.
func writeSource(b *strings.Builder, v reflect.Value, depth int, typed bool) {
	t := v.Type()
	if text, ok := goString(v); ok {
		b.WriteString(text)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		switch {
		case v.IsNil():
			b.WriteString("nil")
		case v.Elem().Kind() == reflect.Struct:
			b.WriteByte('&')
			writeSource(b, v.Elem(), depth, true)
		default:
			fmt.Fprintf(b, "new(%s) /* ", t.Elem())
			writeSource(b, v.Elem(), depth, false)
			b.WriteString(" */")
		}
	case reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		writeSource(b, v.Elem(), depth, true)
	case reflect.Struct:
		writeStruct(b, v, depth)
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			b.WriteString("nil")
			return
		}
		if t.Elem().Kind() == reflect.Uint8 && v.Kind() == reflect.Slice {
			fmt.Fprintf(b, "%s(%s)", t, strconv.Quote(string(v.Bytes())))
			return
		}
		var items []string
		for i := range v.Len() {
			items = append(items, sourceOf(v.Index(i), depth+1))
		}
		writeList(b, t.String(), items, depth)
	case reflect.Map:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		items := map[string]string{}
		for _, key := range v.MapKeys() {
			items[sourceOf(key, depth+1)] = sourceOf(v.MapIndex(key), depth+1)
		}
		var lines []string
		for _, key := range slices.Sorted(maps.Keys(items)) {
			lines = append(lines, key+": "+items[key])
		}
		writeList(b, t.String(), lines, depth)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		b.WriteString("nil")
	default:
		writeScalar(b, v, typed)
	}
}

func writeStruct(b *strings.Builder, v reflect.Value, depth int) {
	t := v.Type()
	var fields []string
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && !v.Field(i).IsZero() {
			var value strings.Builder
			writeSource(&value, v.Field(i), depth+1, false)
			fields = append(fields, f.Name+": "+value.String())
		}
	}
	name := t.String()
	if t.Name() == "" {
		name = "struct" // an unnamed one only groups several arguments
	}
	writeList(b, name, fields, depth)
}

// writeList writes a literal on one line if it is short.
func writeList(b *strings.Builder, name string, items []string, depth int) {
	b.WriteString(name)
	b.WriteByte('{')
	line := strings.Join(items, ", ")
	if len(line)+len(name)+4*depth <= 90 && !strings.Contains(line, "\n") {
		b.WriteString(line)
	} else {
		b.WriteByte('\n')
		for _, item := range items {
			b.WriteString(strings.Repeat("\t", depth+1) + item + ",\n")
		}
		b.WriteString(strings.Repeat("\t", depth))
	}
	b.WriteByte('}')
}

func sourceOf(v reflect.Value, depth int) string {
	var b strings.Builder
	writeSource(&b, v, depth, false)
	return b.String()
}

func writeScalar(b *strings.Builder, v reflect.Value, typed bool) {
	text := ""
	switch v.Kind() {
	case reflect.String:
		text = strconv.Quote(v.String())
	case reflect.Bool:
		text = strconv.FormatBool(v.Bool())
	default:
		text = fmt.Sprintf("%v", v)
		if v.CanInt() {
			text = strconv.FormatInt(v.Int(), 10)
		} else if v.CanUint() {
			text = strconv.FormatUint(v.Uint(), 10)
		}
	}
	if name := v.Type().Name(); typed && v.Type().PkgPath() != "" && name != "" {
		text = v.Type().String() + "(" + text + ")"
	}
	b.WriteString(text)
}

// goString asks values that hide their fields, such as times and sets, for a
// text.
func goString(v reflect.Value) (string, bool) {
	if !v.CanInterface() {
		return "", false
	}
	t := v.Type()
	if t.Kind() != reflect.Struct || t.NumField() == 0 {
		return "", false
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return "", false
		}
	}
	switch x := v.Interface().(type) {
	case fmt.GoStringer:
		return x.GoString(), true
	case fmt.Stringer:
		return fmt.Sprintf("/* %s */ %q", t, x.String()), true
	}
	return "", false
}
