package buildplantest

import (
	"fmt"
	"slices"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// inputsOf are what goes into the image of an architecture, by rule
// key-covers-what-is-built.
func (c *Cluster) inputsOf(architecture string) string {
	extensions := slices.Compact(slices.Sorted(slices.Values(c.facts.Rendered.Spec.Extensions)))
	kernel := c.facts.Rendered.Spec.KernelType
	if kernel == "" {
		kernel = "default"
	}
	base := c.facts.Base[architecture]
	return fmt.Sprintf("%s %q %s %s %s %q %q", architecture, ContainerfileOracle(c.facts.Config.Spec.Containerfile, architecture),
		digestIn("@"+base.OS[strings.LastIndexByte(base.OS, '@')+1:]), base.Extensions[strings.LastIndexByte(base.Extensions, '@')+1:],
		kernel, extensions, c.facts.Rendered.Spec.KernelArguments)
}

// wanted are the inputs of each image that the pool is to have.
func (c *Cluster) wanted() map[string]string {
	all := map[string]string{}
	for _, a := range c.facts.Architectures {
		all[a] = c.inputsOf(a)
	}
	return all
}

// inputs are what a build is for.
func (c *Cluster) inputs() string {
	return fmt.Sprint(c.facts.Config.Name, c.facts.Config.Spec.MachineConfigPool.Name, c.facts.Rendered.Name, c.facts.Config.Spec.RenderedImagePushSpec, c.wanted())
}

// counts reports whether what a build has is to be used by others.
func (c *Cluster) counts(b *mcfgv1.MachineOSBuild) bool {
	return b != nil && b.DeletionTimestamp == nil && !c.touched[b.UID] && c.required[b.UID].number > c.since
}

// checkJob holds a job that is being created to the rules.
func (c *Cluster) checkJob(j *job) {
	for _, other := range c.jobs {
		if other.running() && other.work.PushSpec == j.work.PushSpec {
			c.violate("a-tag-for-each-job", "the jobs %s and %s push to %s", other.object.Name, j.object.Name, j.work.PushSpec)
		}
	}
	owner := c.owner(j)
	if owner == nil {
		c.violate("any-write-may-be-the-last", "the build of job %s does not exist", j.object.Name)
		return
	}
	if j.work.Publish != nil {
		return
	}
	architecture := j.work.Architecture
	inputs, required := c.required[owner.UID].images[architecture]
	if !required {
		c.violate("an-image-for-each-architecture", "%s builds for %q, which no node has", j.object.Name, architecture)
	}
	if owner.UID != "" && c.required[owner.UID].inputs == c.inputs() {
		if want := ContainerfileOracle(c.facts.Config.Spec.Containerfile, architecture); j.work.Containerfile != want {
			c.violate("own-containerfile-first", "%s builds %q for %s, not %q", j.object.Name, j.work.Containerfile, architecture, want)
		}
	}
	j.inputs = inputs
	for _, other := range c.jobs {
		if by := c.owner(other); other.running() && other.inputs == inputs && other.work.Publish == nil && by != nil && by.DeletionTimestamp == nil {
			c.violate("running-job-is-waited-for", "%s is built while job %s of %s builds the same", architecture, other.object.Name, by.Name)
		}
	}
	c.checkNotThere(j)
}

// checkNotThere fails a job whose image is there: recorded by a build that counts, or
// made by a job of one. What a registry denies, the operator cannot know of.
func (c *Cluster) checkNotThere(j *job) {
	rule := "equal-images-are-built-once"
	switch c.answers {
	case answersNotFound:
		return
	case answersNothing:
		rule = "unreadable-is-not-gone"
	}
	same := func(pullSpec string) bool {
		m := c.registry.images[digestIn(pullSpec)]
		return c.registry.has[pullSpec] && m.children == nil && m.inputs == j.inputs
	}
	for _, other := range c.jobs {
		if by := c.owner(other); c.counts(by) && other.digest != "" && other.work.Publish == nil && same(repositoryOf(other.work.PushSpec)+"@"+other.digest) {
			c.violate(rule, "%s is built again, though job %s made it", j.work.Architecture, other.object.Name)
		}
	}
	if c.anyTouched {
		return // records of other builds may have gone by those
	}
	for _, b := range c.facts.Builds {
		if !c.counts(b) || c.required[b.UID].images[j.work.Architecture] != j.inputs {
			continue
		}
		for _, value := range b.Annotations {
			if same(value) {
				c.violate(rule, "%s is built again, though %s has it", j.work.Architecture, b.Name)
			}
		}
	}
}

// checkResult holds what a build is said to have published to what it was created for.
func (c *Cluster) checkResult(b *mcfgv1.MachineOSBuild, pullSpec string) {
	contents := c.registry.contents(digestIn(pullSpec))
	if contents == nil {
		c.violate("nothing-less-is-published", "%s was never pushed", pullSpec)
		return
	}
	required := c.required[b.UID].images
	missing := len(required)
	for _, m := range contents {
		inputs, ok := required[m.architecture]
		if !ok {
			c.violate("nothing-less-is-published", "%s holds %s, which no node has", b.Name, m.architecture)
			continue
		}
		missing--
		if m.inputs != inputs && !c.anyTouched {
			c.violate("key-covers-what-is-built", "%s holds an image of other inputs for %s", b.Name, m.architecture)
		}
	}
	if missing > 0 {
		c.violate("nothing-less-is-published", "%s holds %d images for %d architectures", b.Name, len(contents), len(required))
	}
}
