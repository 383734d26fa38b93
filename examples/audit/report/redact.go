package report

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"unicode"
)

// Hidden stands in the place of what may be a secret.
const Hidden = "[hidden]"

var (
	// What stands before an @: userinfo, unless a digest stands behind it.
	beforeAt    = regexp.MustCompile(`[^\s"'<>(),;=\[\]{}@]+@`)
	digestBegin = regexp.MustCompile(`^(?:sha256|sha384|sha512):[0-9a-fA-F]{32,}`)
	// Tokens of known forms: JSON web tokens, OpenShift's, GitHub's, GitLab's, AWS's, and
	// what follows a word that announces one.
	tokens = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]+)*|sha256~[A-Za-z0-9_-]+|gh[a-z]_[A-Za-z0-9]{20,}|glpat-[A-Za-z0-9_-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|-----BEGIN [A-Z ]*PRIVATE KEY-----`)
	named  = regexp.MustCompile(`(?i)\b(bearer|basic|password|passwd|token|secret|api[_-]?key|auth)("?\s*[:=]\s*"?|\s+)([A-Za-z0-9+/_~.=-]{8,})`)
	// A long word of small and capital letters and digits is no name of Kubernetes.
	words = regexp.MustCompile(`[A-Za-z0-9+_~=-]{20,}`)
)

// Redact takes out of a text what may be a secret: credentials in URLs and pull specs,
// and what looks like a token.
//
// It takes out control characters too, with which a terminal could be made to show
// something else.
func Redact(s string) string {
	s = strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return '?'
		}
		return r
	}, s)
	if strings.Contains(s, "@") {
		s = redactUserinfo(s)
	}
	if len(s) < 8 {
		return s
	}
	s = tokens.ReplaceAllString(s, Hidden)
	s = named.ReplaceAllStringFunc(s, func(m string) string {
		parts := named.FindStringSubmatch(m)
		if !strings.ContainsAny(parts[3], "0123456789") && !strings.ContainsAny(parts[2], ":=") {
			return m // "token is missing" and its like
		}
		return parts[1] + parts[2] + Hidden
	})
	return words.ReplaceAllStringFunc(s, func(w string) string {
		if mixed(w) {
			return Hidden
		}
		return w
	})
}

func redactUserinfo(s string) string {
	var b strings.Builder
	for {
		at := beforeAt.FindStringIndex(s)
		if at == nil {
			b.WriteString(s)
			return b.String()
		}
		if digestBegin.MatchString(s[at[1]:]) {
			b.WriteString(s[:at[1]])
		} else {
			b.WriteString(s[:at[0]])
			b.WriteString(Hidden + "@")
		}
		s = s[at[1]:]
	}
}

// mixed reports whether a word looks random: letters of both cases and digits, with
// more changes between them than camel case words have. In a random word, about 62 of
// 100 letters differ in their class from the one before.
func mixed(w string) bool {
	var lower, upper, digit bool
	changes, last := 0, rune(0)
	for _, r := range w {
		var class rune
		switch {
		case r >= 'a' && r <= 'z':
			class, lower = 'a', true
		case r >= 'A' && r <= 'Z':
			class, upper = 'A', true
		case r >= '0' && r <= '9':
			class, digit = '0', true
		}
		if last != 0 && class != 0 && class != last {
			changes++
		}
		if class != 0 {
			last = class
		}
	}
	return lower && upper && digit && changes*100 >= 42*len(w)
}

// redact goes through every text of the report, whatever field it is in.
func (r *Report) redact() { redactValue(reflect.ValueOf(r).Elem()) }

func redactValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(Redact(v.String()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			redactValue(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			redactValue(v.Field(i))
		}
	case reflect.Slice:
		if raw, ok := v.Interface().(json.RawMessage); ok {
			v.Set(reflect.ValueOf(json.RawMessage(Redact(string(raw)))))
			return
		}
		for i := range v.Len() {
			redactValue(v.Index(i))
		}
	case reflect.Map:
		// The maps count things by the names of codes and kinds.
		clean := reflect.MakeMap(v.Type())
		for _, key := range v.MapKeys() {
			name := reflect.New(key.Type()).Elem()
			name.SetString(Redact(key.String()))
			clean.SetMapIndex(name, v.MapIndex(key))
		}
		if v.CanSet() && !v.IsNil() {
			v.Set(clean)
		}
	}
}
