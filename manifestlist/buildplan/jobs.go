package buildplan

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/types"
)

// jobs are the jobs that exist.
type jobs struct {
	list []Job
	// last is the last job of each owner, and before the one before it of the same
	// owner, -1 for none.
	last   map[types.UID]int
	before []int
}

func jobsByOwner(list []Job) jobs {
	if len(list) == 0 {
		return jobs{}
	}
	j := jobs{list: list, last: make(map[types.UID]int, len(list)/2), before: make([]int, len(list))}
	for i := range list {
		j.before[i] = -1
		if list[i].Owner == "" {
			continue
		}
		if last, more := j.last[list[i].Owner]; more {
			j.before[i] = last
		}
		j.last[list[i].Owner] = i
	}
	return j
}

// lastOf returns the last job of an owner, -1 if it has none.
func (j jobs) lastOf(owner types.UID) int {
	if last, ok := j.last[owner]; ok {
		return last
	}
	return -1
}

// isTaken reports whether there is a job of a name, whoever's it is.
func (j jobs) isTaken(name string) bool {
	for i := range j.list {
		if j.list[i].Name == name {
			return true
		}
	}
	return false
}

// of returns the job of a build for an architecture, publishSuffix for the
// publishing job; nil if there is no such job. A job of that name that another
// object controls, or none, is not the build's: rule 52. Of several of one name,
// which no cluster has, it is one that does not depend on their order.
func (j jobs) of(e *earlier, suffix string) (found *Job) {
	for i := e.lastJob; i >= 0; i = j.before[i] {
		if job := &j.list[i]; isJobName(job.Name, e.build.Name, suffix) && (found == nil || compareJobs(job, found) < 0) {
			found = job
		}
	}
	return found
}

// compareJobs orders jobs of one name and one owner by all that is asked of them.
func compareJobs(a, b *Job) int {
	return cmp.Or(cmp.Compare(a.Phase, b.Phase), strings.Compare(a.PullSpec, b.PullSpec))
}

// pullSpecs is a set. The empty string is not in it.
type pullSpecs map[string]struct{}

func setOf(list []string) pullSpecs {
	if len(list) == 0 {
		return nil
	}
	set := make(pullSpecs, len(list))
	for _, s := range list {
		if s != "" {
			set[s] = struct{}{}
		}
	}
	return set
}

func (p pullSpecs) has(s string) bool {
	_, ok := p[s]
	return ok
}
