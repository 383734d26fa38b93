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
	// OSImageURL is the OS image that a user's machine config sets for the pool,
	// empty if none does.
	OSImageURL string
	// Version is Release.Version of this operator, with which it annotates an
	// OSImageStream that is up to date. Empty accepts any.
	Version string
}

// Resolution is what a pool is to run. The zero value resolves nothing.
type Resolution struct {
	// Stream is the stream of the pool, empty if that is the default and there is
	// none yet.
	Stream string
	// Images is zero if the OSImageStream does not offer the stream, or holds the
	// streams of another release.
	Images mcfgv1.OSImageStreamSet
	Reason PoolReason
	// Field is where the stream is named.
	Field    string
	Problems field.ErrorList
	// Findings is sorted by path, code and detail.
	Findings []Finding
}

// ForPool resolves a pool to its stream and images, by rules 80 to 91.
func ForPool(p Pool) Resolution {
	var r Resolution
	path := r.stream(p)
	r.Field = path.String()
	r.images(p, path)
	r.override(p)
	sortFindings(r.Findings)
	return r
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
		r.Problems = append(r.Problems, field.NotSupported(path, r.Stream, nameList(sorted(offered))))
		return
	}
	if by := p.Stored.Annotations[AnnotationReleaseVersion]; p.Version != "" && by != p.Version {
		r.note(FindingOtherRelease, singletonPath().Child("metadata", "annotations"),
			fmt.Sprintf("the streams are those of version %q, not yet those of %q", by, p.Version))
		return
	}
	r.Images = offered[i]
}

// override notes what an osImageURL means for the stream, by rules 90 and 91.
func (r *Resolution) override(p Pool) {
	switch {
	case p.OSImageURL == "":
	case r.Reason == ReasonOwn || r.Reason == ReasonWorker:
		r.note(FindingURLConflict, asked(p), fmt.Sprintf("both stream %s of %s and osImageURL %s of a machine config are set; remove one of them", r.Stream, r.Field, p.OSImageURL))
	default:
		r.note(FindingURLOverride, asked(p), fmt.Sprintf("osImageURL %s of a machine config overrides the OS image; only the extensions image is the stream's", p.OSImageURL))
	}
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

// ValidatePool judges a write to a pool, by rules 92 to 96; old is nil for a
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
		return field.ErrorList{field.NotFound(path, name)}
	}
	if offered := stored.Status.AvailableStreams; index(offered, name) < 0 {
		return field.ErrorList{field.NotSupported(path, name, nameList(sorted(offered)))}
	}
	return nil
}
