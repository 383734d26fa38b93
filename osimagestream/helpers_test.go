package osimagestream

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// Fixtures of the test package under short names.
var (
	pull      = osimagestreamtest.PullSpec
	set       = osimagestreamtest.Set
	sets      = osimagestreamtest.Sets
	stored    = osimagestreamtest.Stored
	osLabels  = osimagestreamtest.OSLabels
	extLabels = osimagestreamtest.ExtensionsLabels
	tag       = osimagestreamtest.Tag
	payload   = osimagestreamtest.Payload
	configMap = osimagestreamtest.ConfigMap
	pool      = osimagestreamtest.Pool
	selecting = osimagestreamtest.Selecting
	config    = osimagestreamtest.Config
)

var release = Release{Version: osimagestreamtest.ReleaseVersion, Image: osimagestreamtest.ReleaseImage}

// complete returns a discovery of these streams that has seen all there is.
func complete(streams ...mcfgv1.OSImageStreamSet) Discovery {
	return Discovery{Complete: true, Streams: streams}
}

func codes(list []Finding) (cs []FindingCode) {
	for _, f := range list {
		cs = append(cs, f.Code)
	}
	slices.Sort(cs)
	return cs
}

func diff(t *testing.T, what string, want, got any, opts ...cmp.Option) {
	t.Helper()
	if d := cmp.Diff(want, got, opts...); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}
