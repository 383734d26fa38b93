package dictexpand

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// checkSubdomain returns why s is no DNS-1123 subdomain.
func checkSubdomain(s string) []string {
	if isPlainSubdomain(s) {
		return nil
	}
	return validation.IsDNS1123Subdomain(s)
}

// checkLabelValue returns why s cannot be the value of a label.
func checkLabelValue(s string) []string {
	if isPlain(s, "-.") {
		return nil
	}
	return validation.IsValidLabelValue(s)
}

// checkNamespace returns why s is no name of a namespace.
func checkNamespace(s string) []string {
	if isPlain(s, "-") {
		return nil
	}
	return validation.IsDNS1123Label(s)
}

// checkKey returns why s cannot be the key of a label.
func checkKey(s string) []string {
	if isPlainKey(s) {
		return nil
	}
	return validation.IsQualifiedName(s)
}

func isPlainKey(s string) bool {
	if i := strings.IndexByte(s, '/'); i >= 0 {
		return isPlainSubdomain(s[:i]) && isPlain(s[i+1:], "-._")
	}
	return isPlain(s, "-._")
}

// isPlain reports whether s is at most 63 lower-case letters and digits, and some
// of the inner characters between them. Nearly all names and label values are,
// and for them the regular expressions of apimachinery would take as long as
// copying a cron does.
func isPlain(s, inner string) bool {
	if s == "" || len(s) > validation.DNS1123LabelMaxLength || !isPlainByte(s[0]) || !isPlainByte(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isPlainByte(c) && strings.IndexByte(inner, c) < 0 {
			return false
		}
	}
	return true
}

// isPlainSubdomain reports whether s has at most 63 bytes and is plain labels with
// dots between them.
func isPlainSubdomain(s string) bool {
	if len(s) > validation.DNS1123LabelMaxLength {
		return false
	}
	before := byte('.')
	for i := range len(s) {
		c := s[i]
		if !isPlainByte(c) && (before == '.' || c != '-' && (c != '.' || before == '-')) {
			return false
		}
		before = c
	}
	return isPlainByte(before)
}

func isPlainByte(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
