package osimagestream_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

func copySources(s osimagestream.Sources) osimagestream.Sources {
	s.Payload, s.ConfigMap = s.Payload.DeepCopy(), s.ConfigMap.DeepCopy()
	labels := map[string]map[string]string{}
	for k, v := range s.Labels {
		labels[k] = map[string]string{}
		for k2, v2 := range v {
			labels[k][k2] = v2
		}
	}
	s.Labels = labels
	if s.CLI != nil {
		cli := *s.CLI
		s.CLI = &cli
	}
	return s
}

func TestArgumentsAreNotChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := ours.Sources(osimagestreamtest.DrawSources(t, osimagestreamtest.Everything()))
		before := copySources(s)
		osimagestream.Discover(s)
		s.Images()
		if d := cmp.Diff(before, s); d != "" {
			t.Fatalf("sources:\n%s", d)
		}

		c := cluster(osimagestreamtest.DrawOffer(t))
		was := c
		was.Stored, was.Discovery.Streams = c.Stored.DeepCopy(), slices.Clone(c.Discovery.Streams)
		osimagestream.Single(c)
		osimagestream.Default(c)
		p := osimagestream.Plan(c)
		for _, step := range p.Steps {
			step.On(c.Stored)
		}
		if d := cmp.Diff(was, c); d != "" {
			t.Fatalf("cluster:\n%s", d)
		}
	})
}
