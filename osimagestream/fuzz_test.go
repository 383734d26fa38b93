package osimagestream

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// Whatever the bytes: a typed error without a result, or a payload from which
// discovery yields only what the CRD takes.
func FuzzParseImageReferences(f *testing.F) {
	s := osimagestreamtest.NewWorld().Pair("stream-coreos", "centos-10").Sources()
	s.Payload.Kind, s.Payload.APIVersion = "ImageStream", "image.openshift.io/v1"
	good, err := json.Marshal(s.Payload)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)                                                                                                                                                          // a payload
	f.Add(good[:len(good)/2])                                                                                                                                            // cut short
	f.Add(append(good[:len(good):len(good)], '{'))                                                                                                                       // trailing data
	f.Add([]byte(`{"kind":"ImageStreamList","apiVersion":"v1"}`))                                                                                                        // wrong kind
	f.Add([]byte(`{"kind":"ImageStream","apiVersion":"v1","spec":{"tags":[{"name":"rhel-coreos"},{"name":"rhel-coreos","from":{"kind":"DockerImage","name":"x@@"}}]}}`)) // a tag twice, of no image
	f.Add([]byte(`null`))                                                                                                                                                // no object
	f.Add([]byte{0xff, 0xfe})                                                                                                                                            // no UTF-8
	f.Fuzz(func(t *testing.T, data []byte) {
		is, err := ParseImageReferences(data)
		if err != nil {
			var e *ImageReferencesError
			if !errors.As(err, &e) || e.Code == "" || is != nil {
				t.Fatalf("ParseImageReferences = %v, %#v", is, err)
			}
			return
		}
		if is.Kind != "ImageStream" {
			t.Fatalf("kind %q", is.Kind)
		}
		sources := Sources{Payload: is, Labels: map[string]map[string]string{}}
		for i, image := range sources.Images() {
			sources.Labels[image] = map[string]string{LabelStream: "a", []string{LabelOS, LabelExtensions}[i%2]: "true"}
		}
		taken := func(d Discovery) {
			for _, s := range d.Streams {
				if !osimagestreamtest.TakesStreamName(s.Name) || !osimagestreamtest.TakesPullSpec(string(s.OSImage)) || !osimagestreamtest.TakesPullSpec(string(s.OSExtensionsImage)) {
					t.Fatalf("the CRD does not take %v", s)
				}
			}
		}
		taken(Discover(sources))
		sources.Labels, sources.AssumeStream = nil, "a"
		taken(Discover(sources))
	})
}

// The matchers are written by hand; the patterns that they stand for are the measure.
func FuzzPullSpec(f *testing.F) {
	f.Add(pull("a"))                      // as releases have them
	f.Add("localhost:5000/a/b@sha256:00") // a port, a digest cut short
	f.Add("a.b:12/" + pull("x")[8:])      // another host
	f.Add("a..b/c" + pull("x")[19:])      // a host that is none
	f.Fuzz(func(t *testing.T, s string) {
		if (checkPullSpec(s) == "") != osimagestreamtest.TakesPullSpec(s) {
			t.Fatalf("%q: %q, the CRD says %t", s, checkPullSpec(s), osimagestreamtest.TakesPullSpec(s))
		}
	})
}

func FuzzTagName(f *testing.F) {
	f.Add("rhel-coreos-extensions") // of OCP
	f.Add("centos-10-coreos")       // a version within
	f.Add("stream-coreos\n")        // more than a name
	f.Add("rhel-core\u00f6s")       // not of ASCII
	f.Fuzz(func(t *testing.T, s string) {
		if isOSTag(s) != osimagestreamtest.CandidateOracle(tag(s, "x")) {
			t.Fatalf("%q: a candidate %t", s, isOSTag(s))
		}
	})
}
