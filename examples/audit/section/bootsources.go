package section

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/examples/ssp/controller"
)

var _ = report.Register(
	report.Code{Code: "bootsources.Problem", Level: report.Broken,
		Impact: "The template gives no cron, so that nothing imports or updates its image.",
		Remedy: "Mend the template where it is written: in the HyperConverged object, or in the SSP object if there is none."},
	report.Code{Code: "bootsources.Blocked", Level: report.Broken,
		Impact: "The template gives no cron and no reference. What was made of it before stays as it is.",
		Remedy: "Mend what the problems and findings of the template name."},
	report.Code{Code: "bootsources.NotWritten", Level: report.Risk,
		Impact: "Virtual machines boot from what is there, which is not what the templates call for.",
		Remedy: "Look at the SSP operator: its conditions and its logs. The one of today expands templates by other rules in places."},
	report.Code{Code: "bootsources.LeftAlone", Level: report.Note,
		Impact: "The object is not as it should be, and must not be touched.",
		Remedy: "The reason says what stands in the way."},
	report.Code{Code: "bootsources.ArchitectureUnsupported", Level: report.Risk,
		Impact: "There is no boot source for this architecture.", Remedy: "Take the architecture out of the annotation."},
	report.Code{Code: "bootsources.ArchitectureNotInCluster", Level: report.Note,
		Impact: "There is no boot source for this architecture.", Remedy: "Nothing has to be done until there are nodes of it."},
	report.Code{Code: "bootsources.ArchitectureHeld", Level: report.Note,
		Impact: "What was made for the architecture stays for a while.", Remedy: "Nothing has to be done."},
	report.Code{Code: "bootsources.ArchitectureAlias", Level: report.Risk,
		Impact: "The architecture is skipped.", Remedy: "Write the architecture as Go spells it: amd64, arm64, s390x."},
	report.Code{Code: "bootsources.NoCompatibleArchitecture", Level: report.Broken,
		Impact: "The template gives neither a cron nor a reference.", Remedy: "List an architecture that the cluster has."},
	report.Code{Code: "bootsources.NoWorkloadNodes", Level: report.Risk,
		Impact: "CDI runs the import on nodes of this architecture only, and none takes it.", Remedy: "Add a node of the architecture, or take it out of the annotation."},
	report.Code{Code: "bootsources.AutoUpdateOff", Level: report.Note,
		Impact: "A user's own image is there, which no cron replaces.", Remedy: "Nothing has to be done. Delete the image if it is to be updated."},
	report.Code{Code: "bootsources.RetentionPolicyUnknown", Level: report.Note,
		Impact: "CDI keeps the images of the cron.", Remedy: "Set retentionPolicy to All or None."},
	report.Code{Code: "bootsources.ImageStreamSource", Level: report.Risk,
		Impact: "An image stream that was imported in Legacy mode holds one architecture, and the crons of all others import the wrong disk or none.",
		Remedy: "Give the tag of the image stream PreserveOriginal, or name the registry in the template."},
)

// supportedByVirtualization are the architectures that the SSP operator supports.
var supportedByVirtualization = []string{"amd64", "arm64", "s390x"}

// BootSourcesSection expands the templates of each SSP object, and compares with the
// crons and DataSources that there are.
func (f *Facts) BootSourcesSection() report.Section {
	const name, title = "bootsources", "Boot sources of virtual machines"
	if len(f.SSPs) == 0 {
		return f.begin(name, title, source.SSPs)
	}
	s := f.begin(name, title, source.SSPs, source.DataImportCrons, source.DataSources,
		source.VolumeClaims, source.VolumeSnapshots, source.DataVolumes)
	t := report.Table{Name: "templates", Title: "templates", Columns: []string{"template", "namespace", "DataSource", "outcome", "crons"}}
	for _, ssp := range f.SSPs {
		object := fmt.Sprintf("ssps[%s/%s]", ssp.Namespace, ssp.Name)
		expansion := dictexpand.Expand(ssp.Spec.CommonTemplates.DataImportCronTemplates, f.expandOptions(ssp))
		blocked := "none"
		if names := expansion.Blocked(); len(names) > 0 {
			blocked = strings.Join(names, ", ")
		}
		s.Decisions = append(s.Decisions,
			report.Decision{Name: object + " expansion", Answer: fmt.Sprintf("%d templates, %d crons, %d references", len(expansion.Outcomes), len(expansion.Crons), len(expansion.References)), Objects: []string{object}},
			report.Decision{Name: object + " blocked", Answer: blocked, Objects: []string{object}},
		)
		t.Rows = append(t.Rows, templateRows(expansion)...)
		s.Entries = append(s.Entries, expansionEntries(object, expansion)...)
		if f.known(source.DataImportCrons, source.DataSources) {
			f.planned(&s, object, expansion)
		}
	}
	s.Tables = append(s.Tables, t)
	if !f.known(source.DataImportCrons, source.DataSources) {
		s.Notes = append(s.Notes, "The templates are not compared with what there is, since crons or DataSources are not in the source.")
	}
	s.Notes = append(s.Notes, "The DataSources that the SSP operator makes of its own virtual machine templates are not in any object, and play no part.")
	return s
}

// expandOptions gathers what is known of the cluster as examples/ssp does for the SSP
// operator.
func (f *Facts) expandOptions(ssp SSP) dictexpand.Options {
	o := dictexpand.Options{
		MultiArch:               ssp.Spec.EnableMultipleArchitectures,
		ArchitecturesIncomplete: f.NodeArch.Incomplete,
		Supported:               supportedByVirtualization,
		Namespace:               controller.GoldenImages,
		OwnImages:               dictexpand.OwnImages(f.existing()),
		ReportImageStreams:      true,
		Owner: dictexpand.Owner{
			Labels: map[string]string{"app.kubernetes.io/managed-by": "ssp-operator"},
			Annotations: map[string]string{
				"operator-sdk/primary-resource":      ssp.Namespace + "/" + ssp.Name,
				"operator-sdk/primary-resource-type": controller.GroupVersionKind.Kind + "." + controller.GroupVersionKind.Group,
			},
		},
	}
	controlPlane := slices.Collect(f.NodeArch.ControlPlane.All())
	o.WorkloadArchitectures = slices.Collect(f.NodeArch.Workload.All())
	o.NoWorkloadNodes = !f.NodeArch.Incomplete
	// The HyperConverged operator writes what the spec names from the nodes, so that it
	// would follow a change of them.
	if c := ssp.Spec.Cluster; c != nil && !f.Supposed {
		controlPlane, o.WorkloadArchitectures, o.NoWorkloadNodes = c.ControlPlaneArchitectures, c.WorkloadArchitectures, false
	}
	for _, arch := range slices.Concat(controlPlane, o.WorkloadArchitectures) {
		if !slices.Contains(o.Architectures, arch) {
			o.Architectures = append(o.Architectures, arch)
		}
	}
	return o
}

func (f *Facts) existing() dictexpand.Existing {
	return dictexpand.Existing{Crons: f.Crons, DataSources: f.DataSources, Claims: f.Claims, Snapshots: f.Snapshots, DataVolumes: f.DataVolumes}
}

func templateRows(e dictexpand.Expansion) [][]string {
	crons := map[string][]string{}
	for _, c := range e.Crons {
		crons[c.Template] = append(crons[c.Template], c.Object.Name)
	}
	var rows [][]string
	for _, o := range e.Outcomes {
		rows = append(rows, []string{o.Template, o.Namespace, o.DataSource, string(o.Reason), strings.Join(crons[o.Template], ", ")})
	}
	return rows
}

func expansionEntries(object string, e dictexpand.Expansion) (entries []report.Entry) {
	for _, p := range e.Problems {
		entries = append(entries, report.New("bootsources.Problem", object, p.Field, p.ErrorBody()))
	}
	for _, name := range e.Blocked() {
		entries = append(entries, report.New("bootsources.Blocked", object, "dataImportCronTemplates["+name+"]", "there is no cron of it"))
	}
	for _, g := range e.Findings {
		entries = append(entries, report.New("bootsources."+string(g.Code), object, g.Path, withoutText(g)))
	}
	return entries
}

var architectureName = regexp.MustCompile(`^[A-Za-z0-9_]{1,16}$`)

// withoutText returns the detail of a finding. What stands in an annotation in the place
// of an architecture, and is no name of one, is nobody's business.
func withoutText(g dictexpand.Finding) string {
	if g.Architecture == "" || architectureName.MatchString(g.Architecture) {
		return g.Detail
	}
	return "what the annotation lists is not the name of an architecture"
}

// planned compares with what there is.
func (f *Facts) planned(s *report.Section, object string, e dictexpand.Expansion) {
	plan := dictexpand.Plan(e, f.existing())
	for _, p := range plan.Problems {
		s.Entries = append(s.Entries, report.New("bootsources.Problem", object, p.Field, p.ErrorBody()))
	}
	for _, step := range plan.Steps {
		at := fmt.Sprintf("%ss[%s/%s]", strings.ToLower(step.Kind), step.Namespace, step.Name)
		detail := strings.TrimSpace(fmt.Sprintf("%s (%s) %s", step.Verb, step.Reason, step.Detail))
		switch {
		case step.Writes() || step.Verb == dictexpand.VerbDryRun:
			verb := strings.ToLower(string(step.Verb))
			if step.Verb == dictexpand.VerbDryRun {
				verb = "delete and create, after a dry run,"
			}
			s.Writes = append(s.Writes, report.Write{Object: at, Verb: verb, By: "ssp-operator", Reason: string(step.Reason), Value: lost(step)})
			s.Entries = append(s.Entries, report.New("bootsources.NotWritten", at, "", detail))
		case step.Verb == dictexpand.VerbLeaveAlone && step.Reason != dictexpand.ReasonNotOwned:
			s.Entries = append(s.Entries, report.New("bootsources.LeftAlone", at, "", detail))
		}
	}
}

// lost says what a deletion does to the images.
func lost(step dictexpand.Step) string {
	if step.Verb == dictexpand.VerbDelete && step.Data == dictexpand.DataDeleted {
		return "its images are deleted with it"
	}
	return ""
}
