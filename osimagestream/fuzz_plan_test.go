package osimagestream_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// The fuzzer drives the generator of histories.
func FuzzPlan(f *testing.F) {
	f.Add([]byte{})                             // the simplest history
	f.Add([]byte("stream-coreos upgrade stop")) // some entropy for rapid
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		for _, v := range osimagestreamtest.DrawHistory(t).Play(ours.Impl) {
			t.Errorf("step %d: %s: %s", v.Step, v.Rule, v.What)
		}
	}))
}
