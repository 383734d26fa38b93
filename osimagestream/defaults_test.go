package osimagestream_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

func TestSingle(t *testing.T) {
	for _, c := range osimagestreamtest.SingleCases() {
		t.Run(c.Name, func(t *testing.T) {
			s := osimagestream.Single(ours.Cluster(c.Offer))
			diff(t, "reason", c.Reason, string(s.Reason))
			diff(t, "field", c.Field, s.Field)
			problems(t, c.Problems, s.Problems)
			findings(t, c.Findings, s.Findings)
		})
	}
}

func TestDefault(t *testing.T) {
	for _, c := range osimagestreamtest.DefaultCases() {
		t.Run(c.Name, func(t *testing.T) {
			d := osimagestream.Default(ours.Cluster(c.Offer))
			diff(t, "reason", c.Reason, string(d.Reason))
			diff(t, "field", c.Field, d.Field)
			requested := ""
			switch stored := c.Offer.Stored; {
			case strings.HasSuffix(c.Field, "].spec.defaultStream"):
				requested = stored.Spec.DefaultStream
			case strings.HasSuffix(c.Field, "].status.defaultStream"):
				requested = stored.Status.DefaultStream
			}
			diff(t, "requested", requested, d.Requested)
			problems(t, c.Problems, d.Problems)
			findings(t, c.Findings, d.Findings)
		})
	}
}

// The default is always one of the streams, or a problem names the choices.
func TestPropertyDefaultIsOfferedOrAProblem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := osimagestreamtest.DrawOffer(t)
		d := osimagestream.Default(ours.Cluster(o))
		if (d.Stream == "") != (len(d.Problems) > 0) {
			t.Fatalf("default %q, problems %v", d.Stream, d.Problems)
		}
		for _, s := range o.Streams {
			if d.Stream == "" && !strings.Contains(d.Problems.ToAggregate().Error(), s.Name) {
				t.Fatalf("%v does not name %s", d.Problems, s.Name)
			}
		}
	})
}

func TestInstallVersion(t *testing.T) {
	for _, c := range osimagestreamtest.VersionCases() {
		if _, path := osimagestream.InstallVersion(c.ClusterVersion()); path != c.Field {
			t.Errorf("%s: of %q", c.Name, path)
		}
	}
	if _, path := osimagestream.InstallVersion(nil); path != "" {
		t.Errorf("no ClusterVersion: of %q", path)
	}
}
