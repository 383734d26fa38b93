package buildplan

import (
	"errors"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

// TestIdentityNames: whatever tells builds apart is in their names (rule 19).
func TestIdentityNames(t *testing.T) {
	whole := func() identity {
		return identity{"worker", "pool", "rendered-1", "registry.example.com/os:1", []requirement{{"amd64", "a"}, {"arm64", "b"}}}
	}
	base := whole()
	seen := map[string]string{base.name(0): "nothing"}
	for name, change := range map[string]func(id *identity){
		"config":               func(id *identity) { id.config = "infra" },
		"pool":                 func(id *identity) { id.pool = "poolx" },
		"rendered config":      func(id *identity) { id.rendered = "rendered-2" },
		"push spec":            func(id *identity) { id.pushSpec = "registry.example.com/os:2" },
		"architecture":         func(id *identity) { id.required[0].architecture = "s390x" },
		"key":                  func(id *identity) { id.required[1].key = "c" },
		"an architecture less": func(id *identity) { id.required = id.required[:1] },
		"where a text ends":    func(id *identity) { id.pool, id.rendered = "poolr", "endered-1" },
	} {
		id := whole()
		change(&id)
		if other, taken := seen[id.name(0)]; taken {
			t.Errorf("another %s: the same name as with another %s", name, other)
		}
		seen[id.name(0)] = name
	}
	if base.name(0) == base.name(1) {
		t.Error("two attempts have one name")
	}
	long := whole()
	long.pool = strings.Repeat("p", 100)
	if name := long.name(0); len(name) != maxBuildName || !strings.HasPrefix(name, strings.Repeat("p", maxBuildName-1-hashDigits)+"-") {
		t.Errorf("the name of a long pool is %s", name)
	}
}

func TestJobNames(t *testing.T) {
	build := strings.Repeat("b", maxBuildName)
	for _, tc := range []struct{ build, suffix, want string }{
		{"build", "amd64", "build-amd64"},
		{build, publishSuffix, build + "-publish"},                                                                    // 63 characters
		{build + "b", publishSuffix, build + "b-" + buildplantest.Digest(publishSuffix)[7:][:6]},                      // 64
		{"build", "AMD64", "build-" + buildplantest.Digest("AMD64")[7:][:hashDigits]},                                 // no label
		{strings.Repeat("b", 70), "amd64", strings.Repeat("b", 70) + "-"},                                             // no room at all
		{"build", strings.Repeat("a", 58), "build-" + buildplantest.Digest(strings.Repeat("a", 58))[7:][:hashDigits]}, // 64
		{"build", strings.Repeat("a", 57), "build-" + strings.Repeat("a", 57)},                                        // 63
	} {
		if got := jobName(tc.build, tc.suffix); got != tc.want {
			t.Errorf("jobName(%s, %s) = %s, want %s", tc.build, tc.suffix, got, tc.want)
		}
	}
	// isJobName is the same without making the name.
	builds := []string{"", "b", "build", "build-amd64", build, build + "b", strings.Repeat("b", 70)}
	suffixes := []string{"", "amd64", "arm64", "AMD64", publishSuffix, strings.Repeat("a", 57), strings.Repeat("a", 58)}
	var names []string
	for _, b := range builds {
		for _, s := range suffixes {
			names = append(names, jobName(b, s), b+"-"+s, b+"x"+s, b+"-"+s+"x", b)
		}
	}
	for _, b := range builds {
		for _, s := range suffixes {
			for _, name := range names {
				if got, want := isJobName(name, b, s), name == jobName(b, s); got != want {
					t.Errorf("isJobName(%s, %s, %s) = %v", name, b, s, got)
				}
			}
		}
	}
}

func TestReadable(t *testing.T) {
	for in, want := range map[string]string{
		"": "build", "---": "build", "worker": "worker", "az09": "az09", "a_b": "a-b", "-a-": "a",
		"Ab": "b", "`a{b": "a-b", "/0:9": "0-9", "w\u00f6rker": "w-rker",
	} {
		if got := readable(in); got != want {
			t.Errorf("readable(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLabelValue(t *testing.T) {
	fits := strings.Repeat("x", 63)
	if got := labelValue(fits); got != fits {
		t.Errorf("63 characters became %s", got)
	}
	if got := labelValue(fits + "x"); len(got) != 63 || got == fits {
		t.Errorf("64 characters became %s", got)
	}
}

func TestDigests(t *testing.T) {
	digest := buildplantest.Digest("x")
	sum := strings.TrimPrefix(digest, "sha256:")
	for s, want := range map[string]bool{
		sum: true, strings.Repeat("09af", 16): true, sum[:63]: false, sum + "0": false, "": false,
		sum[:63] + "g": false, sum[:63] + "/": false, sum[:63] + ":": false, sum[:63] + "`": false, sum[:63] + "A": false,
	} {
		if isKey(s) != want {
			t.Errorf("isKey(%q) is not %v", s, want)
		}
	}
	for s, want := range map[string]bool{
		digest: true, "os@" + digest: true, "a@b@" + digest: true, "os@" + sum: false, sum: false, "os@sha512:" + sum: false, "os": false, "": false,
	} {
		if got, ok := digestOf(s); ok != want || want && got != digest {
			t.Errorf("digestOf(%q) = %s, %v", s, got, ok)
		}
	}
	for s, want := range map[string]bool{
		"os@" + digest: true, digest: false, "@" + digest: false, "a@b@" + digest: false, "os@" + sum: false, "os:latest": false, "os@": false, "": false,
	} {
		if isPullSpec(s) != want {
			t.Errorf("isPullSpec(%q) is not %v", s, want)
		}
	}
}

func TestAnnotationNames(t *testing.T) {
	for _, a := range []string{"amd64", "arm64", "ppc64le", "s390x", "riscv64", ""} {
		if got, want := namesOf(a), (annotationNames{AnnotationKey + a, AnnotationImage + a, AnnotationFrom + a}); got != want {
			t.Errorf("of %s: %v", a, got)
		}
	}
}

func TestParseAttempt(t *testing.T) {
	for s, want := range map[string]int{"": 0, "0": 0, "7": 7, "999": 999, "1000": -1, "1001": -1, "-1": -1, "x": -1} {
		if got, ok := parseAttempt(s, 1000); ok != (want >= 0) || got != max(want, 0) {
			t.Errorf("parseAttempt(%q) = %d, %v", s, got, ok)
		}
	}
}

// TestWhyNotARepository has the reason that people read, for each kind of mistake.
func TestWhyNotARepository(t *testing.T) {
	room := maxPullSpec - len("@sha256:") - 64
	fits := "registry.example.com/" + strings.Repeat("a", room-len("registry.example.com/"))
	for _, tc := range []struct{ repository, digestable, repositoryWhy string }{
		{"registry.example.com/os", "", ""},
		{"registry.example.com:12/ns/os", "", ""},
		{"registry.example.com:12345/ns/os", "", ""},
		{"registry.example.com", "no path after", "no path after"},
		{"registry.example.com:5000", "no path after", "no path after"},
		{"registry.example.com:5/os", "a port", "a port"},
		{"registry.example.com:123456/os", "a port", "a port"},
		{"registry.example.com:a5/os", "a port", "a port"},
		{"registry_x.example.com/os", "a host that", "a host that"},
		{"registry..com/os", "a host that", "a host that"},
		{"localhost/os", "without a dot", ""},
		{"localhost:5000/os", "without a dot", ""},
		{"registry/os", "without a dot", "the host of a registry"},
		{"registry.example.com/a/b/os", "more than one path level", ""},
		{"registry.example.com/a$/os", "a path level", "a path that"},
		{"registry.example.com/a.b/os", "a path level", ""},
		{"registry.example.com//os", "a path level", "a path that"},
		{"registry.example.com/" + strings.Repeat("n", 61) + "/os", "", ""},
		{"registry.example.com/" + strings.Repeat("n", 62) + "/os", "a path level", ""},
		{"registry.example.com/o$s", "a name that", "a path that"},
		{"registry.example.com/", "a name that", "a path that"},
		{"registry.example.com/OS", "", "a path that"},
		{"registry.example.com/-os", "", "a path that"},
		{"registry.example.com/os-", "", "a path that"},
		{"https://registry.example.com/os", "a port", "a scheme"},
		{"registry.example.com/os:v1", "a name that", "a tag"},
		{"registry.example.com/os@sha256:x", "a name that", "a digest"},
		{fits, "", ""},
		{fits + "a", "too long", "too long"},
	} {
		for what, why := range map[string][2]string{"digestable": {notDigestable(tc.repository), tc.digestable}, "repository": {notRepository(tc.repository), tc.repositoryWhy}} {
			if got, want := why[0], why[1]; (got == "") != (want == "") || !strings.Contains(got, want) {
				t.Errorf("%s, as a %s: %q, want %q", tc.repository, what, got, want)
			}
		}
	}
}

func TestSplitTag(t *testing.T) {
	for in, want := range map[string][2]string{
		"a/b:c": {"a/b", "c"}, "a/b": {"a/b", ""}, "a:5/b": {"a:5/b", ""}, "a:5/b:c": {"a:5/b", "c"}, "a/b:c/d": {"a/b:c/d", ""}, "a:b": {"a", "b"}, "": {"", ""},
	} {
		if repository, tag := splitTag(in); repository != want[0] || tag != want[1] {
			t.Errorf("splitTag(%s) = %s, %s", in, repository, tag)
		}
	}
}

func TestConsistsOf(t *testing.T) {
	for in, want := range map[string]bool{
		"": true, "azAZ09": true, "a-b": true, "a_b": false, "a/b": false, "a:b": false, "a@b": false, "a[b": false, "a`b": false, "a{b": false, "\u00e9": false,
	} {
		if got := consistsOf(in, "-"); got != want {
			t.Errorf("consistsOf(%q) = %v", in, got)
		}
	}
}

// What errors say with nothing in them, and with everything.
func TestErrorTexts(t *testing.T) {
	const lost = "records were lost or edited since the build was created: restore them, or delete the build"
	cause := errors.New("cause")
	for want, err := range map[string]error{
		"invalid argument":              &InputError{},
		"is nil":                        &InputError{Detail: "is nil"},
		"Facts: is nil":                 &InputError{"Facts", "is nil"},
		lost:                            &RecordError{},
		"images are missing":            &IncompleteError{},
		"the image cannot be published": &ImageError{},
		"cause":                         &ImageError{Err: cause},
		"amd64: cause":                  &ImageError{"amd64", cause},
		"machineosbuilds[b].metadata.annotations: " + lost: &RecordError{"b"},
		"machineosbuilds[b] has no image for amd64, arm64": &IncompleteError{"b", []string{"amd64", "arm64"}},
	} {
		if got := err.Error(); got != want {
			t.Errorf("%#v prints %q, want %q", err, got, want)
		}
	}
}
