package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// columns is how wide the story is told.
const columns = 100

// wrapped breaks a text into lines that fit: between words where it can. The first
// line begins with first, all others with rest.
func wrapped(first, rest, text string) string {
	var out strings.Builder
	line, empty := first, true
	flush := func() {
		out.WriteString(strings.TrimRight(line, " ") + "\n")
		line, empty = rest, true
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > columns {
			flush()
		}
		if !empty {
			line += " "
		}
		for utf8.RuneCountInString(line)+utf8.RuneCountInString(word) > columns {
			room := columns - utf8.RuneCountInString(line)
			runes := []rune(word)
			line += string(runes[:room])
			word = string(runes[room:])
			flush()
		}
		line, empty = line+word, false
	}
	flush()
	return out.String()
}

// fact is a line that says what something is: on one line if it fits, else the
// value has lines of its own.
func fact(mark, what, value string) string {
	first := mark + what + ": "
	if utf8.RuneCountInString(first)+utf8.RuneCountInString(value) <= columns {
		return first + value + "\n"
	}
	indent := strings.Repeat(" ", utf8.RuneCountInString(mark))
	return wrapped(mark, indent, what+":") + wrapped(indent+"  ", indent+"  ", value)
}

// show says a value in words.
func show(v any) string {
	switch v := v.(type) {
	case error:
		return "error: " + v.Error()
	case fmt.Stringer:
		return v.String()
	case nil:
		return "nothing"
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case []string:
		if len(v) == 0 {
			return "none"
		}
		return strings.Join(v, "; then ")
	case map[string]string:
		var all []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = append(all, key+": "+v[key])
		}
		return strings.Join(all, "; ")
	}
	if text := reflect.ValueOf(v); text.Kind() == reflect.String && text.Len() == 0 {
		return "empty"
	}
	return fmt.Sprint(v)
}

// orEmpty is for values of strings that stand in a line.
func orEmpty[T ~string](s T) string {
	if s == "" {
		return "empty"
	}
	return string(s)
}
