package controller

import (
	corev1 "k8s.io/api/core/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream"
)

// A warning is an event about the OSImageStream.
type warning struct{ reason, message string }

// warn records the warnings that were none at the last look, so that nobody gets
// them again with every look.
func (r *Streams) warn(about *mcfgv1.OSImageStream, warnings []warning) {
	if about == nil {
		about = osimagestream.New("")
	}
	now := map[warning]bool{}
	for _, w := range warnings {
		if !r.told[w] && !now[w] {
			r.Events.Event(about, corev1.EventTypeWarning, w.reason, w.message)
		}
		now[w] = true
	}
	r.told = now
}
