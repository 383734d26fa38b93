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
	if isPlain(s, dash|dot) {
		return nil
	}
	return validation.IsValidLabelValue(s)
}

// checkNamespace returns why s is no name of a namespace.
func checkNamespace(s string) []string {
	if isPlain(s, dash) {
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
		return isPlainSubdomain(s[:i]) && isPlain(s[i+1:], dash|dot|underscore)
	}
	return isPlain(s, dash|dot|underscore)
}

// A kind of byte that plain names are made of.
type byteKind uint8

const (
	alphanumeric byteKind = 1 << iota // lower-case letters and digits
	dash
	dot
	underscore
	other
)

var byteKinds = func() (kinds [256]byteKind) {
	for c := range kinds {
		kinds[c] = other
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
			kinds[c] = alphanumeric
		}
	}
	kinds['-'], kinds['.'], kinds['_'] = dash, dot, underscore
	return kinds
}()

// isPlain reports whether s is at most 63 lower-case letters and digits, and some
// of the inner characters between them. Nearly all names and label values are,
// and for them the regular expressions of apimachinery would take as long as
// copying a cron does.
func isPlain(s string, inner byteKind) bool {
	if s == "" || len(s) > validation.DNS1123LabelMaxLength {
		return false
	}
	var all byteKind // gathered, which is faster than to branch at each byte
	for i := range len(s) {
		all |= byteKinds[s[i]]
	}
	return all&^(alphanumeric|inner) == 0 && byteKinds[s[0]]&byteKinds[s[len(s)-1]] == alphanumeric
}

// isPlainSubdomain reports whether s has at most 63 bytes and is plain labels with
// dots between them.
func isPlainSubdomain(s string) bool {
	if len(s) > validation.DNS1123LabelMaxLength {
		return false
	}
	var all, bare byteKind
	before := dot
	for i := range len(s) {
		kind := byteKinds[s[i]]
		all |= kind
		// A dot has a letter or a digit on each side.
		if pair := kind | before; pair&alphanumeric == 0 {
			bare |= pair
		}
		before = kind
	}
	return all&^(alphanumeric|dash|dot) == 0 && bare&dot == 0 && before == alphanumeric
}
