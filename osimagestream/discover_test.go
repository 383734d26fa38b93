package osimagestream_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

func TestParseImageReferences(t *testing.T) {
	for _, c := range osimagestreamtest.PayloadCases() {
		t.Run(c.Name, func(t *testing.T) {
			is, err := osimagestream.ParseImageReferences([]byte(c.Data))
			if c.Code == "" {
				if err != nil || is == nil || len(is.Spec.Tags) != len(c.Want) {
					t.Fatalf("%v, %v", is, err)
				}
				return
			}
			var e *osimagestream.ImageReferencesError
			if !errors.As(err, &e) {
				t.Fatalf("error %v is not an *ImageReferencesError", err)
			}
			if is != nil {
				t.Error("a result beside the error")
			}
			if string(e.Code) != c.Code || e.Field != c.Field || e.Value != c.Value {
				t.Errorf("error %+v, want %s %s %s", *e, c.Code, c.Field, c.Value)
			}
			if (e.Code == osimagestream.ImageReferencesMalformed) != (e.Err != nil) || errors.Unwrap(err) != e.Err {
				t.Errorf("wrapped error %v", e.Err)
			}
			if e.Error() == "" {
				t.Error("no message")
			}
		})
	}
	var syntax *json.SyntaxError
	if _, err := osimagestream.ParseImageReferences([]byte("{")); !errors.As(err, &syntax) {
		t.Errorf("error %v does not lead to the cause", err)
	}
}

// Discover would not look at anything that is left out of the payload.
func TestParseKeepsWhatDiscoveryNeeds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := ours.Sources(osimagestreamtest.DrawSources(t, osimagestreamtest.Everything()))
		s.Payload.Kind, s.Payload.APIVersion, s.Payload.Name = "ImageStream", "image.openshift.io/v1", "5.0.0"
		for i := range s.Payload.Spec.Tags {
			s.Payload.Spec.Tags[i].Annotations = map[string]string{"other": "x"}
			if rapid.Bool().Draw(t, "annotated") {
				s.Payload.Spec.Tags[i].Annotations["io.openshift.build.source-location"] = "https://github.com/openshift/os"
			}
		}
		data, err := json.Marshal(s.Payload)
		if err != nil {
			t.Fatal(err)
		}
		want := osimagestream.Discover(s)
		if s.Payload, err = osimagestream.ParseImageReferences(data); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, osimagestream.Discover(s)); d != "" || s.Payload.Name != "5.0.0" {
			t.Fatalf("%s: %s", s.Payload.Name, d)
		}
	})
}

func TestCandidates(t *testing.T) {
	for _, c := range osimagestreamtest.CandidateCases() {
		t.Run(c.Name, func(t *testing.T) {
			d := osimagestream.Discover(osimagestream.Sources{Payload: osimagestreamtest.Payload(c.Tag), Labels: map[string]map[string]string{}})
			want := c.Findings
			if c.Want {
				want = []osimagestreamtest.Finding{{Code: "NotInspected", Path: "image-references.spec.tags[" + c.Tag.Name + "].from.name"}}
			}
			findings(t, want, d.Findings)
		})
	}
}

// It says what the tag points to.
func TestNotDockerImageNamesTheKind(t *testing.T) {
	tag := osimagestreamtest.Tag("rhel-coreos", "a:b")
	tag.From.Kind = "ImageStreamTag"
	d := osimagestream.Discover(osimagestream.Sources{Payload: osimagestreamtest.Payload(tag)})
	if len(d.Findings) != 1 || !strings.Contains(d.Findings[0].Detail, "ImageStreamTag") {
		t.Errorf("findings %v", d.Findings)
	}
}

func TestImagesAreSorted(t *testing.T) {
	for _, c := range osimagestreamtest.ImagesCases() {
		diff(t, c.Name, c.Want, ours.Sources(c.Sources).Images())
	}
}

func TestRoles(t *testing.T) {
	for _, c := range osimagestreamtest.RoleCases() {
		if _, both := osimagestream.RoleOf(c.Labels); both != c.Both {
			t.Errorf("%s: both %t", c.Name, both)
		}
	}
}

func TestDiscover(t *testing.T) {
	for _, c := range osimagestreamtest.DiscoverCases() {
		t.Run(c.Name, func(t *testing.T) {
			d := osimagestream.Discover(ours.Sources(c.Sources))
			diff(t, "streams", c.Want, d.Streams) // in this order
			problems(t, c.Problems, d.Problems)
			findings(t, c.Findings, d.Findings)
		})
	}
}

// Whatever is odd, and all at once.
func TestOracleDiscover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := osimagestreamtest.DrawSources(t, osimagestreamtest.Everything())
		streams, complete := osimagestreamtest.DiscoverOracle(s)
		got := osimagestream.Discover(ours.Sources(s))
		if d := cmp.Diff(streams, got.Streams); d != "" || complete != got.Complete {
			t.Fatalf("complete %t, want %t: %s", got.Complete, complete, d)
		}
	})
}

// A duplicate that says only "duplicate" helps nobody.
func TestDuplicateNamesBothDigestsAndWhy(t *testing.T) {
	w := osimagestreamtest.NewWorld().Image("rhel-z-coreos", "loser", osimagestreamtest.OSLabels("rhel-9")).Pair("rhel-coreos", "rhel-9")
	d := osimagestream.Discover(ours.Sources(w.Sources()))
	if len(d.Findings) != 1 {
		t.Fatalf("findings %v", d.Findings)
	}
	for _, part := range []string{osimagestreamtest.PullSpec("loser"), osimagestreamtest.PullSpec("rhel-9"), "rhel-coreos"} {
		if !strings.Contains(d.Findings[0].Detail, part) {
			t.Errorf("%q does not name %s", d.Findings[0].Detail, part)
		}
	}
}

// The order of tags, of maps and of streams does not matter.
func TestPropertyOrderDoesNotMatter(t *testing.T) {
	t.Run("26: any order", rapid.MakeCheck(func(t *rapid.T) {
		s := osimagestreamtest.DrawSources(t, osimagestreamtest.Everything())
		want := osimagestream.Discover(ours.Sources(s))
		if d := cmp.Diff(want, osimagestream.Discover(ours.Sources(osimagestreamtest.Shuffled(t, s)))); d != "" {
			t.Fatalf("order of tags:\n%s", d)
		}
		if !slices.IsSortedFunc(want.Findings, func(a, b osimagestream.Finding) int {
			return slices.Compare([]string{a.Path, string(a.Code), a.Detail}, []string{b.Path, string(b.Code), b.Detail})
		}) {
			t.Fatalf("findings %v", want.Findings)
		}
		o := osimagestreamtest.DrawOffer(t)
		plan := osimagestream.Plan(ours.Cluster(o))
		o.Streams = rapid.Permutation(o.Streams).Draw(t, "order of streams")
		if d := cmp.Diff(plan, osimagestream.Plan(ours.Cluster(o))); d != "" {
			t.Fatalf("order of streams:\n%s", d)
		}
	}))
}
