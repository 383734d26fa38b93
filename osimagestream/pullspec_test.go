package osimagestream

import (
	"strings"
	"testing"
)

func TestPullSpecs(t *testing.T) {
	const digest = "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for _, tc := range []struct {
		name, spec string
		ok         bool
	}{
		{"18: namespace and name", "quay.io/okd/scos-content" + digest, true},
		{"18: no namespace", "quay.io/scos" + digest, true},
		{"18: port", "registry.example.com:5000/okd/scos" + digest, true},
		{"18: address", "127.0.0.1:5000/okd/scos" + digest, true},
		{"18: empty name, which the CRD takes", "quay.io/okd/" + digest, true},
		{"18: one namespace at most", "registry.ci.openshift.org/origin/scos-10/stream-coreos" + digest, false},
		{"18: host without a dot", "localhost:5000/okd/scos" + digest, false},
		{"18: host with an empty label", "quay..io/okd/scos" + digest, false},
		{"18: port of one digit", "quay.io:1/okd/scos" + digest, false},
		{"18: port of six digits", "quay.io:123456/okd/scos" + digest, false},
		{"18: no host", "scos" + digest, false},
		{"18: namespace of 61", "quay.io/" + strings.Repeat("a", 61) + "/scos" + digest, true},
		{"18: namespace of 62", "quay.io/" + strings.Repeat("a", 62) + "/scos" + digest, false},
		{"18: namespace with a dot", "quay.io/a.b/scos" + digest, false},
		{"18: by tag", "quay.io/okd/scos:10", false},
		{"18: by tag and digest", "quay.io/okd/scos:10" + digest, false},
		{"18: short digest", "quay.io/okd/scos@sha256:0123", false},
		{"18: upper-case digest", "quay.io/okd/scos" + strings.ToUpper(digest), false},
		{"18: another algorithm", "quay.io/okd/scos@sha512:" + digest[8:], false},
		{"18: two digests", "quay.io/okd/scos" + digest + digest, false},
		{"18: 447 characters", "quay.io/okd/" + strings.Repeat("a", 447-12-len(digest)) + digest, true},
		{"18: 448 characters", "quay.io/okd/" + strings.Repeat("a", 448-12-len(digest)) + digest, false},
		{"18: empty", "", false},
	} {
		if got := checkPullSpec(tc.spec); (got == "") != tc.ok {
			t.Errorf("%s: %q", tc.name, got)
		}
		if got := crdPullSpec(tc.spec); got != tc.ok {
			t.Errorf("%s: the CRD says %t", tc.name, got)
		}
	}
}
