package buildplan

import (
	"cmp"
	"slices"
	"strings"
)

// jobs are the jobs that exist, by name. In a cluster each has a name of its own;
// facts that say otherwise are put into an order that does not depend on theirs.
type jobs []Job

func jobsByName(list []Job) jobs {
	if len(list) == 0 {
		return nil
	}
	sorted := make(jobs, 0, len(list))
	for i := range list {
		if list[i].Name != "" {
			sorted = append(sorted, list[i])
		}
	}
	slices.SortFunc(sorted, func(a, b Job) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Phase, b.Phase),
			cmp.Compare(a.PullSpec, b.PullSpec), cmp.Compare(a.Architecture, b.Architecture), cmp.Compare(a.Build, b.Build))
	})
	return sorted
}

// named returns the jobs of a name.
func (j jobs) named(name string) jobs {
	first, found := slices.BinarySearchFunc(j, name, func(job Job, name string) int { return strings.Compare(job.Name, name) })
	if !found {
		return nil
	}
	end := first + 1
	for end < len(j) && j[end].Name == name {
		end++
	}
	return j[first:end]
}

// owned returns the job of a name that belongs to a build; nil if there is no such
// job. A job of that name that another object controls, or none, is not the
// build's: rule 83.
func (j jobs) owned(name string, e *earlier) *Job {
	if e.build.UID == "" {
		return nil
	}
	same := j.named(name)
	for i := range same {
		if same[i].Owner == e.build.UID {
			return &same[i]
		}
	}
	return nil
}

// of returns the job of a build for an architecture, publishSuffix for the
// publishing job; nil if there is no such job.
func (j jobs) of(e *earlier, suffix string) *Job {
	if len(j) == 0 {
		return nil
	}
	return j.owned(jobName(e.build.Name, suffix), e)
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
