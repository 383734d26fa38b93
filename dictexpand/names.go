package dictexpand

import "k8s.io/apimachinery/pkg/util/validation"

// checkSubdomain returns why s is no DNS-1123 subdomain.
func checkSubdomain(s string) []string {
	if isPlain(s) {
		return nil
	}
	return validation.IsDNS1123Subdomain(s)
}

// checkLabelValue returns why s cannot be the value of a label.
func checkLabelValue(s string) []string {
	if isPlain(s) {
		return nil
	}
	return validation.IsValidLabelValue(s)
}

// isPlain reports whether s is at most 63 lower-case letters, digits and inner
// hyphens. Nearly all names and label values are, and for them the regular
// expressions of apimachinery would take longer than the expansion itself.
func isPlain(s string) bool {
	if s == "" || len(s) > validation.DNS1123LabelMaxLength || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}
