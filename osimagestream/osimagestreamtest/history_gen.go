package osimagestreamtest

import (
	"slices"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"pgregory.net/rapid"
)

// DrawHistory draws what happens to a cluster: 1 to 12 steps, half of which
// run the reconcile step, whole or stopped.
func DrawHistory(t *rapid.T) History {
	h := History{
		Flavor:         rapid.SampledFrom([]Flavor{OCP, OKD}).Draw(t, "flavor"),
		InstallVersion: rapid.SampledFrom([]string{"4.18.0", "5.0.0"}).Draw(t, "install version"),
		Stored:         DrawStored(t),
		Streams:        DrawStreams(t, "streams", 1),
	}
	verbs := []Verb{VerbReconcile, VerbReconcile, VerbStop, VerbFail, VerbRelease, VerbHeal, VerbUnread, VerbReconcile, VerbStop, VerbFail,
		VerbHeal, VerbChoose, VerbMeddle}
	runs := h.Streams
	for range rapid.IntRange(1, 12).Draw(t, "steps") {
		s := HistoryStep{Verb: rapid.SampledFrom(verbs).Draw(t, "verb")}
		switch s.Verb {
		case VerbRelease:
			s.Streams = DrawStreams(t, "streams", 1)
			runs = s.Streams
		case VerbFail:
			s.Image = rapid.SampledFrom(imagesIn(runs)).Draw(t, "image")
		case VerbStop:
			s.Writes = rapid.IntRange(0, 2).Draw(t, "writes")
		case VerbChoose:
			s.Stream = rapid.SampledFrom(StreamNames()).Draw(t, "stream")
		case VerbMeddle:
			s.Annotated = rapid.Bool().Draw(t, "annotated")
		}
		h.Steps = append(h.Steps, s)
	}
	return h
}

// imagesIn are the images of the streams.
func imagesIn(streams []mcfgv1.OSImageStreamSet) (images []string) {
	for _, s := range streams {
		images = append(images, string(s.OSImage), string(s.OSExtensionsImage))
	}
	slices.Sort(images)
	return images
}

func historyProperties() (all []property) {
	for _, rule := range []string{ruleSeen, ruleOfOne, ruleAnnotated, ruleTaken, ruleEnds} {
		all = append(all, property{Rule: rule, Name: "any history", Implemented: hasReconcile, Call: func(t *rapid.T, i Impl) outcome {
			h := DrawHistory(t)
			violations := slices.DeleteFunc(h.Play(i.started), func(v Violation) bool { return v.Rule != rule })
			if len(violations) == 0 {
				violations = nil
			}
			return outcome{Input: h, Want: []Violation(nil), Got: violations}
		}})
	}
	return all
}
