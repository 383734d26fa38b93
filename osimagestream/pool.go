package osimagestream

import (
	"fmt"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Pool holds the facts from which ForPool decides. The zero value asks for the
// default of a cluster without an OSImageStream.
type Pool struct {
	// Pool is the pool to resolve. Nil asks for the default.
	Pool *mcfgv1.MachineConfigPool
	// Worker is the pool named worker, from which custom pools inherit.
	Worker *mcfgv1.MachineConfigPool
	// Stored is the OSImageStream as it is stored, nil if there is none.
	Stored *mcfgv1.OSImageStream
	// Configs holds machine configs, with or without those that the pool does not
	// select: one of them may set another OS image.
	Configs []*mcfgv1.MachineConfig
	// Version is Release.Version of this operator, with which it annotates an
	// OSImageStream that is up to date. Empty accepts any.
	Version string
}

// Resolution is what a pool is to run. The zero value resolves nothing.
type Resolution struct {
	// Stream is the stream of the pool, empty if that is the default and there is
	// none yet.
	Stream string
	// Images is that of the stream. It is zero if there is a problem, or if the
	// OSImageStream is not there yet or holds the streams of another release: the
	// pool then keeps what it runs.
	Images mcfgv1.OSImageStreamSet
	// OSImageURL is the OS image for the pool's rendered machine config:
	// Images.OSImage, or what a user's machine config sets instead. It is empty if
	// Images is zero.
	OSImageURL string
	// StatusStream is what status.osImageStream of the pool is to name once that is
	// rendered. It is empty if the OS image is no stream's.
	StatusStream string
	Reason       PoolReason
	// Field is where the stream is named.
	Field string
	// Degraded is set if there are Problems, and says for the pool's condition
	// RenderDegraded which of them came first.
	Degraded DegradedReason
	Problems field.ErrorList
	// Findings is sorted by path, code and detail.
	Findings []Finding
}

// ForPool resolves a pool to its stream and images, by rules 80 to 99.
func ForPool(p Pool) Resolution {
	var r Resolution
	path := r.stream(p)
	r.Field = path.String()
	r.images(p, path)
	url := r.override(p)
	switch {
	case len(r.Problems) > 0:
		r.Images = mcfgv1.OSImageStreamSet{}
	case r.Images.Name == "":
	case url != "":
		r.OSImageURL = url
	default:
		r.OSImageURL, r.StatusStream = string(r.Images.OSImage), r.Stream
	}
	sortFindings(r.Findings)
	return r
}

// refuse adds a problem, for which the pool is degraded.
func (r *Resolution) refuse(why DegradedReason, problem *field.Error) {
	if r.Degraded == "" {
		r.Degraded = why
	}
	r.Problems = append(r.Problems, problem)
}

func (r *Resolution) note(code FindingCode, path *field.Path, detail string) {
	r.Findings = append(r.Findings, Finding{code, path.String(), detail})
}

// stream finds the stream by rules 80 to 84, and returns where it is named.
func (r *Resolution) stream(p Pool) *field.Path {
	if p.Pool != nil {
		if name := p.Pool.Spec.OSImageStream.Name; name != "" {
			r.Stream, r.Reason = name, ReasonOwn
			return poolPath(p.Pool)
		}
		if isCustom(p.Pool.Name) {
			if p.Worker == nil {
				r.note(FindingWorkerMissing, poolPath(p.Pool),
					"a custom pool inherits the worker pool's stream, but no worker pool is given; the default is taken")
			} else if name := p.Worker.Spec.OSImageStream.Name; name != "" {
				r.Stream, r.Reason = name, ReasonWorker
				return poolPath(p.Worker)
			}
		}
	}
	r.Reason = ReasonUnresolved
	if p.Stored != nil && p.Stored.Status.DefaultStream != "" {
		r.Stream, r.Reason = p.Stored.Status.DefaultStream, ReasonDefault
	}
	return statusPath()
}

// images finds the images of the stream, which is named at path, by rules 85 to 89.
func (r *Resolution) images(p Pool, path *field.Path) {
	if p.Stored == nil {
		r.note(FindingSingletonMissing, singletonPath(), "there is no OSImageStream, so "+asked(p).String()+" leads to no images")
		return
	}
	offered := p.Stored.Status.AvailableStreams
	if len(offered) == 0 {
		r.note(FindingNotReconciled, availablePath(), "the OSImageStream has no status yet, so "+asked(p).String()+" leads to no images")
		return
	}
	i := index(offered, r.Stream)
	if i < 0 {
		r.refuse(ReasonStreamNotOffered, field.NotSupported(path, cut(r.Stream), nameList(sorted(offered))))
		return
	}
	if by := p.Stored.Annotations[AnnotationReleaseVersion]; p.Version != "" && by != p.Version {
		r.note(FindingOtherRelease, singletonPath().Child("metadata", "annotations"),
			fmt.Sprintf("the streams are those of version %s, not yet those of %s", quoted(by), quoted(p.Version)))
		return
	}
	r.Images = offered[i]
}

// asked is the field by which the pool asks for a stream; nil asks for the default.
func asked(p Pool) *field.Path {
	if p.Pool == nil {
		return statusPath()
	}
	return poolPath(p.Pool)
}

func isCustom(pool string) bool {
	return pool != "master" && pool != "worker" && pool != "arbiter"
}

func poolPath(p *mcfgv1.MachineConfigPool) *field.Path {
	return field.NewPath("machineconfigpools").Key(p.Name).Child("spec", "osImageStream", "name")
}

// ValidatePool judges a write to a pool, by rules 100 to 104; old is nil for a
// creation, stored is nil if there is no OSImageStream. An empty list means that
// the write is valid. Paths are relative to the pool, as the answer of an API
// server has them, which names the object itself.
func ValidatePool(pool, old *mcfgv1.MachineConfigPool, stored *mcfgv1.OSImageStream) field.ErrorList {
	if pool == nil || pool.Spec.OSImageStream.Name == "" {
		return nil
	}
	name, path := pool.Spec.OSImageStream.Name, field.NewPath("spec", "osImageStream", "name")
	if old != nil && old.Spec.OSImageStream.Name == name {
		return nil
	}
	if stored == nil || len(stored.Status.AvailableStreams) == 0 {
		return field.ErrorList{field.NotFound(path, cut(name))}
	}
	if offered := stored.Status.AvailableStreams; index(offered, name) < 0 {
		return field.ErrorList{field.NotSupported(path, cut(name), nameList(sorted(offered)))}
	}
	return nil
}
