package buildplantest

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// OtherRepository is another repository than that of [FactsFor].
const OtherRepository = "mirror.example.com/fleet/os"

// refusedPushSpec is a push spec without a form by digest.
const refusedPushSpec = "quay.io/a/b/c:refused"

// nodes are the sets of architectures that the pool may have, each in one order.
func nodes() (all [][]string) {
	names := []string{"amd64", "arm64", "ppc64le", "s390x"}
	for set := 1; set < 1<<len(names); set++ {
		var some []string
		for i, a := range names {
			if set>>i&1 == 1 {
				some = append(some, a)
			}
		}
		all = append(all, some)
	}
	return all
}

func containerfileLists() [][]mcfgv1.MachineOSContainerfile {
	shared := entry("", "FROM configs")
	return [][]mcfgv1.MachineOSContainerfile{{shared}, {shared, entry(mcfgv1.Arm64, "FROM arm 1")}, {shared, entry(mcfgv1.Arm64, "FROM arm 2")}}
}

func (c *Cluster) annotateConfig(name, value string) {
	if c.facts.Config.Annotations == nil {
		c.facts.Config.Annotations = map[string]string{}
	}
	c.facts.Config.Annotations[name] = value
}

// spoil loses and edits what the operator wrote.
func (p *play) spoil(s Step) {
	switch s.Verb {
	case VerbEditConfig:
		name := of(slices.DeleteFunc(slices.Sorted(maps.Keys(p.facts.Config.Annotations)), func(n string) bool { return n == AnnotationRebuild }), s.Of)
		if name == "" {
			return
		}
		p.since = p.uid // which builds count is as unknown as what it said
		if s.Value%4 == 0 {
			delete(p.facts.Config.Annotations, name)
			return
		}
		p.annotateConfig(name, of([]string{"x", "-1", "7"}, s.Value))
	case VerbEditBuild:
		p.editBuild(of(p.facts.Builds, s.Of), s.Value)
	case VerbDeletingBuild:
		if b := of(p.facts.Builds, s.Of); b != nil && b.DeletionTimestamp == nil {
			b.DeletionTimestamp = &metav1.Time{Time: p.Now().Time}
		} else {
			p.removeBuild(b)
		}
	case VerbDeleteBuild:
		p.removeBuild(of(p.facts.Builds, s.Of))
	}
}

func (c *Cluster) removeBuild(b *mcfgv1.MachineOSBuild) {
	c.facts.Builds = slices.DeleteFunc(c.facts.Builds, func(o *mcfgv1.MachineOSBuild) bool { return o == b })
}

// editBuild loses an annotation of a build, one time in two, or gives it another value.
// Hundreds choose the annotation, the rest what becomes of it.
func (p *play) editBuild(b *mcfgv1.MachineOSBuild, value int) {
	if b == nil || len(b.Annotations) == 0 {
		return
	}
	name := of(slices.Sorted(maps.Keys(b.Annotations)), value/100)
	p.touched[b.UID], p.anyTouched = true, true
	if value%100 < 50 {
		delete(b.Annotations, name)
		return
	}
	values := append([]string{"x", "-1", "7", "", "os:latest", Digest("another key")[len("sha256:"):]}, p.registry.sortedSpecs()...)
	b.Annotations[name] = of(values, value%100)
}

// done reports whether what is wanted is published.
func (c *Cluster) done() bool {
	inputs := c.inputs()
	return slices.ContainsFunc(c.facts.Builds, func(b *mcfgv1.MachineOSBuild) bool {
		return b.DeletionTimestamp == nil && c.required[b.UID].inputs == inputs && endOf(b.Status) == mcfgv1.MachineOSBuildSucceeded &&
			(c.answers != answersTruly || c.registry.has[string(b.Status.DigestedImagePushSpec)])
	})
}

// checkEnd fails if the cluster has come to rest where it should not have.
func (c *Cluster) checkEnd() End {
	var wanted, unended []*mcfgv1.MachineOSBuild
	inputs := c.inputs()
	for _, b := range c.facts.Builds {
		if b.DeletionTimestamp != nil {
			continue
		}
		if endOf(b.Status) == "" {
			unended = append(unended, b)
		}
		if c.required[b.UID].inputs == inputs {
			wanted = append(wanted, b)
		}
	}
	edited := func(b *mcfgv1.MachineOSBuild) bool { return c.touched[b.UID] && c.required[b.UID].inputs == inputs }
	switch {
	case slices.ContainsFunc(unended, edited):
		return EndBlocked // somebody edited it, and has to mend it, whatever else was published
	case c.done():
		for _, b := range unended {
			c.violate("superseded-build-is-interrupted", "%s was left running", b.Name)
		}
		return EndDone
	case c.facts.Config.Spec.RenderedImagePushSpec == refusedPushSpec:
		return EndBlocked
	}
	for _, b := range wanted {
		if slices.Contains(unended, b) {
			c.violate("any-write-may-be-the-last", "comes to rest with %s, which has not ended", b.Name)
		}
	}
	if len(wanted) == 0 {
		c.violate("any-write-may-be-the-last", "comes to rest without a build of what is wanted")
	}
	return EndGaveUp
}
