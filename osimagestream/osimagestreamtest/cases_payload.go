package osimagestreamtest

import (
	"bytes"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
)

// A PullSpecCase is a pull spec that the CRD takes or not.
type PullSpecCase struct {
	Rules, Name string
	PullSpec    string
	Taken       bool
}

// PullSpecCases are pull specs.
func PullSpecCases() []PullSpecCase {
	const digest = "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	return []PullSpecCase{
		{"pull-spec-is-checked", "namespace and name", "quay.io/okd/scos-content" + digest, true},
		{"pull-spec-is-checked", "no namespace", "quay.io/scos" + digest, true},
		{"pull-spec-is-checked", "port", "registry.example.com:5000/okd/scos" + digest, true},
		{"pull-spec-is-checked", "address", "127.0.0.1:5000/okd/scos" + digest, true},
		{"pull-spec-is-checked", "empty name, which the CRD takes", "quay.io/okd/" + digest, true},
		{"pull-spec-is-checked", "one namespace at most", "registry.ci.openshift.org/origin/scos-10/stream-coreos" + digest, false},
		{"pull-spec-is-checked", "host without a dot", "localhost:5000/okd/scos" + digest, false},
		{"pull-spec-is-checked", "host with an empty label", "quay..io/okd/scos" + digest, false},
		{"pull-spec-is-checked", "port of five digits", "quay.io:12345/okd/scos" + digest, true},
		{"pull-spec-is-checked", "port with a letter", "quay.io:80a/okd/scos" + digest, false},
		{"pull-spec-is-checked", "host with an underscore", "qu_ay.io/okd/scos" + digest, false},
		{"pull-spec-is-checked", "a host alone", "quay.io" + digest, false},
		{"pull-spec-is-checked", "a long name without a namespace", "quay.io/" + strings.Repeat("a", 70) + digest, true},
		{"pull-spec-is-checked", "a name with a dot, without a namespace", "quay.io/a.b" + digest, true},
		{"pull-spec-is-checked", "a digest without its algorithm", "quay.io/okd/scos@" + digest[8:], false},
		{"pull-spec-is-checked", "a digit that is not hexadecimal", "quay.io/okd/scos" + digest[:71] + "g", false},
		{"pull-spec-is-checked", "port of one digit", "quay.io:1/okd/scos" + digest, false},
		{"pull-spec-is-checked", "port of six digits", "quay.io:123456/okd/scos" + digest, false},
		{"pull-spec-is-checked", "no host", "scos" + digest, false},
		{"pull-spec-is-checked", "namespace of 61", "quay.io/" + strings.Repeat("a", 61) + "/scos" + digest, true},
		{"pull-spec-is-checked", "namespace of 62", "quay.io/" + strings.Repeat("a", 62) + "/scos" + digest, false},
		{"pull-spec-is-checked", "namespace with a dot", "quay.io/a.b/scos" + digest, false},
		{"pull-spec-is-checked", "by tag", "quay.io/okd/scos:10", false},
		{"pull-spec-is-checked", "by tag and digest", "quay.io/okd/scos:10" + digest, false},
		{"pull-spec-is-checked", "short digest", "quay.io/okd/scos@sha256:0123", false},
		{"pull-spec-is-checked", "upper-case digest", "quay.io/okd/scos" + strings.ToUpper(digest), false},
		{"pull-spec-is-checked", "another algorithm", "quay.io/okd/scos@sha512:" + digest[8:], false},
		{"pull-spec-is-checked", "two digests", "quay.io/okd/scos" + digest + digest, false},
		{"pull-spec-is-checked", "447 characters", "quay.io/okd/" + strings.Repeat("a", 447-12-len(digest)) + digest, true},
		{"pull-spec-is-checked", "448 characters", "quay.io/okd/" + strings.Repeat("a", 448-12-len(digest)) + digest, false},
		{"pull-spec-is-checked", "empty", "", false},
	}
}

// A CandidateCase is a row of Candidate.
type CandidateCase struct {
	Rules, Name string
	Tag         imagev1.TagReference
	Want        bool
	Findings    []Finding // that package osimagestream reports
}

// CandidateCases are the rows of Candidate.
func CandidateCases() []CandidateCase {
	const byName, byOKDName, byOrigin, image = "tag-by-its-name", "tag-of-okd-by-its-name", "tag-by-its-origin", "tag-points-to-an-image"
	named := func(name string) imagev1.TagReference { return Tag(name, PullSpec(name)) }
	from := func(name, source string) imagev1.TagReference {
		t := named(name)
		t.Annotations = map[string]string{sourceAnnotation: source}
		return t
	}
	pointing := func(name string, to *corev1.ObjectReference) imagev1.TagReference {
		return imagev1.TagReference{Name: name, From: to}
	}
	noImage := []Finding{{"NotDockerImage", "image-references.spec.tags[rhel-coreos].from"}}
	return []CandidateCase{
		{byName, "rhel-coreos", named("rhel-coreos"), true, nil},
		{byName, "rhel-coreos-extensions", named("rhel-coreos-extensions"), true, nil},
		{byName, "rhel-coreos-10", named("rhel-coreos-10"), true, nil},
		{byName, "rhel-10-coreos", named("rhel-10-coreos"), true, nil},
		{byName, "rhel9.6-coreos", named("rhel9.6-coreos"), true, nil},
		{byName, "stream-coreos", named("stream-coreos"), true, nil},
		{byName, "stream-coreos-extensions", named("stream-coreos-extensions"), true, nil},
		// Seen in MCO: its pattern misses the names that OKD would use.
		{byOKDName, "centos-10-coreos", named("centos-10-coreos"), true, nil},
		{byOKDName, "centos-10-coreos-extensions", named("centos-10-coreos-extensions"), true, nil},
		{byOKDName, "scos-10-coreos", named("scos-10-coreos"), true, nil},
		{byName, "fedora-coreos", named("fedora-coreos"), false, nil},
		{byName, "coreos-installer", named("coreos-installer"), false, nil},
		{byName, "machine-config-operator", named("machine-config-operator"), false, nil},
		{byName, "no dash", named("rhelcoreos"), false, nil},
		{byName, "an underscore", named("rhel-coreos_10"), false, nil},
		{byName, "something in front", named("my-rhel-coreos"), false, nil},
		{byName, "upper-case letters", named("rhel-AZ-coreos"), true, nil},
		{byName, "a tilde", named("rhel-coreos~"), false, nil},
		{byName, "a line break", named("rhel-coreos\n"), false, nil},
		{byName, "a tag without a name", named(""), false, nil},
		{byOrigin, "by annotation", from("node-image", "https://github.com/openshift/os"), true, nil},
		{byOrigin, "by annotation with a revision", from("node-image", "git+https://github.com/openshift/os.git#v1"), true, nil},
		{byOrigin, "annotation of another repository", from("node-image", "https://github.com/openshift/etcd"), false, nil},
		{byName, "annotation of another repository on a name that matches", from("rhel-coreos", "https://github.com/openshift/etcd"), true, nil},
		{image, "no from", pointing("rhel-coreos", nil), false, noImage},
		{image, "from another stream", pointing("rhel-coreos", &corev1.ObjectReference{Kind: "ImageStreamTag", Name: "a:b"}), false, noImage},
		{image, "no from on a tag that does not matter", pointing("etcd", nil), false, nil},
	}
}

// A PayloadCase is a row of ReadPayload.
type PayloadCase struct {
	Rules, Name, Data string
	// Want are candidates that have to be there.
	Want []imagev1.TagReference
	// Code is what package osimagestream reports of bytes that are refused, "" where
	// they are read. Field and Value go with it.
	Code, Field, Value string
}

// PayloadCases are the rows of ReadPayload.
func PayloadCases() []PayloadCase {
	const limit = 4 << 20
	padded := func(n int) string {
		b := `{"kind":"ImageStream","apiVersion":"image.openshift.io/v1"}`
		return b + string(bytes.Repeat([]byte(" "), n-len(b)))
	}
	annotated := Tag("node-image", "b")
	annotated.Annotations = map[string]string{sourceAnnotation: "https://github.com/openshift/os"}
	const size, form, kind, read = "payload-has-a-size-limit", "payload-is-json", "payload-is-an-image-stream", "payload-keeps-candidates"
	return []PayloadCase{
		{read, "a payload", `{"kind":"ImageStream","apiVersion":"image.openshift.io/v1","metadata":{"name":"4.22.0"},"spec":{"tags":[{"name":"a"}]}}`, nil, "", "", ""},
		{read, "candidates, each with its name and its origin", `{"kind":"ImageStream","apiVersion":"image.openshift.io/v1","spec":{"tags":[` +
			`{"name":"rhel-coreos","from":{"kind":"DockerImage","name":"a"}},{"name":"etcd","from":{"kind":"DockerImage","name":"c"}},` +
			`{"name":"node-image","annotations":{"io.openshift.build.source-location":"https://github.com/openshift/os"},"from":{"kind":"DockerImage","name":"b"}}]}}`,
			[]imagev1.TagReference{Tag("rhel-coreos", "a"), annotated}, "", "", ""},
		{read, "a candidate without an origin", `{"kind":"ImageStream","apiVersion":"image.openshift.io/v1","spec":{"tags":[{"name":"rhel-coreos"},{"name":"etcd"}]}}`,
			[]imagev1.TagReference{{Name: "rhel-coreos"}}, "", "", ""},
		{read, "origins of which half is there", `{"kind":"ImageStream","apiVersion":"image.openshift.io/v1","spec":{"tags":[` +
			`{"name":"rhel-coreos","from":{"name":"a"}},{"name":"stream-coreos","from":{"kind":"DockerImage"}}]}}`,
			[]imagev1.TagReference{{Name: "rhel-coreos", From: &corev1.ObjectReference{Name: "a"}}, {Name: "stream-coreos", From: &corev1.ObjectReference{Kind: "DockerImage"}}},
			"", "", ""},
		{read, "unknown fields", `{"kind":"ImageStream","apiVersion":"image.openshift.io/v1","new":1}`, nil, "", "", ""},
		{kind, "the API version of old releases", `{"kind":"ImageStream","apiVersion":"v1"}`, nil, "", "", ""},
		{size, "as large as may be", padded(limit), nil, "", "", ""},
		{size, "a byte too large", padded(limit + 1), nil, "TooLarge", "", "4194305"},
		{kind, "wrong kind", `{"kind":"ImageStreamList","apiVersion":"image.openshift.io/v1"}`, nil, "WrongKind", "kind", "ImageStreamList"},
		{kind, "no kind", `{}`, nil, "WrongKind", "kind", ""},
		{kind, "null", `null`, nil, "WrongKind", "kind", ""},
		{kind, "wrong group", `{"kind":"ImageStream","apiVersion":"apps/v1"}`, nil, "WrongKind", "apiVersion", "apps/v1"},
		{form, "no JSON", `kind: ImageStream`, nil, "Malformed", "", ""},
		{form, "no data", ``, nil, "Malformed", "", ""},
		{form, "trailing data", `{"kind":"ImageStream","apiVersion":"image.openshift.io/v1"}{}`, nil, "Malformed", "", ""},
		{form, "tags of the wrong type", `{"kind":"ImageStream","apiVersion":"image.openshift.io/v1","spec":{"tags":7}}`, nil, "Malformed", "", ""},
	}
}
