package buildplan

import (
	"strconv"
	"testing"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

// With the race detector this sees a write to what several callers share, even one that is
// undone before they return.
func TestConcurrentCallers(t *testing.T) {
	f := richFacts(t)
	b := mustPlan(t, f)
	current, job := b.MachineOSBuild(), &batchv1.Job{ObjectMeta: b.JobMeta(b.Images[0])}
	children := []manifestlist.Child{imageFor("arm64", "x")}
	build := recorded(t, []string{"arm64"}, map[string]manifestlist.Child{"arm64": children[0]})
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			mustPlan(t, f).MachineOSBuild()
			if _, err := Observe(b, current, testTime(5)); err != nil {
				t.Error(err)
			}
			Interrupt(current, f.Jobs, testTime(5))
			Records(build)
			AcceptRebuild(f.Config.Annotations, 7)
			b.JobMeta(b.Images[0])
			_ = b.Images[0].BuildArgs()
			ReadJob(job, buildplantest.Digest("x"))
			if _, err := Publish(build, children); err != nil {
				t.Error(err)
			}
		})
	}
}
