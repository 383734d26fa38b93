package section

import (
	"fmt"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/payloadarch"
)

var _ = report.Register(
	report.Code{Code: "osbuilds.Problem", Level: report.Broken,
		Impact: "No image is built until this is mended.", Remedy: "Mend the field of the MachineOSConfig."},
	report.Code{Code: "osbuilds.Unplanned", Level: report.Note,
		Impact: "Nothing can be said of the builds of this MachineOSConfig.", Remedy: "The detail says what is missing."},
	report.Code{Code: "osbuilds.PayloadNotMulti", Level: report.Broken,
		Impact: "There are no images of the operating system for all nodes of the pool.", Remedy: "Migrate to the multi payload: oc adm upgrade --to-multi-arch."},
	report.Code{Code: "osbuilds.NoArchitectures", Level: report.Note,
		Impact: "There is nothing to build for.", Remedy: "Nothing has to be done until the pool has nodes."},
	report.Code{Code: "osbuilds.ContainerfileUnused", Level: report.Note,
		Impact: "The containerfile is built for no node.", Remedy: "Nothing has to be done, or take the entry out."},
	report.Code{Code: "osbuilds.ContainerfileMissing", Level: report.Risk,
		Impact: "The image for this architecture is built without a containerfile.", Remedy: "Add an entry for the architecture, or one for NoArch."},
	report.Code{Code: "osbuilds.RecordUnreadable", Level: report.Risk,
		Impact: "What depends on the annotation is built again.", Remedy: "Nothing has to be done; nobody is to edit these annotations."},
	report.Code{Code: "osbuilds.ImageGone", Level: report.Risk,
		Impact: "The image is built again.", Remedy: "Look why the registry has lost it."},
	report.Code{Code: "osbuilds.ImageUnreadable", Level: report.Risk,
		Impact: "What depends on the image waits.", Remedy: "Look at the registry and the credentials."},
	report.Code{Code: "osbuilds.NameTaken", Level: report.Risk,
		Impact: "The build waits until the name is free.", Remedy: "Delete the job that has the name."},
	report.Code{Code: "osbuilds.RelatedObjectsFull", Level: report.Note,
		Impact: "The status does not list every job.", Remedy: "Nothing has to be done; the jobs are found by their labels."},
	report.Code{Code: "osbuilds.ConditionsFull", Level: report.Note,
		Impact: "Conditions of others are not kept.", Remedy: "Take out conditions that nobody needs."},
)

// OSBuildsSection plans the builds of each MachineOSConfig for the architectures of its
// pool, which no operator does yet.
func (f *Facts) OSBuildsSection() report.Section {
	kinds := []*source.Kind{source.MachineOSConfigs}
	if len(f.OSConfigs) > 0 {
		kinds = append(kinds, source.MachineOSBuilds, source.Jobs, source.MachineConfigPools, source.MachineConfigs)
	}
	s := f.begin("osbuilds", "OS image builds", kinds...)
	s.Proposed = true
	for _, config := range f.OSConfigs {
		f.osBuild(&s, config)
	}
	if len(f.OSConfigs) > 0 {
		s.Notes = append(s.Notes, "The digests of the base images for each architecture are in the registry, which is not asked: the digest that the rendered machine config names stands for all of them, so that an image that could be reused may be planned anew.")
	}
	return s
}

func (f *Facts) osBuild(s *report.Section, config *mcfgv1.MachineOSConfig) {
	object := "machineosconfigs[" + config.Name + "]"
	facts, missing := f.buildFacts(config)
	if missing != "" {
		s.Entries = append(s.Entries, report.New("osbuilds.Unplanned", object, "spec.machineConfigPool.name", missing))
		return
	}
	build, err := buildplan.Plan(facts)
	if err != nil {
		s.Entries = append(s.Entries, report.New("osbuilds.Unplanned", object, "", err.Error()))
		return
	}
	s.Decisions = append(s.Decisions, report.Decision{
		Name: object + " build", Answer: fmt.Sprintf("%s %s for %s", build.Next, build.Name, list(facts.Architectures)), Reason: string(build.Reason),
		Objects: []string{object, "machineconfigpools[" + build.Pool + "]"},
	})
	t := report.Table{Name: "images of " + config.Name, Title: "images of " + config.Name, Columns: []string{"architecture", "state", "reason", "pull spec"}}
	for _, i := range build.Images {
		t.Rows = append(t.Rows, []string{i.Architecture, string(i.State), string(i.Reason), i.PullSpec})
		if i.State == buildplan.StateRun {
			s.Writes = append(s.Writes, report.Write{Object: "jobs[" + buildplan.Namespace + "/" + i.Job + "]", Verb: "create", By: "machine-config-operator",
				Reason: string(i.Reason), Proposed: true})
		}
	}
	s.Tables = append(s.Tables, t)
	if build.Next == buildplan.NextCreate {
		s.Writes = append(s.Writes, report.Write{Object: "machineosbuilds[" + build.Name + "]", Verb: "create", By: "machine-config-operator",
			Reason: string(build.Reason), Rollout: "the nodes of the pool " + build.Pool + ", once the image is there", Proposed: true})
	}
	for _, p := range build.Problems {
		s.Entries = append(s.Entries, report.New("osbuilds.Problem", objectOf(p.Field), p.Field, p.ErrorBody()))
	}
	for _, g := range build.Findings {
		s.Entries = append(s.Entries, report.New("osbuilds."+string(g.Code), objectOf(g.Path), g.Path, g.Detail))
	}
}

// buildFacts gathers what a plan rests on, or says what of it is not there.
func (f *Facts) buildFacts(config *mcfgv1.MachineOSConfig) (buildplan.Facts, string) {
	facts := buildplan.Facts{Config: config, Payload: f.Payload.Kind, Builds: f.OSBuilds, Base: map[string]buildplan.BaseImages{}}
	var pool *mcfgv1.MachineConfigPool
	for _, p := range f.Pools {
		if p.Name == config.Spec.MachineConfigPool.Name {
			pool = p
		}
	}
	if pool == nil {
		return facts, "the pool is not in the source"
	}
	for _, c := range f.Configs {
		if c.Name == pool.Spec.Configuration.Name {
			facts.Rendered = c
		}
	}
	if facts.Rendered == nil {
		return facts, fmt.Sprintf("the rendered config %q of the pool is not in the source", pool.Spec.Configuration.Name)
	}
	for _, p := range f.PoolArch.Items {
		if p.Name == pool.Name {
			facts.Architectures = p.Architectures
		}
	}
	facts.Base = sameBase(facts.Architectures, facts.Rendered)
	for i := range f.Jobs {
		job := &f.Jobs[i]
		if job.Annotations[buildplan.AnnotationConfig] == config.Name {
			facts.Jobs = append(facts.Jobs, buildplan.ReadJob(job, f.Digests[job.Name]))
		}
	}
	return facts, ""
}

func sameBase(archs payloadarch.Set, rendered *mcfgv1.MachineConfig) map[string]buildplan.BaseImages {
	base := map[string]buildplan.BaseImages{}
	for arch := range archs.All() {
		base[arch] = buildplan.BaseImages{OS: strings.TrimSpace(rendered.Spec.OSImageURL), Extensions: rendered.Spec.BaseOSExtensionsContainerImage}
	}
	return base
}
