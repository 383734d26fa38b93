package buildplantest

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// AnnotationRebuild on a MachineOSConfig asks the machine config operator for a rebuild
// of everything.
const AnnotationRebuild = "machineconfiguration.openshift.io/rebuild"

// An Answer is what a registry says of an image.
type Answer string

const (
	// ImageThere: the registry has it.
	ImageThere Answer = "There"
	// ImageGone: the registry says that it does not have it (404).
	ImageGone Answer = "Gone"
	// ImageUnreadable: the registry would not tell (401, 403, 5xx) or did not answer.
	ImageUnreadable Answer = "Unreadable"
)

// Work is what the pod of a Job does.
type Work struct {
	// Architecture and Containerfile are those of the image that it builds, empty for
	// a job that publishes.
	Architecture, Containerfile string
	// PushSpec is what it pushes to.
	PushSpec string
	// Publish gives the bytes of the final image, of a job that publishes. The build
	// is the owner of the job as it is by then; read gives images that the registry
	// has. What the index refers to is copied to where the index goes.
	Publish func(build *mcfgv1.MachineOSBuild, read func(pullSpec string) (Manifest, bool)) ([]byte, error)
}

// A Cluster is what a reconcile step reads and writes: one MachineOSConfig with its
// builds and jobs, as an API server has them, and a registry. It answers as both do,
// and remembers which rules were broken.
//
// A step dies after some write: from then on, no write succeeds.
type Cluster struct {
	facts    Facts // without Jobs
	jobs     []*job
	registry registry
	answers  answers
	now, uid int

	// left is how many writes the step has, and wrote how many it has tried.
	left, wrote int
	broken      []Violation

	// What is true of builds, whatever their annotations say by now.
	required map[types.UID]requirement
	// touched are builds whose annotations somebody edited, anyTouched remembers that
	// there was one.
	touched    map[types.UID]bool
	anyTouched bool
	// since is the last build from before a rebuild that was accepted.
	since int

	creates int
	started []started
}

// A requirement is what a build was created for.
type requirement struct {
	number int
	// images are the inputs of the image of each architecture.
	images map[string]string
	inputs string
}

// started is a job that was created.
type started struct{ build, architecture string }

type job struct {
	object *batchv1.Job
	work   Work
	owner  types.UID
	inputs string
	digest string
}

func newCluster(f Facts) *Cluster {
	return &Cluster{facts: f, registry: newRegistry(), required: map[types.UID]requirement{}, touched: map[types.UID]bool{}}
}

// Facts are what there is, without what the registry says: see [Cluster.Ask].
func (c *Cluster) Facts() Facts {
	f := c.facts
	f.Config, f.Rendered = f.Config.DeepCopy(), f.Rendered.DeepCopy()
	f.Architectures, f.Base = slices.Clone(f.Architectures), maps.Clone(f.Base)
	f.Builds = nil
	for _, b := range c.facts.Builds {
		f.Builds = append(f.Builds, b.DeepCopy())
	}
	for _, j := range c.jobs {
		f.Jobs = append(f.Jobs, Job{j.object.DeepCopy(), j.digest})
	}
	return f
}

// Ask asks the registry for an image, by its pull spec.
func (c *Cluster) Ask(pullSpec string) Answer {
	switch {
	case c.answers == answersNothing:
		return ImageUnreadable
	case c.answers == answersNotFound || !c.registry.has[pullSpec]:
		return ImageGone
	}
	return ImageThere
}

// Now is the time.
func (c *Cluster) Now() metav1.Time { return moment(c.now) }

// write counts a write. It fails once the step is dead.
func (c *Cluster) write() error {
	if c.left == 0 {
		return errors.New("the process was killed")
	}
	c.left--
	c.wrote++
	return nil
}

// same takes back a write that changes nothing: the API server stores none.
func (c *Cluster) same() {
	c.left++
	c.wrote--
}

func (c *Cluster) violate(rule, format string, args ...any) {
	c.broken = append(c.broken, Violation{rule, fmt.Sprintf(format, args...)})
}

// UpdateConfig writes the metadata of the MachineOSConfig.
func (c *Cluster) UpdateConfig(config *mcfgv1.MachineOSConfig) error {
	if err := c.write(); err != nil {
		return err
	}
	_, before := c.facts.Config.Annotations[AnnotationRebuild]
	_, after := config.Annotations[AnnotationRebuild]
	if !putMeta(&c.facts.Config.ObjectMeta, config.ObjectMeta) {
		c.same()
	}
	if before && !after {
		c.since = c.uid
	}
	return nil
}

// putMeta writes annotations, labels and finalizers and reports whether any changed.
func putMeta(to *metav1.ObjectMeta, from metav1.ObjectMeta) (changed bool) {
	from = *from.DeepCopy()
	changed = !equality.Semantic.DeepEqual(to.Annotations, from.Annotations) || !equality.Semantic.DeepEqual(to.Labels, from.Labels) ||
		!equality.Semantic.DeepEqual(to.Finalizers, from.Finalizers)
	to.Annotations, to.Labels, to.Finalizers = from.Annotations, from.Labels, from.Finalizers
	return changed
}

// CreateBuild creates a MachineOSBuild, without its status.
func (c *Cluster) CreateBuild(build *mcfgv1.MachineOSBuild) error {
	if err := c.write(); err != nil {
		return err
	}
	if c.named(build.Name) != nil {
		c.violate("name-is-created-once", "the MachineOSBuild %s exists", build.Name)
		return apierrors.NewAlreadyExists(mcfgv1.Resource("machineosbuilds"), build.Name)
	}
	object := build.DeepCopy()
	object.Status = mcfgv1.MachineOSBuildStatus{}
	object.UID, object.CreationTimestamp = c.newUID(), c.Now()
	c.required[object.UID] = requirement{c.uid, c.wanted(), c.inputs()}
	c.facts.Builds = append(c.facts.Builds, object)
	c.creates++
	return nil
}

func (c *Cluster) newUID() types.UID {
	c.uid++
	return types.UID(fmt.Sprintf("uid-%d", c.uid))
}

// UpdateBuild writes the metadata of a MachineOSBuild.
func (c *Cluster) UpdateBuild(build *mcfgv1.MachineOSBuild) error {
	current, err := c.writeTo(build)
	if err == nil && !putMeta(&current.ObjectMeta, build.ObjectMeta) {
		c.same()
	}
	return err
}

// UpdateBuildStatus writes the status of a MachineOSBuild, if the CRD takes it.
func (c *Cluster) UpdateBuildStatus(build *mcfgv1.MachineOSBuild) error {
	current, err := c.writeTo(build)
	if err != nil {
		return err
	}
	if equality.Semantic.DeepEqual(current.Status, build.Status) {
		c.same()
		return nil
	}
	if refused := append(Refusals(current.Status, build.Status), wrongTimes(current.Status, build.Status)...); len(refused) > 0 {
		c.broken = append(c.broken, refused...)
		return apierrors.NewInvalid(mcfgv1.GroupVersion.WithKind("MachineOSBuild").GroupKind(), build.Name, nil)
	}
	if endOf(build.Status) == mcfgv1.MachineOSBuildSucceeded && endOf(current.Status) == "" {
		c.checkResult(current, string(build.Status.DigestedImagePushSpec))
	}
	current.Status = *build.Status.DeepCopy()
	return nil
}

// DeleteBuild deletes a MachineOSBuild at once. Its jobs are for the garbage collector.
func (c *Cluster) DeleteBuild(build *mcfgv1.MachineOSBuild) error {
	current, err := c.writeTo(build)
	if err == nil {
		c.facts.Builds = slices.DeleteFunc(c.facts.Builds, func(b *mcfgv1.MachineOSBuild) bool { return b == current })
	}
	return err
}

func (c *Cluster) writeTo(build *mcfgv1.MachineOSBuild) (*mcfgv1.MachineOSBuild, error) {
	if err := c.write(); err != nil {
		return nil, err
	}
	current := c.named(build.Name)
	if current == nil || current.UID != build.UID {
		return nil, apierrors.NewNotFound(mcfgv1.Resource("machineosbuilds"), build.Name)
	}
	return current, nil
}

// CreateJob creates a Job, which runs until the history has it end. It belongs to the
// MachineOSBuild that its controller reference names.
func (c *Cluster) CreateJob(object *batchv1.Job, work Work) error {
	if err := c.write(); err != nil {
		return err
	}
	if slices.ContainsFunc(c.jobs, func(j *job) bool { return j.object.Name == object.Name }) {
		c.violate("job-belongs-to-its-build", "the Job %s exists", object.Name)
		return apierrors.NewAlreadyExists(batchv1.Resource("jobs"), object.Name)
	}
	j := &job{object: object.DeepCopy(), work: work}
	j.object.Status = batchv1.JobStatus{Active: 1}
	if owner := metav1.GetControllerOf(object); owner != nil {
		j.owner = owner.UID
	}
	c.checkJob(j)
	j.object.UID, j.object.CreationTimestamp = c.newUID(), c.Now()
	c.jobs = append(c.jobs, j)
	if owner := c.owner(j); owner != nil {
		c.started = append(c.started, started{owner.Name, work.Architecture})
	}
	return nil
}

// DeleteJob deletes a Job and its pods.
func (c *Cluster) DeleteJob(name string) error {
	if err := c.write(); err != nil {
		return err
	}
	if !slices.ContainsFunc(c.jobs, func(j *job) bool { return j.object.Name == name }) {
		return apierrors.NewNotFound(batchv1.Resource("jobs"), name)
	}
	c.removeJob(name)
	return nil
}

func (c *Cluster) removeJob(name string) {
	c.jobs = slices.DeleteFunc(c.jobs, func(j *job) bool { return j.object.Name == name })
}

func (c *Cluster) find(which func(*mcfgv1.MachineOSBuild) bool) *mcfgv1.MachineOSBuild {
	if i := slices.IndexFunc(c.facts.Builds, which); i >= 0 {
		return c.facts.Builds[i]
	}
	return nil
}

func (c *Cluster) named(name string) *mcfgv1.MachineOSBuild {
	return c.find(func(b *mcfgv1.MachineOSBuild) bool { return b.Name == name })
}

// owner is the build that a job belongs to, nil if it is gone.
func (c *Cluster) owner(j *job) *mcfgv1.MachineOSBuild {
	return c.find(func(b *mcfgv1.MachineOSBuild) bool { return b.UID == j.owner })
}
