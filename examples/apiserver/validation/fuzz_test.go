package validation

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	"github.com/distribution/reference"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/importmode"
)

// FuzzImport: whatever the body of an import is, what is filled in is filled in once,
// checking changes nothing, and what passes names an image and a tag that can be stored.
func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"metadata":{"name":"app"},"spec":{"import":true,"images":[{"from":{"kind":"DockerImage","name":"quay.io/a/b:v1"},"importPolicy":{"importMode":"PreserveOriginal"}}]}}`), "demo")                   // as oc import-image sends it
	f.Add([]byte(`{"metadata":{"name":"app"},"spec":{"repository":{"from":{"kind":"DockerImage","name":"quay.io/a/b"},"referencePolicy":{"type":"Local"}}}}`), "demo")                                                // a whole repository
	f.Add([]byte(`{"metadata":{"name":"app"},"spec":{"images":[{"from":{"kind":"DockerImage","name":"a:b"},"to":{"name":"c"}}]}}`), "demo")                                                                           // to another tag
	f.Add([]byte(`{"spec":{"images":[{},{"to":{"name":""}},{"from":{"kind":"ImageStreamTag","name":"a:b:c"}}]}}`), "")                                                                                                // nothing is right
	f.Add([]byte(`{"metadata":{"name":"a/b"},"spec":{"images":[{"from":{"kind":"DockerImage","name":"a@sha256:0"},"to":{"name":"b/c"}}],"repository":{}}}`), "demo")                                                  // names of other forms
	f.Add([]byte(`{"metadata":{"name":"..%"},"spec":{"images":[{"from":{"kind":"DockerImage","name":"a:\u0000"},"importPolicy":{"importMode":"Whole"},"referencePolicy":{"type":"?"}}]}}`), strings.Repeat("n", 250)) // unknown words, a long namespace
	f.Add([]byte(`{"spec":null}`), "demo")                                                                                                                                                                            // nothing at all
	f.Fuzz(func(t *testing.T, body []byte, namespace string) {
		var request imagev1.ImageStreamImport
		if json.Unmarshal(body, &request) != nil {
			t.Skip("no import")
		}
		sent := request.DeepCopy()
		DefaultImport(&request)
		for i, image := range sent.Spec.Images {
			if image.To != nil && *image.To != *request.Spec.Images[i].To {
				t.Fatalf("%+v was asked for, and %+v stands there", image.To, request.Spec.Images[i].To)
			}
		}
		once := request.DeepCopy()
		if DefaultImport(&request); !gocmp.Equal(once, &request) {
			t.Fatalf("filled in once and twice:\n%s", gocmp.Diff(once, &request))
		}
		problems := Import(&request, namespace)
		importmode.DefaultImageStreamImport(nil, &request, nil, "", importmode.Options{})
		problems = append(problems, importmode.ValidateImageStreamImport(&request, nil)...)
		if !gocmp.Equal(once, &request) {
			t.Fatalf("the request is changed:\n%s", gocmp.Diff(once, &request))
		}
		checkProblems(t, problems)
		if len(problems) > 0 {
			return
		}
		if request.Name == "" || len(request.Spec.Images) == 0 && request.Spec.Repository == nil {
			t.Fatalf("nothing is imported to %q", request.Name)
		}
		for _, image := range request.Spec.Images {
			if _, err := reference.Parse(image.From.Name); err != nil {
				t.Fatalf("the image %q: %v", image.From.Name, err)
			}
			if to := image.To; to != nil && len(TagName(to.Name, nil)) > 0 {
				t.Fatalf("the tag %q", to.Name)
			}
		}
	})
}

// FuzzStream: whatever the body of an image stream is, what passes can be written back as
// it is, and has names under which its tags can be read.
func FuzzStream(f *testing.F) {
	f.Add([]byte(`{"metadata":{"name":"app","namespace":"demo"},"spec":{"tags":[{"name":"v1","from":{"kind":"DockerImage","name":"quay.io/a/b:v1"}}]}}`))       // as users write it
	f.Add([]byte(`{"metadata":{"name":"app"},"spec":{"dockerImageRepository":"a:b","tags":[{"name":""},{"name":"a"},{"name":"a"},{"name":"a/b"}]}}`))           // names that cannot be
	f.Add([]byte(`{"metadata":{"name":"app"},"spec":{"tags":[{"name":"a","from":{"kind":"ImageStreamTag","name":"a:b"},"importPolicy":{"scheduled":true}}]}}`)) // follows, and is scheduled
	f.Add([]byte(`{"metadata":{"name":"app"},"spec":{"tags":[{"name":"a"},{"name":"a"}]}}`))                                                                    // a tag twice
	f.Add([]byte(`{"spec":{"tags":[{"name":"a","from":{},"referencePolicy":{"type":"\u0000"}},null]}}`))                                                        // nothing is right
	f.Fuzz(func(t *testing.T, body []byte) {
		var stream imagev1.ImageStream
		if json.Unmarshal(body, &stream) != nil {
			t.Skip("no image stream")
		}
		was := stream.DeepCopy()
		DefaultReferencePolicies(&stream, TagsByName(was))
		DefaultReferencePolicies(&stream, nil)
		problems := Stream(&stream, nil)
		checkProblems(t, problems)
		for _, p := range Stream(&stream, &stream) {
			// What is stored may be put back, but for a tag of no name or of one that is
			// there twice: no server has stored it.
			if p.Type != field.ErrorTypeRequired && p.Type != field.ErrorTypeDuplicate && len(problems) == 0 {
				t.Fatalf("written back, it has %v", p)
			}
		}
		if len(problems) > 0 {
			return
		}
		if len(TagsByName(&stream)) != len(stream.Spec.Tags) {
			t.Fatal("a tag is there twice")
		}
		for _, tag := range stream.Spec.Tags {
			if !reference.TagRegexp.MatchString(tag.Name) || strings.ContainsAny(tag.Name, ":/@") || tag.ReferencePolicy.Type == "" {
				t.Fatalf("the tag %+v", tag)
			}
		}
	})
}

// checkProblems holds that each says where and what, and repeats no more of the object
// than a line.
func checkProblems(t *testing.T, problems field.ErrorList) {
	t.Helper()
	for _, p := range problems {
		if p.Field == "" || p.Type == "" || len(p.Error()) > 4<<10 {
			t.Fatalf("problem %q %q of %d bytes", p.Field, p.Type, len(p.Error()))
		}
	}
}

// FuzzAllowedRegistries: an entry of allowedRegistriesForImport allows what its wildcards
// say, and neither another host nor another port.
func FuzzAllowedRegistries(f *testing.F) {
	f.Add("quay.io", "quay.io/a/b:v1", false)               // a host, and the port of TLS
	f.Add("*.example.com:*", "a.example.com:5000/x", false) // wildcards
	f.Add("docker.io", "busybox", false)                    // Docker Hub as users write it
	f.Add("quay?io:80", "quay.io/a", true)                  // the port that is insecure
	f.Add("a.b:5000", "aXb:5000/x", false)                  // a dot is a dot
	f.Add("*:5000", "[::1]:5000/x", false)                  // an address of IPv6
	f.Add(":1", "a", false)                                 // no host
	f.Add("a:b:c", "a", false)                              // too many colons
	f.Add("[(\\E.*", "a.b/c", false)                        // what regular expressions are made of
	f.Fuzz(func(t *testing.T, domain, image string, insecure bool) {
		list := openshiftcontrolplanev1.AllowedRegistries{{DomainName: domain, Insecure: insecure}}
		allowed, err := NewAllowedRegistries(list)
		if err != nil {
			return
		}
		request := &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Images: []imagev1.ImageImportSpec{{}}}}
		request.Spec.Images[0].From.Name = image
		request.Spec.Images[0].ImportPolicy.Insecure = insecure
		refused := len(allowed.AdmitImport(request)) > 0
		if got, want := !refused, allowedOracle(domain, image, insecure); got != want {
			t.Fatalf("%q allows %q (insecure %t): %t", domain, image, insecure, got)
		}
	})
}

// allowedOracle tries each way to match.
func allowedOracle(domain, image string, insecure bool) bool {
	ref, err := name.ParseReference(image)
	if err != nil {
		return true // refused elsewhere, as no image
	}
	wanted, port, _ := strings.Cut(domain, ":")
	registry := ref.Context().RegistryStr()
	host, at, given := hostPort(registry)
	otherwise := "443"
	if insecure {
		otherwise = "80"
	}
	if port = cmp.Or(port, otherwise); !given {
		at = otherwise // a colon without a port behind it is refused
	}
	hosts := []string{host}
	if host == name.DefaultRegistry {
		hosts = append(hosts, "docker.io", "registry-1.docker.io")
	}
	for _, h := range hosts {
		if glob(wanted, h) && glob(port, at) {
			return true
		}
	}
	return false
}

// hostPort cuts a port off, if there is one: behind an address of IPv6 in brackets, or
// behind what has neither brackets nor a colon. Nothing else can be reached by a client.
func hostPort(registry string) (host, port string, given bool) {
	i := strings.LastIndexByte(registry, ':')
	if i < 0 {
		return registry, "", false
	}
	host, port = registry[:i], registry[i+1:]
	if inner, ok := strings.CutPrefix(host, "["); ok {
		if inner, ok = strings.CutSuffix(inner, "]"); ok && !strings.ContainsAny(inner+port, "[]") {
			return inner, port, true
		}
	}
	if strings.ContainsAny(host+port, ":[]") {
		return registry, "", false
	}
	return host, port, true
}

// glob reports whether the text is as the pattern, in which * is any text and ? one
// character.
func glob(pattern, text string) bool {
	characters := []rune(text)
	alike := make([]bool, len(characters)+1) // the pattern so far is as so many characters
	alike[0] = true
	for _, p := range pattern {
		next := make([]bool, len(alike))
		for i := range next {
			if p == '*' {
				next[i] = alike[i] || i > 0 && next[i-1]
			} else {
				next[i] = i > 0 && alike[i-1] && (p == '?' || p == characters[i-1])
			}
		}
		alike = next
	}
	return alike[len(characters)]
}
