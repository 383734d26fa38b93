package osimagestreamtest

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
)

// A Server is an API server as far as the OSImageStream is concerned. It holds the
// schema of the CRD and its CEL rules (openshift/api, machineconfiguration/v1,
// types_osimagestream.go), but for the leniency of newer API servers toward unchanged
// values. Nothing can be deleted.
type Server struct {
	stored *mcfgv1.OSImageStream
	// Writes are all that were tried, in their order.
	Writes []Write
	left   int // writes before the operator is stopped
	// writing is told of each write before it is sent.
	writing func()
}

// A Write is one request and what became of it.
type Write struct {
	Verb string // Create, Update or UpdateStatus
	// Refused is the error, "" if the write was taken.
	Refused string
	// Stopped says that the operator was stopped before it could send the request.
	Stopped bool
	// Stored is what there was after the write.
	Stored *mcfgv1.OSImageStream
}

// NewServer returns a server that holds the object, nil for none.
func NewServer(stored *mcfgv1.OSImageStream) *Server {
	return &Server{stored: stored.DeepCopy(), left: 1 << 30}
}

// StopAfter has the operator stopped after so many more writes: all further ones fail.
func (s *Server) StopAfter(writes int) { s.left = writes }

// Stored returns a copy of what is stored, nil if there is nothing.
func (s *Server) Stored() *mcfgv1.OSImageStream { return s.stored.DeepCopy() }

var resource = schema.GroupResource{Group: mcfgv1.GroupName, Resource: "osimagestreams"}

// Get returns the object, or an error that says NotFound.
func (s *Server) Get() (*mcfgv1.OSImageStream, error) {
	if s.stored == nil {
		return nil, apierrors.NewNotFound(resource, "cluster")
	}
	return s.stored.DeepCopy(), nil
}

// Create stores the object without its status.
func (s *Server) Create(o *mcfgv1.OSImageStream) (*mcfgv1.OSImageStream, error) {
	next := o.DeepCopy()
	next.Status, next.ResourceVersion = mcfgv1.OSImageStreamStatus{}, ""
	if s.stored != nil {
		return s.write("Create", nil, apierrors.NewAlreadyExists(resource, "cluster"))
	}
	return s.write("Create", next, Admit(nil, next))
}

// Update stores everything but the status.
func (s *Server) Update(o *mcfgv1.OSImageStream) (*mcfgv1.OSImageStream, error) {
	next := o.DeepCopy()
	if s.stored != nil {
		s.stored.Status.DeepCopyInto(&next.Status)
	}
	return s.replace("Update", o, next)
}

// UpdateStatus stores the status and nothing else.
func (s *Server) UpdateStatus(o *mcfgv1.OSImageStream) (*mcfgv1.OSImageStream, error) {
	next := s.Stored()
	if next != nil {
		o.Status.DeepCopyInto(&next.Status)
	}
	return s.replace("UpdateStatus", o, next)
}

func (s *Server) replace(verb string, sent, next *mcfgv1.OSImageStream) (*mcfgv1.OSImageStream, error) {
	switch {
	case s.stored == nil:
		return s.write(verb, nil, apierrors.NewNotFound(resource, sent.Name))
	case sent.ResourceVersion == "":
		return s.write(verb, nil, apierrors.NewBadRequest("metadata.resourceVersion: must be specified for an update"))
	case sent.ResourceVersion != s.stored.ResourceVersion:
		return s.write(verb, nil, apierrors.NewConflict(resource, sent.Name, errors.New("the object has been modified")))
	}
	return s.write(verb, next, Admit(s.stored, next))
}

func (s *Server) write(verb string, next *mcfgv1.OSImageStream, refused error) (*mcfgv1.OSImageStream, error) {
	if s.writing != nil {
		s.writing()
	}
	w := Write{Verb: verb}
	s.left--
	switch {
	case s.left < 0:
		w.Stopped, refused = true, errors.New("the operator was stopped")
	case refused != nil:
		w.Refused = refused.Error()
	default:
		version := 0
		if s.stored != nil {
			version, _ = strconv.Atoi(s.stored.ResourceVersion) // of another form: begins anew
		}
		next.ResourceVersion = strconv.Itoa(version + 1)
		s.stored = next.DeepCopy()
	}
	w.Stored = s.Stored()
	s.Writes = append(s.Writes, w)
	if refused != nil {
		return nil, refused
	}
	return s.Stored(), nil
}

// The patterns of ImageDigestFormat.
var (
	digestPattern = regexp.MustCompile(`^sha256:[a-f0-9]{64}$`)
	namePattern   = regexp.MustCompile(`^([a-zA-Z0-9-]+\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$`)
)

// TakesPullSpec reports whether the CRD takes the pull spec of an image.
func TakesPullSpec(s string) bool {
	parts := strings.Split(s, "@")
	return len(s) >= 1 && len(s) <= 447 && len(parts) == 2 && digestPattern.MatchString(parts[1]) && namePattern.MatchString(parts[0])
}

// TakesStreamName reports whether the CRD takes the name of a stream.
func TakesStreamName(s string) bool {
	return len(s) >= 1 && len(s) <= 253 && len(validation.IsDNS1123Subdomain(s)) == 0
}

func hasStatus(o *mcfgv1.OSImageStream) bool {
	return o.Status.DefaultStream != "" || len(o.Status.AvailableStreams) > 0
}

func offers(streams []mcfgv1.OSImageStreamSet, name string) bool {
	return slices.ContainsFunc(streams, func(s mcfgv1.OSImageStreamSet) bool { return s.Name == name })
}

// Admit is the schema of the CRD and its CEL rules. Old is nil at create.
func Admit(old, o *mcfgv1.OSImageStream) error {
	bad := func(format string, args ...any) error {
		return apierrors.NewBadRequest(fmt.Sprintf("OSImageStream is invalid: "+format, args...))
	}
	if o.Name != "cluster" {
		return bad("the name %q; it is a singleton", o.Name)
	}
	if !TakesStreamName(o.Spec.DefaultStream) {
		return bad("spec.defaultStream %q", o.Spec.DefaultStream)
	}
	if !hasStatus(o) {
		return nil
	}
	s := o.Status
	if n := len(s.AvailableStreams); n < 1 || n > 100 {
		return bad("%d streams in status.availableStreams", n)
	}
	seen := map[string]bool{}
	for _, set := range s.AvailableStreams {
		if seen[set.Name] || !TakesStreamName(set.Name) || !TakesPullSpec(string(set.OSImage)) || !TakesPullSpec(string(set.OSExtensionsImage)) {
			return bad("status.availableStreams[%s]", set.Name)
		}
		seen[set.Name] = true
	}
	if !TakesStreamName(s.DefaultStream) || !seen[s.DefaultStream] {
		return bad("status.defaultStream %q", s.DefaultStream)
	}
	if old != nil && o.Spec != old.Spec && !offers(s.AvailableStreams, o.Spec.DefaultStream) {
		return bad("spec.defaultStream %q is not in status.availableStreams", o.Spec.DefaultStream)
	}
	return nil
}

// byName returns the streams in the order of their names.
func byName(streams []mcfgv1.OSImageStreamSet) []mcfgv1.OSImageStreamSet {
	return slices.SortedFunc(slices.Values(streams), func(a, b mcfgv1.OSImageStreamSet) int { return strings.Compare(a.Name, b.Name) })
}

// annotations returns those of an object, nil for none.
func annotations(o *mcfgv1.OSImageStream) map[string]string {
	if o == nil || len(o.Annotations) == 0 {
		return nil
	}
	return maps.Clone(o.Annotations)
}
