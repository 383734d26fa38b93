package buildplan

import (
	"cmp"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

// Plan returns the build that the facts call for and what is to be done about
// it. It is level-triggered: carry out any of what it asks for, or nothing, look
// again at the facts, and plan again. The rules are in the package
// documentation.
//
// Problems and FindingPushSpec make Next Blocked, and every other field is still
// filled in. The error is an *InputError: Config or Rendered is missing or has no
// name.
func Plan(f Facts) (Build, error) {
	switch {
	case f.Config == nil:
		return Build{}, &InputError{"Facts.Config", "is nil"}
	case f.Config.Name == "":
		return Build{}, &InputError{"Facts.Config", "has no name"}
	case f.Config.Spec.MachineConfigPool.Name == "":
		return Build{}, &InputError{"Facts.Config", "names no pool"}
	case f.Rendered == nil:
		return Build{}, &InputError{"Facts.Rendered", "is nil"}
	case f.Rendered.Name == "":
		return Build{}, &InputError{"Facts.Rendered", "has no name"}
	}
	p := planner{facts: &f}
	p.Config = f.Config.Name
	p.Pool = f.Config.Spec.MachineConfigPool.Name
	p.Rendered = f.Rendered.Name
	p.readInputs()
	p.readBuilds()
	p.decide()
	p.planSteps()
	p.planPublish()
	p.findLeftovers()
	return p.Build, nil
}

// planner is a plan in the making.
type planner struct {
	Build
	facts *Facts
	// repository is where the result is published, buildRepository where jobs
	// push to.
	repository, buildRepository string
	// floor is the first attempt that counts.
	floor int
	// builds are those of this MachineOSConfig, by name.
	builds []earlier
	// own is the build that is planned, if it exists.
	own *earlier
}

// readInputs fills in the steps and their keys, and reports what is wrong with
// what goes into them.
func (p *planner) readInputs() {
	f := p.facts
	files, problems := readContainerfiles(f.Config.Spec.Containerfile, p.Config)
	p.Problems = problems
	for _, e := range files.entries {
		if e.goarch != "" && !f.Architectures.Has(e.goarch) {
			p.find(FindingContainerfileUnused, p.inSpec("containerFile["+strconv.Itoa(e.position)+"]"),
				"is for "+e.goarch+", but the pool's nodes are "+orNone(f.Architectures.String()))
		}
	}

	p.repository, _ = splitTag(string(f.Config.Spec.RenderedImagePushSpec))
	p.buildRepository = cmp.Or(f.BuildRepository, p.repository)
	if why := notDigestable(p.repository); why != "" {
		p.find(FindingPushSpec, p.inSpec("renderedImagePushSpec"),
			"is "+string(f.Config.Spec.RenderedImagePushSpec)+", "+why+": its form by digest would be refused")
	}

	switch n := f.Architectures.Len(); {
	case n == 0:
		p.find(FindingNoArchitectures, "machineconfigpools["+p.Pool+"]", "has no node whose architecture is known")
	case n > 1 && f.Payload != payloadarch.Multi:
		p.find(FindingPayloadNotMulti, "machineconfigpools["+p.Pool+"]",
			"has nodes of "+f.Architectures.String()+", and the payload is "+f.Payload.String()+", not Multi")
	}

	in := ingredients{extensions: asSet(f.Rendered.Spec.Extensions), kernelArguments: f.Rendered.Spec.KernelArguments}
	p.Steps = make([]Step, 0, f.Architectures.Len())
	scratch := make([]byte, 0, 5<<10)
	for a := range f.Architectures.All() {
		if len(a) > 32 || dnsLabel(a) != a {
			p.Problems = append(p.Problems, field.Invalid(field.NewPath("architectures").Key(a), a, "must be a GOARCH name"))
		}
		file, found := files.forArchitecture(a)
		if !found && len(files.entries) > 0 {
			p.find(FindingContainerfileMissing, p.inSpec("containerFile"),
				"has no entry for "+a+" and none for NoArch: it is built without")
		}
		kernel, err := kernelFor(f.Rendered.Spec.KernelType, a, p.Rendered)
		if err != nil {
			p.Problems = append(p.Problems, err)
		}
		s := Step{Architecture: a, Containerfile: file.content, Entry: file.position, Base: f.Base[a], Kernel: kernel}
		in.architecture, in.containerfile, in.kernelType = a, file.content, kernel
		in.osDigest = p.baseDigest(a, "os", s.Base.OS, true)
		in.extensionsDigest = p.baseDigest(a, "extensions", s.Base.Extensions,
			len(in.extensions) > 0 || kernel != kernelDefault)
		s.Key, scratch = in.key(scratch)
		p.Steps = append(p.Steps, s)
	}
}

func (p *planner) inSpec(field string) string {
	return "machineosconfigs[" + p.Config + "].spec." + field
}

// baseDigest returns the digest of a base image.
func (p *planner) baseDigest(architecture, which, pullSpec string, required bool) string {
	path := func() *field.Path { return field.NewPath("base").Key(architecture).Child(which) }
	if pullSpec == "" {
		if required {
			p.Problems = append(p.Problems, field.Required(path(), "no image of this architecture to start from"))
		}
		return ""
	}
	digest, ok := digestOf(pullSpec)
	if !ok {
		p.Problems = append(p.Problems, field.Invalid(path(), pullSpec, "must end in sha256: and 64 hexadecimal digits"))
	}
	return digest
}

// decide names the build and says what becomes of it.
func (p *planner) decide() {
	id := identity{p.Pool, p.Rendered, string(p.facts.Config.Spec.RenderedImagePushSpec), p.Steps}
	var latest *earlier
	failures := 0
	for i := range p.builds {
		e := &p.builds[i]
		if e.attempt < p.floor || e.build.Spec.MachineConfig.Name != p.Rendered || id.name(e.attempt) != e.build.Name {
			continue
		}
		if e.ended == mcfgv1.MachineOSBuildFailed {
			failures++
		}
		if latest == nil || e.attempt > latest.attempt {
			latest = e
		}
	}

	_, rebuild := p.facts.Config.Annotations[RebuildAnnotation]
	p.Attempt = p.floor
	if latest != nil {
		p.Attempt = latest.attempt
	}
	again := func(r Reason) { p.Next, p.Reason, p.Attempt = Create, r, latest.attempt+1 }
	switch {
	case rebuild:
		p.Next, p.Reason, p.Attempt = Accept, ReasonRebuild, p.floor
		for i := range p.builds {
			p.Attempt = max(p.Attempt, p.builds[i].attempt)
		}
		p.Attempt++
	case len(p.Steps) == 0:
		p.Next, p.Reason = Idle, ReasonNoArchitectures
	case len(p.Problems) > 0:
		p.Next, p.Reason = Blocked, ReasonProblems
	case p.found(FindingPushSpec):
		p.Next, p.Reason = Blocked, ReasonPushSpec
	case latest == nil:
		p.Next, p.Reason = Create, ReasonNewInputs
	case latest.deleting:
		again(ReasonBuildDeleted)
	case latest.ended == "":
		p.Next, p.Reason, p.own = Continue, ReasonUnderWay, latest
	case latest.ended == mcfgv1.MachineOSBuildSucceeded:
		if p.anyGone(latest) {
			again(ReasonImageGone)
		} else {
			p.Next, p.Reason, p.own = Done, ReasonPublished, latest
		}
	case latest.ended == mcfgv1.MachineOSBuildFailed && failures >= max(1, p.facts.Attempts):
		p.Next, p.Reason, p.own = GiveUp, ReasonAttemptsUsed, latest
	default:
		again(ReasonRetry)
	}
	if latest != nil && latest.attempt == p.Attempt {
		p.Name = latest.build.Name
	} else {
		p.Name = id.name(p.Attempt)
	}
	p.PushSpec = mcfgv1.ImageTagFormat(p.repository + ":" + p.Name)
}

// active reports whether the plan does anything about its build.
func (p *planner) active() bool { return p.Next == Create || p.Next == Continue || p.Next == Done }

// findLeftovers lists the builds and jobs that the plan has no use for.
func (p *planner) findLeftovers() {
	if !p.active() && p.Next != GiveUp {
		return
	}
	for i := range p.builds {
		if e := &p.builds[i]; e.build.Name != p.Name && e.ended == "" && !e.deleting {
			p.Superseded = append(p.Superseded, e.build.Name)
		}
	}
	for i := range p.facts.Jobs {
		j := &p.facts.Jobs[i]
		if j.Phase != Running || j.Build == p.Name || p.buildNamed(j.Build) == nil {
			continue
		}
		awaited := slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Action == Wait && s.Job == j.Name })
		if !awaited {
			p.Obsolete = append(p.Obsolete, j.Name)
		}
	}
	slices.Sort(p.Obsolete)
	p.Obsolete = slices.Compact(p.Obsolete)
}

func (p *planner) find(code FindingCode, path, detail string) {
	if f := (Finding{code, path, detail}); !slices.Contains(p.Findings, f) {
		p.Findings = append(p.Findings, f)
	}
}

func (p *planner) found(code FindingCode) bool {
	return slices.ContainsFunc(p.Findings, func(f Finding) bool { return f.Code == code })
}

func orNone(s string) string { return cmp.Or(s, "none") }
