package buildplantest

import (
	"strings"

	"pgregory.net/rapid"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/conformance"
)

func properties() []conformance.Property[Impl] {
	return append([]conformance.Property[Impl]{
		{Rule: "own-containerfile-first", Name: "any entries", Implemented: hasPlan, Call: anyContainerfiles},
		{Rule: "order-does-not-count", Name: "whatever has no order", Implemented: hasPlan, Call: anyOrder},
		{Rule: "key-covers-nothing-else", Name: "one architecture at a time", Implemented: hasPlan, Call: oneChange},
		{Rule: "names-fit", Name: "pools and configs of any name", Implemented: hasPlan, Call: func(t *rapid.T, i Impl) conformance.Outcome {
			f := drawNamed(t)
			return conformance.Outcome{Input: f, Want: []string{}, Got: Misfits(must(i, f))}
		}},
		{Rule: "a-tag-for-each-job", Name: "pools and configs of any name", Implemented: hasPlan, Call: func(t *rapid.T, i Impl) conformance.Outcome {
			f := drawNamed(t)
			return conformance.Outcome{Input: f, Want: []string{}, Got: Shared(must(i, f))}
		}},
	}, historyProperties()...)
}

func drawNamed(t *rapid.T) Facts {
	return withNames(FactsFor(DrawArchitectures(t)...), DrawName(t, "config"), DrawName(t, "pool"), DrawName(t, "rendered"), DrawPushSpec(t))
}

func anyContainerfiles(t *rapid.T, i Impl) conformance.Outcome {
	f := DrawFacts(t)
	p := must(i, f)
	var want []string
	for _, image := range p.Images {
		want = append(want, ContainerfileOracle(f.Config.Spec.Containerfile, image.Architecture))
	}
	return conformance.Outcome{Input: f, Want: want, Got: containerfiles(p)}
}

// anyOrder permutes what has no order.
func anyOrder(t *rapid.T, i Impl) conformance.Outcome {
	f := DrawFacts(t)
	before := must(i, f)
	f.Config, f.Rendered = f.Config.DeepCopy(), f.Rendered.DeepCopy()
	f.Architectures = shuffled(t, f.Architectures, "order of architectures")
	f.Config.Spec.Containerfile = shuffled(t, f.Config.Spec.Containerfile, "order of containerfiles")
	f.Rendered.Spec.Extensions = shuffled(t, f.Rendered.Spec.Extensions, "order of extensions")
	return conformance.Outcome{Input: f, Want: change{}, Got: changed(before, must(i, f))}
}

// oneChange changes what goes into the image of one architecture, and what goes into
// none.
func oneChange(t *rapid.T, i Impl) conformance.Outcome {
	f := FactsFor(DrawArchitectures(t)...)
	f.Config.Spec.Containerfile = nil
	for _, a := range f.Architectures {
		f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, entry(mcfgv1.ContainerfileArch(strings.ToUpper(a)), "FROM configs"))
	}
	before := must(i, f)
	target := rapid.SampledFrom(f.Architectures).Draw(t, "target")
	f.Config = f.Config.DeepCopy()
	if rapid.Bool().Draw(t, "base image") {
		f.Base[target] = BaseImages{OS: Digest("new"), Extensions: f.Base[target].Extensions}
	} else {
		for i := range f.Config.Spec.Containerfile {
			if c := &f.Config.Spec.Containerfile[i]; strings.EqualFold(string(c.ContainerfileArch), target) {
				c.Content += "\nRUN true"
			}
		}
	}
	f.Config.Spec.RenderedImagePushSecret.Name = rapid.StringMatching(`[a-z]{1,10}`).Draw(t, "secret")
	return conformance.Outcome{Input: f, Want: change{[]string{target}, true}, Got: changed(before, must(i, f))}
}
