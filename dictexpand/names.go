package dictexpand

import "strings"

// isSubdomain reports whether s is a DNS-1123 subdomain of whatever length:
// labels of lower case letters, digits and inner hyphens, joined by dots.
func isSubdomain(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if c := label[i]; !isLower(c) && !isDigit(c) && c != '-' {
				return false
			}
		}
	}
	return true
}

// isLabelValue reports whether s may be the value of a label, but for its
// length: empty, or letters, digits and inner hyphens, underscores and dots.
func isLabelValue(s string) bool {
	if s == "" {
		return true
	}
	if !isAlphanumeric(s[0]) || !isAlphanumeric(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isAlphanumeric(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

func isLower(c byte) bool        { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool        { return '0' <= c && c <= '9' }
func isAlphanumeric(c byte) bool { return isLower(c) || isDigit(c) || 'A' <= c && c <= 'Z' }
