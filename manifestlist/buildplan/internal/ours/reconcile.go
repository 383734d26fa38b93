package ours

import (
	"errors"
	"maps"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

// Parts are what a controller is made of.
type Parts struct {
	Plan      func(buildplan.Facts) (buildplan.Build, error)
	Observe   func(buildplan.Build, *mcfgv1.MachineOSBuild, metav1.Time) (buildplan.Outcome, error)
	Interrupt func(*mcfgv1.MachineOSBuild, []buildplan.Job, metav1.Time) buildplan.Outcome
	Accept    func(annotations map[string]string, attempt int) map[string]string
	// Publish is what the pod of a publishing job does.
	Publish func(build *mcfgv1.MachineOSBuild, read func(string) (buildplantest.Manifest, bool)) ([]byte, error)
}

// OurParts are those of package buildplan.
func OurParts() Parts {
	return Parts{buildplan.Plan, buildplan.Observe, buildplan.Interrupt, buildplan.AcceptRebuild, publishRecorded}
}

// Reconcile is a controller that makes one write and looks again.
func (p Parts) Reconcile(c *buildplantest.Cluster) error {
	seen := c.Facts()
	f := facts(seen)
	b, err := look(c, &f, p.Plan)
	if err != nil {
		return err
	}
	if b.Next == buildplan.NextAccept {
		seen.Config.Annotations = p.Accept(seen.Config.Annotations, b.Attempt)
		return c.UpdateConfig(seen.Config)
	}
	for _, name := range b.Superseded {
		current := named(seen, name)
		return write(c, current, p.Interrupt(current, f.Jobs, c.Now()))
	}
	if len(b.Obsolete) > 0 {
		return c.DeleteJob(b.Obsolete[0])
	}
	if b.Next == buildplan.NextCreate {
		return c.CreateBuild(b.MachineOSBuild())
	}
	current := named(seen, b.Name)
	if b.Next == buildplan.NextContinue {
		out, err := p.Observe(b, current, c.Now())
		if err != nil {
			return err
		}
		if out.Annotations != nil || out.Changed {
			return write(c, current, out)
		}
	}
	for _, image := range append(slices.Clone(b.Images), b.Publish) {
		if image.State == buildplan.StateRun {
			return p.create(c, b, image, current)
		}
	}
	return nil
}

// look plans, and asks the registry for what the plan counts on until the plan does not
// change any more.
func look(c *buildplantest.Cluster, f *buildplan.Facts, plan func(buildplan.Facts) (buildplan.Build, error)) (buildplan.Build, error) {
	for {
		b, err := plan(*f)
		if err != nil {
			return b, err
		}
		more := false
		for _, image := range b.Verify {
			switch c.Ask(image) {
			case buildplantest.ImageGone:
				f.Gone, more = append(f.Gone, image), true
			case buildplantest.ImageUnreadable:
				f.Unreadable, more = append(f.Unreadable, image), true
			}
		}
		if !more {
			return b, nil
		}
	}
}

func named(f buildplantest.Facts, name string) *mcfgv1.MachineOSBuild {
	for _, b := range f.Builds {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// write writes annotations or, once they are there, the status.
func write(c *buildplantest.Cluster, current *mcfgv1.MachineOSBuild, out buildplan.Outcome) error {
	if out.Annotations != nil {
		if current.Annotations == nil {
			current.Annotations = map[string]string{}
		}
		maps.Copy(current.Annotations, out.Annotations)
		return c.UpdateBuild(current)
	}
	current.Status = out.Status
	return c.UpdateBuildStatus(current)
}

func (p Parts) create(c *buildplantest.Cluster, b buildplan.Build, image buildplan.Image, owner *mcfgv1.MachineOSBuild) error {
	if owner == nil {
		return errors.New("the build is not there yet")
	}
	job := &batchv1.Job{ObjectMeta: b.JobMeta(image)}
	job.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, mcfgv1.GroupVersion.WithKind("MachineOSBuild"))}
	work := buildplantest.Work{Architecture: image.Architecture, Containerfile: image.Containerfile, PushSpec: image.PushSpec}
	if image.Architecture == "" {
		work.Publish = p.Publish
	}
	return c.CreateJob(job, work)
}

func publishRecorded(build *mcfgv1.MachineOSBuild, read func(string) (buildplantest.Manifest, bool)) ([]byte, error) {
	var children []manifestlist.Child
	for _, r := range buildplan.Records(build) {
		m, ok := read(r.PullSpec)
		if !ok {
			return nil, errors.New(r.Architecture + " cannot be read")
		}
		children = append(children, manifestlist.Child{Manifest: m.Manifest, Config: m.Config})
	}
	p, err := buildplan.Publish(build, children)
	return p.Bytes, err
}
