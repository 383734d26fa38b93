package buildplantest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// answers is how the registry answers the operator; jobs read and push as ever.
type answers int

const (
	answersTruly answers = iota
	// answersNothing: it refuses (401, 403), is in trouble (5xx), or times out.
	answersNothing
	// answersNotFound: it denies reading with 404, as registries do that do not tell
	// strangers what there is.
	answersNotFound
)

// A registry has images of one architecture and indexes of them.
type registry struct {
	has    map[string]bool     // pull specs
	images map[string]manifest // by digest
	pushed int
}

type manifest struct {
	Manifest
	// inputs are what an image of one architecture was built from.
	architecture, inputs string
	// children are the digests of an index.
	children []string
}

func newRegistry() registry { return registry{has: map[string]bool{}, images: map[string]manifest{}} }

// push stores what was built for an architecture.
func (r *registry) push(repository, architecture, inputs string) (pushed string) {
	r.pushed++
	m := ImageFor(architecture, fmt.Sprint(r.pushed))
	pushed = string(digest.FromBytes(m.Manifest))
	r.images[pushed] = manifest{Manifest: m, architecture: architecture, inputs: inputs}
	r.has[repository+"@"+pushed] = true
	return pushed
}

// publish stores what a publishing job pushes, and what it refers to beside it.
func (r *registry) publish(repository string, b []byte) (pushed string, err error) {
	pushed = string(digest.FromBytes(b))
	if m, there := r.images[pushed]; there {
		for _, d := range append(m.children, pushed) {
			r.has[repository+"@"+d] = true
		}
		return pushed, nil
	}
	var index ocispec.Index
	if err := json.Unmarshal(b, &index); err != nil || len(index.Manifests) == 0 {
		return "", errors.New("is neither an image that was built nor an index")
	}
	m := manifest{Manifest: Manifest{Manifest: b}}
	for _, d := range index.Manifests {
		if _, there := r.images[string(d.Digest)]; !there {
			return "", fmt.Errorf("refers to %s, which nobody built", d.Digest)
		}
		m.children = append(m.children, string(d.Digest))
		r.has[repository+"@"+string(d.Digest)] = true
	}
	r.images[pushed], r.has[repository+"@"+pushed] = m, true
	return pushed, nil
}

// contents are the images of one architecture that an image stands for.
func (r *registry) contents(digest string) (all []manifest) {
	m, there := r.images[digest]
	if !there {
		return nil
	}
	if m.children == nil {
		return []manifest{m}
	}
	for _, d := range m.children {
		all = append(all, r.images[d])
	}
	return all
}

// repositoryOf is a push spec without its tag, or a pull spec without its digest.
func repositoryOf(spec string) string {
	spec, _, _ = strings.Cut(spec, "@")
	if i := strings.LastIndexByte(spec, ':'); i > strings.LastIndexByte(spec, '/') {
		return spec[:i]
	}
	return spec
}

// digestIn is the digest of a pull spec, "" if it has none.
func digestIn(pullSpec string) string {
	_, d, _ := strings.Cut(pullSpec, "@")
	return d
}

func (j *job) running() bool {
	return len(j.object.Status.Conditions) == 0 && j.object.DeletionTimestamp == nil
}

func (j *job) finish(as batchv1.JobConditionType) {
	j.object.Status = batchv1.JobStatus{Conditions: []batchv1.JobCondition{{Type: as, Status: corev1.ConditionTrue}}}
}

// succeed does what the job is for.
func (c *Cluster) succeed(j *job) {
	if j.work.Publish == nil {
		j.finish(batchv1.JobComplete)
		j.digest = c.registry.push(repositoryOf(j.work.PushSpec), j.work.Architecture, j.inputs)
		return
	}
	owner, missed := c.owner(j), false
	if owner == nil {
		j.finish(batchv1.JobFailed) // there is nothing left to publish
		return
	}
	b, err := j.work.Publish(owner.DeepCopy(), func(pullSpec string) (Manifest, bool) {
		missed = missed || !c.registry.has[pullSpec]
		return c.registry.images[digestIn(pullSpec)].Manifest, c.registry.has[pullSpec]
	})
	if err == nil {
		j.digest, err = c.registry.publish(repositoryOf(j.work.PushSpec), b)
	}
	if err == nil {
		j.finish(batchv1.JobComplete)
		return
	}
	if !missed && !c.anyTouched { // else it may have to do with records that somebody edited
		c.violate("publishing-waits-for-all-images", "the publishing job of %s: %v", owner.Name, err)
	}
	j.finish(batchv1.JobFailed)
}

// sortedSpecs are the pull specs that the registry has, in order.
func (r *registry) sortedSpecs() []string {
	var all []string
	for spec, there := range r.has {
		if there {
			all = append(all, spec)
		}
	}
	slices.Sort(all)
	return all
}
