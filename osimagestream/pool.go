package osimagestream

import (
	"fmt"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Pool holds the facts from which ForPool decides.
type Pool struct {
	// Pool is the pool to resolve. Nil asks for the default.
	Pool *mcfgv1.MachineConfigPool
	// Worker is the pool named worker, from which custom pools inherit.
	Worker *mcfgv1.MachineConfigPool
	// Singleton is the OSImageStream, nil if there is none.
	Singleton *mcfgv1.OSImageStream
	// OSImageURL is the OS image that a user's machine config sets for the pool,
	// empty if none does.
	OSImageURL string
	// Version is that of Release.Version: what this operator annotates the
	// singleton with when it is up to date. Empty takes any.
	Version string
}

// Resolution is what a pool is to run.
type Resolution struct {
	// Stream is the stream that counts for the pool; empty if it is the default
	// and there is none yet.
	Stream string
	// Images is zero if the stream is not offered, or not by this release.
	Images mcfgv1.OSImageStreamSet
	// Reason is ReasonOwn, ReasonWorker, ReasonDefault or ReasonUnresolved.
	Reason Reason
	// Field is where the stream is named.
	Field    string
	Problems field.ErrorList
	Findings []Finding
}

// ForPool resolves a pool to its stream and images.
//
//  1. the pool's own spec.osImageStream.name: Own;
//  2. for custom pools, that of the worker pool: Worker. A pool is custom if it is
//     not named master, worker or arbiter;
//  3. status.defaultStream: Default; Unresolved if there is none.
//
// A stream that is not offered gives no images and a problem that names the
// choices. No singleton, one without status, or one that another version annotated
// gives no images and a finding.
// OSImageURL does not change the answer: it wins in the rendered config, so it is
// a finding, and a conflict if the stream was asked for by rule 1 or 2.
func ForPool(p Pool) Resolution {
	r := resolve(p)
	path := poolPath(p.Pool)
	if p.OSImageURL != "" {
		f := Finding{FindingURLOverride, path.String(),
			fmt.Sprintf("osImageURL %s of a machine config overrides the OS image; the stream gives the extensions image only", p.OSImageURL)}
		if r.Reason == ReasonOwn || r.Reason == ReasonWorker {
			f.Code = FindingURLConflict
			f.Detail = fmt.Sprintf("stream %s of %s and osImageURL %s of a machine config are both set: remove one", r.Stream, r.Field, p.OSImageURL)
		}
		r.Findings = append(r.Findings, f)
	}
	switch {
	case p.Singleton == nil:
		r.Findings = append(r.Findings, Finding{FindingSingletonMissing, "osimagestream[" + Name + "]", "there is no OSImageStream to resolve " + path.String()})
	case len(p.Singleton.Status.AvailableStreams) == 0:
		r.Findings = append(r.Findings, Finding{FindingNotReconciled, availablePath().String(), "the OSImageStream has no status yet to resolve " + path.String()})
	default:
		offered := p.Singleton.Status.AvailableStreams
		if i := index(offered, r.Stream); i >= 0 {
			if by := p.Singleton.Annotations[AnnotationReleaseVersion]; p.Version != "" && by != p.Version {
				r.Findings = append(r.Findings, Finding{FindingOtherRelease, "osimagestream[" + Name + "].metadata.annotations",
					fmt.Sprintf("the streams are those of version %q, not yet of %q", by, p.Version)})
				break
			}
			r.Images = offered[i]
			break
		}
		at := statusPath()
		switch r.Reason {
		case ReasonOwn:
			at = path
		case ReasonWorker:
			at = poolPath(p.Worker)
		}
		r.Problems = append(r.Problems, field.NotSupported(at, r.Stream, nameList(sorted(offered))))
	}
	sortFindings(r.Findings)
	return r
}

// resolve finds the name that counts.
func resolve(p Pool) Resolution {
	var r Resolution
	if p.Pool != nil {
		if name := p.Pool.Spec.OSImageStream.Name; name != "" {
			return Resolution{Stream: name, Reason: ReasonOwn, Field: poolPath(p.Pool).String()}
		}
		if isCustom(p.Pool.Name) && p.Worker == nil {
			r.Findings = append(r.Findings, Finding{FindingWorkerMissing, poolPath(p.Pool).String(),
				"a custom pool takes the worker pool's stream, but there is no worker pool; taken for one that names none"})
		} else if isCustom(p.Pool.Name) && p.Worker.Spec.OSImageStream.Name != "" {
			return Resolution{Stream: p.Worker.Spec.OSImageStream.Name, Reason: ReasonWorker, Field: poolPath(p.Worker).String()}
		}
	}
	r.Reason, r.Field = ReasonUnresolved, statusPath().String()
	if p.Singleton != nil && p.Singleton.Status.DefaultStream != "" {
		r.Stream, r.Reason = p.Singleton.Status.DefaultStream, ReasonDefault
	}
	return r
}

func isCustom(pool string) bool {
	return pool != "master" && pool != "worker" && pool != "arbiter"
}

func poolPath(p *mcfgv1.MachineConfigPool) *field.Path {
	name := ""
	if p != nil {
		name = p.Name
	}
	return field.NewPath("machineconfigpool").Key(name).Child("spec", "osImageStream", "name")
}

// ValidatePool judges a write to a pool; old is nil for a creation. An empty list
// means that the write is valid. First match wins:
//
//  1. the pool names no stream: valid, even without a singleton;
//  2. it names the stream that it named before: valid, even if that is retired;
//  3. there is no singleton, or it has no status yet: NotFound;
//  4. the stream is not offered: NotSupported, with the choices.
func ValidatePool(pool, old *mcfgv1.MachineConfigPool, singleton *mcfgv1.OSImageStream) field.ErrorList {
	if pool == nil || pool.Spec.OSImageStream.Name == "" {
		return nil
	}
	name, path := pool.Spec.OSImageStream.Name, field.NewPath("spec", "osImageStream", "name")
	if old != nil && old.Spec.OSImageStream.Name == name {
		return nil
	}
	if singleton == nil || len(singleton.Status.AvailableStreams) == 0 {
		return field.ErrorList{field.NotFound(path, name)}
	}
	if offered := singleton.Status.AvailableStreams; index(offered, name) < 0 {
		return field.ErrorList{field.NotSupported(path, name, nameList(sorted(offered)))}
	}
	return nil
}
