package osimagestreamtest_test

import (
	"fmt"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// A release with two streams is stored. The next one cannot be inspected whole at
// first. A reconcile step that takes what it sees for the release writes all the same.
func ExampleHistory_Play() {
	hasty := func() osimagestreamtest.Impl {
		return osimagestreamtest.Impl{Reconcile: func(c osimagestreamtest.Cluster) error {
			payload, err := c.Payload()
			if err != nil {
				return err
			}
			sources := osimagestreamtest.Sources{Payload: payload, Labels: map[string]map[string]string{}}
			for _, tag := range payload.Spec.Tags {
				if labels, err := c.Inspect(tag.From.Name); err == nil {
					sources.Labels[tag.From.Name] = labels
				} // an image that cannot be inspected is left out
			}
			streams, _ := osimagestreamtest.DiscoverOracle(sources)
			o, err := c.Server.Get()
			if err != nil {
				return err
			}
			o.Status = mcfgv1.OSImageStreamStatus{DefaultStream: o.Spec.DefaultStream, AvailableStreams: streams}
			_, err = c.Server.UpdateStatus(o)
			return err
		}}
	}
	before, next := osimagestreamtest.Sets("rhel-10", "rhel-9"), osimagestreamtest.SetFrom("rhel-10", "2")
	history := osimagestreamtest.History{
		Flavor:  osimagestreamtest.OCP,
		Stored:  osimagestreamtest.Stored("rhel-9", "rhel-9", before...),
		Streams: before,
		Steps: []osimagestreamtest.HistoryStep{
			{Verb: osimagestreamtest.VerbRelease, Streams: []mcfgv1.OSImageStreamSet{next, osimagestreamtest.SetFrom("rhel-9", "2")}},
			{Verb: osimagestreamtest.VerbFail, Image: string(next.OSImage)},
			{Verb: osimagestreamtest.VerbReconcile},
		},
	}
	first := history.Play(hasty)[0]
	fmt.Printf("step %d: %s: %s\n", first.Step, first.Rule, first.What)
	fmt.Println("of ours:", history.Play(ours.Impl))
	// Output:
	// step 2: history-waits-until-seen: a write, and not all was seen
	// of ours: []
}
