package osimagestream

import (
	"maps"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Verb is how a step is sent. The zero value is no verb and writes nothing.
type Verb string

const (
	// VerbCreate sends the object to the collection.
	VerbCreate Verb = "Create"
	// VerbUpdate sends annotations and spec to the object.
	VerbUpdate Verb = "Update"
	// VerbUpdateStatus sends the status to the subresource status.
	VerbUpdateStatus Verb = "UpdateStatus"
)

// Step is one write to the OSImageStream. The CRD takes each step of a plan when
// they are sent in their order; after a refusal or a conflict, stop and plan anew
// from what is stored. The zero value writes nothing.
type Step struct {
	Verb   Verb
	Reason StepReason
	// Object holds what the step writes, and nothing else: for VerbUpdate the
	// spec and the annotations to be set, for VerbUpdateStatus the status.
	Object *mcfgv1.OSImageStream
}

// On returns what to send, by rules 75 to 79: a copy of current, the object as the
// last step or read returned it, with the step's part laid over it. The
// resourceVersion of current stays, so a write in between becomes a conflict.
// VerbCreate needs no current. A step that writes nothing returns a copy of
// current, which is nil if current is nil.
func (s Step) On(current *mcfgv1.OSImageStream) *mcfgv1.OSImageStream {
	if s.Object == nil {
		return current.DeepCopy()
	}
	next := current.DeepCopy()
	switch s.Verb {
	case VerbCreate:
		return s.Object.DeepCopy()
	case VerbUpdate:
		if next == nil {
			return s.Object.DeepCopy()
		}
		next.Spec = s.Object.Spec
		if len(s.Object.Annotations) > 0 && next.Annotations == nil {
			next.Annotations = map[string]string{}
		}
		maps.Copy(next.Annotations, s.Object.Annotations)
	case VerbUpdateStatus:
		if next == nil {
			return s.Object.DeepCopy()
		}
		s.Object.Status.DeepCopyInto(&next.Status)
	}
	return next
}
