package buildplantest

import (
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/conformance"
)

// historyProperties play histories, for each rule that they break where an
// implementation does not keep it.
func historyProperties() []conformance.Property[Impl] {
	var all []conformance.Property[Impl]
	for _, rule := range []string{
		"key-covers-what-is-built", "lost-images-are-not-built-for-ever", "name-is-created-once", "equal-images-are-built-once",
		"running-job-is-waited-for", "unreadable-is-not-gone", "job-belongs-to-its-build", "superseded-build-is-interrupted",
		"publishing-waits-for-all-images", "one-condition-is-true", "nothing-less-is-published", "any-write-may-be-the-last",
	} {
		all = append(all, conformance.Property[Impl]{Rule: rule, Name: "any history", Implemented: hasReconcile, Call: func(t *rapid.T, i Impl) conformance.Outcome {
			h := DrawHistory(t)
			return conformance.Outcome{Input: h, Want: []string{}, Got: h.Play(func() Impl { return i }).ofRule(rule)}
		}})
	}
	return all
}
