package osimagestreamtest_test

import (
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	kit "github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// A model that takes everything would prove nothing.
func TestServerRefuses(t *testing.T) {
	ok := kit.Stored("centos-10", "centos-10", kit.Set("centos-10"))
	spec := func(name string) func(*kit.Server) error {
		return func(s *kit.Server) error {
			o := s.Stored()
			o.Spec.DefaultStream = name
			_, err := s.Update(o)
			return err
		}
	}
	status := func(def string, streams ...mcfgv1.OSImageStreamSet) func(*kit.Server) error {
		return func(s *kit.Server) error {
			o := s.Stored()
			o.Status = mcfgv1.OSImageStreamStatus{DefaultStream: def, AvailableStreams: streams}
			_, err := s.UpdateStatus(o)
			return err
		}
	}
	for name, tc := range map[string]struct {
		stored *mcfgv1.OSImageStream
		send   func(*kit.Server) error
	}{
		"spec names a stream that status lacks": {ok, spec("centos-11")},
		"spec empty":                            {ok, spec("")},
		"status without a default":              {ok, status("", kit.Set("centos-10"))},
		"status default not available":          {ok, status("centos-11", kit.Set("centos-10"))},
		"status without streams":                {ok, status("centos-10")},
		"a stream twice":                        {ok, status("centos-10", kit.Set("centos-10"), kit.Set("centos-10"))},
		"a pull spec by tag":                    {ok, status("a", mcfgv1.OSImageStreamSet{Name: "a", OSImage: "quay.io/a/b:1", OSExtensionsImage: kit.Set("a").OSImage})},
		"status onto an empty spec":             {kit.Stored("", "centos-10", kit.Set("centos-10")), status("centos-11", kit.Set("centos-11"))},
		"another name": {nil, func(s *kit.Server) error {
			o := ok.DeepCopy()
			o.Name = "other"
			_, err := s.Create(o)
			return err
		}},
		"created twice": {ok, func(s *kit.Server) error { _, err := s.Create(ok); return err }},
		"an object that was written in between": {ok, func(s *kit.Server) error {
			o := s.Stored()
			if _, err := s.Update(s.Stored()); err != nil {
				return nil
			}
			_, err := s.Update(o)
			return err
		}},
		"an update of nothing":                 {nil, func(s *kit.Server) error { _, err := s.Update(ok); return err }},
		"an update without a resource version": {ok, func(s *kit.Server) error { _, err := s.Update(&mcfgv1.OSImageStream{}); return err }},
	} {
		if err := tc.send(kit.NewServer(tc.stored)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := spec("any")(kit.NewServer(kit.Stored("gone", ""))); err != nil {
		t.Errorf("without a status spec may name anything: %v", err)
	}
}

func TestServerKeepsWhatIsNotWritten(t *testing.T) {
	s := kit.NewServer(nil)
	if _, err := s.Get(); !apierrors.IsNotFound(err) {
		t.Errorf("nothing is stored: %v", err)
	}
	o, err := s.Create(kit.Stored("a", "a", kit.Set("a")))
	if err != nil || len(o.Status.AvailableStreams) > 0 {
		t.Fatalf("created %+v, %v", o, err)
	}
	o.Spec.DefaultStream, o.Annotations = "b", nil
	o.Status = mcfgv1.OSImageStreamStatus{DefaultStream: "a", AvailableStreams: kit.Sets("a")}
	if o, err = s.UpdateStatus(o); err != nil || o.Spec.DefaultStream != "a" || len(o.Annotations) == 0 {
		t.Fatalf("status updated: %+v, %v", o, err)
	}
	o.Status = mcfgv1.OSImageStreamStatus{}
	if o, err = s.Update(o); err != nil || o.Status.DefaultStream != "a" {
		t.Fatalf("updated: %+v, %v", o, err)
	}
	s.StopAfter(0)
	if _, err := s.Update(o); err == nil || !s.Writes[len(s.Writes)-1].Stopped {
		t.Errorf("stopped: %v", err)
	}
}
