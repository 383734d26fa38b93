package buildplan

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// Plan returns the build that the facts call for and what is to be done about
// it. It is level-triggered: carry out any of what it asks for, or nothing, look
// again at the facts, and plan again. The rules are in the package
// documentation.
//
// Problems make Next NextBlocked, and every other field is still filled in. The
// error is an *InputError: Config or Rendered is missing or has no name.
func Plan(f Facts) (Build, error) {
	if err := f.check(); err != nil {
		return Build{}, err
	}
	in := readInputs(f)
	past := readHistory(f, in)
	d := decide(f, in, past)
	images, findings := planImages(in, past, d)
	publish, result, more := planPublishing(in, past, d, images)
	if d.next == NextContinue && publish.PullSpec != "" {
		copied(images, in.repository)
	}
	b := Build{
		Name: d.name, Attempt: d.attempt, Next: d.next, Reason: d.reason,
		PushSpec: d.pushSpec, ConfigPushSpec: f.Config.Spec.RenderedImagePushSpec,
		Config: f.Config.Name, Pool: f.Config.Spec.MachineConfigPool.Name, Rendered: f.Rendered.Name,
		Images: images, Publish: publish, PullSpec: result,
		Verify:     toVerify(past, images, result),
		Superseded: superseded(past, d),
		Obsolete:   obsolete(past, d, images),
		Problems:   append(in.problems, d.problems...),
		Findings:   unique(in.findings, past.findings, d.findings, findings, more),
	}
	if d.own != nil {
		b.UID = d.own.build.UID
	}
	return b, nil
}

func (f Facts) check() error {
	switch {
	case f.Config == nil:
		return &InputError{"Facts.Config", "is nil"}
	case f.Config.Name == "":
		return &InputError{"Facts.Config", "has no name"}
	case f.Config.Spec.MachineConfigPool.Name == "":
		return &InputError{"Facts.Config", "names no pool"}
	case f.Rendered == nil:
		return &InputError{"Facts.Rendered", "is nil"}
	case f.Rendered.Name == "":
		return &InputError{"Facts.Rendered", "has no name"}
	}
	return nil
}

// toVerify are the images that the plan counts on, without those that the registry
// has been asked for: rule 55.
func toVerify(past history, images []Image, result string) []string {
	list := make([]string, 0, len(images)+1)
	add := func(pullSpec string) {
		if pullSpec != "" && !past.gone.has(pullSpec) && !past.unreadable.has(pullSpec) {
			list = append(list, pullSpec)
		}
	}
	add(result)
	for i := range images {
		add(images[i].PullSpec)
	}
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// superseded are the builds that have not ended and that the plan takes the place
// of: rule 56.
func superseded(past history, d decision) []string {
	if !d.active() && d.next != NextGiveUp {
		return nil
	}
	var names []string
	for i := range past.builds {
		if e := &past.builds[i]; e.ended == "" && !e.deleting && e.build.Name != d.name {
			names = append(names, e.build.Name)
		}
	}
	return names
}

// obsolete are the running jobs whose image nobody waits for: rule 57.
func obsolete(past history, d decision, images []Image) []string {
	if !d.active() && d.next != NextGiveUp {
		return nil
	}
	var names []string
	var others map[types.UID]bool
	for i := range past.jobs.list {
		j := &past.jobs.list[i]
		if j.Name == "" || j.Phase.ended() {
			continue
		}
		if others == nil {
			others = past.owners(d.name)
		}
		if others[j.Owner] && !slices.ContainsFunc(images, func(i Image) bool { return i.State == StateWait && i.Job == j.Name }) {
			names = append(names, j.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// owners are the UIDs of all builds but the one of a name.
func (h history) owners(but string) map[types.UID]bool {
	owners := make(map[types.UID]bool, len(h.builds))
	for i := range h.builds {
		if e := &h.builds[i]; e.build.Name != but && e.build.UID != "" {
			owners[e.build.UID] = true
		}
	}
	return owners
}

func orNone(s string) string { return cmp.Or(s, "none") }
