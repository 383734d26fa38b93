package osimagestream

import (
	"maps"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Operation is how a step is sent.
type Operation string

const (
	// Create sends the object to the collection.
	Create Operation = "Create"
	// Update sends it to the object: annotations and spec.
	Update Operation = "Update"
	// UpdateStatus sends it to the subresource status.
	UpdateStatus Operation = "UpdateStatus"
)

// Step is one write. The CRD takes each of a Plan when they are sent in their
// order; after a refusal or a conflict, stop and plan anew from what is stored.
type Step struct {
	Operation Operation
	Reason    Reason
	// Object holds what the step writes, and nothing else: for Update the
	// annotations to be set and the spec, for UpdateStatus the status.
	Object *mcfgv1.OSImageStream
}

// On returns what to send: the step's part laid over current, the object as the
// last step or read returned it. Its resourceVersion stays, so a write in between
// is a conflict. For Create, current does not matter and may be nil.
func (s Step) On(current *mcfgv1.OSImageStream) *mcfgv1.OSImageStream {
	if s.Operation == Create || current == nil {
		return s.Object.DeepCopy()
	}
	next := current.DeepCopy()
	if s.Operation == UpdateStatus {
		next.Status = *s.Object.Status.DeepCopy()
		return next
	}
	next.Spec = s.Object.Spec
	if len(s.Object.Annotations) > 0 {
		if next.Annotations == nil {
			next.Annotations = map[string]string{}
		}
		maps.Copy(next.Annotations, s.Object.Annotations)
	}
	return next
}
