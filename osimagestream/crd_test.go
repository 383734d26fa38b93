package osimagestream

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// This file models the CRD of OSImageStream: its schema and its CEL rules, but for
// the leniency of newer API servers toward unchanged values. The adapter's tests
// send the same steps to the real CRD.

var (
	crdDigest = regexp.MustCompile(`^sha256:[a-f0-9]{64}$`)
	crdName   = regexp.MustCompile(`^([a-zA-Z0-9-]+\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$`)
	crdSplit  = regexp.MustCompile(`@`)
)

func crdPullSpec(s string) bool {
	parts := crdSplit.Split(s, -1)
	return len(s) >= 1 && len(s) <= 447 && len(parts) == 2 && crdDigest.MatchString(parts[1]) && crdName.MatchString(parts[0])
}

func crdStreamName(s string) bool {
	return len(s) >= 1 && len(s) <= 253 && len(validation.IsDNS1123Subdomain(s)) == 0
}

func hasStatus(o *mcfgv1.OSImageStream) bool {
	return o.Status.DefaultStream != "" || len(o.Status.AvailableStreams) > 0
}

// crdValidate holds the schema and the rules that need no old object.
func crdValidate(o *mcfgv1.OSImageStream) error {
	if o.Name != "cluster" {
		return errors.New("singleton")
	}
	if !crdStreamName(o.Spec.DefaultStream) {
		return fmt.Errorf("spec.defaultStream %q", o.Spec.DefaultStream)
	}
	if !hasStatus(o) {
		return nil
	}
	s := o.Status
	if n := len(s.AvailableStreams); n < 1 || n > 100 {
		return fmt.Errorf("%d available streams", n)
	}
	seen := map[string]bool{}
	for _, set := range s.AvailableStreams {
		if seen[set.Name] || !crdStreamName(set.Name) || !crdPullSpec(string(set.OSImage)) || !crdPullSpec(string(set.OSExtensionsImage)) {
			return fmt.Errorf("available stream %v", set)
		}
		seen[set.Name] = true
	}
	if !crdStreamName(s.DefaultStream) || !seen[s.DefaultStream] {
		return fmt.Errorf("status.defaultStream %q", s.DefaultStream)
	}
	return nil
}

// crdSend returns what the API server would store.
func crdSend(old *mcfgv1.OSImageStream, step Step) (*mcfgv1.OSImageStream, error) {
	sent := step.On(old)
	if step.Verb == VerbCreate {
		if old != nil {
			return nil, errors.New("already exists")
		}
		sent.Status = mcfgv1.OSImageStreamStatus{}
		return sent, crdValidate(sent)
	}
	if old == nil {
		return nil, errors.New("not found")
	}
	next := old.DeepCopy()
	switch step.Verb {
	case VerbUpdate:
		next.Spec, next.Annotations = sent.Spec, maps.Clone(sent.Annotations)
	case VerbUpdateStatus:
		next.Status = sent.Status
	default:
		return nil, fmt.Errorf("verb %q", step.Verb)
	}
	if err := crdValidate(next); err != nil {
		return nil, err
	}
	if next.Spec != old.Spec && hasStatus(next) &&
		!slices.ContainsFunc(next.Status.AvailableStreams, func(s mcfgv1.OSImageStreamSet) bool { return s.Name == next.Spec.DefaultStream }) {
		return nil, fmt.Errorf("spec.defaultStream %q is not in status.availableStreams", next.Spec.DefaultStream)
	}
	return next, nil
}

// crdApply sends all steps of a plan, and fails the test if one is refused.
func crdApply(t interface {
	Helper()
	Fatalf(string, ...any)
}, o *mcfgv1.OSImageStream, p Singleton) *mcfgv1.OSImageStream {
	t.Helper()
	for i, s := range p.Steps {
		next, err := crdSend(o, s)
		if err != nil {
			t.Fatalf("step %d, %s %s, is refused: %v", i, s.Verb, s.Reason, err)
		}
		o = next
	}
	return o
}

// A model that takes everything would prove nothing.
func TestCRDModelRefuses(t *testing.T) {
	ok := stored("centos-10", "centos-10", set("centos-10"))
	update := func(spec string) Step {
		return Step{VerbUpdate, ReasonFollow, &mcfgv1.OSImageStream{Spec: mcfgv1.OSImageStreamSpec{DefaultStream: spec}}}
	}
	status := func(def string, s ...mcfgv1.OSImageStreamSet) Step {
		return Step{VerbUpdateStatus, ReasonPublish, &mcfgv1.OSImageStream{Status: mcfgv1.OSImageStreamStatus{DefaultStream: def, AvailableStreams: s}}}
	}
	for name, tc := range map[string]struct {
		old  *mcfgv1.OSImageStream
		step Step
	}{
		"spec names a stream that status lacks": {ok, update("centos-11")},
		"spec empty":                            {ok, update("")},
		"status without a default":              {ok, status("", set("centos-10"))},
		"status default not available":          {ok, status("centos-11", set("centos-10"))},
		"status without streams":                {ok, status("centos-10")},
		"a stream twice":                        {ok, status("centos-10", set("centos-10"), set("centos-10"))},
		"status onto an empty spec":             {stored("", "centos-10", set("centos-10")), status("centos-11", set("centos-11"))},
		"another name":                          {nil, Step{VerbCreate, ReasonCreate, &mcfgv1.OSImageStream{Spec: ok.Spec}}},
		"created twice":                         {ok, Step{VerbCreate, ReasonCreate, New("centos-10")}},
		"an unknown verb":                       {ok, Step{"Patch", ReasonFollow, ok}},
	} {
		if _, err := crdSend(tc.old, tc.step); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := crdSend(stored("gone", ""), update("any")); err != nil {
		t.Errorf("without a status spec may name anything: %v", err)
	}
}
