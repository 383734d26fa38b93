package section

import (
	"fmt"

	"sigs.k8s.io/yaml"

	configv1 "github.com/openshift/api/config/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

var _ = report.Register(
	report.Code{Code: "hosted.PayloadUnrecognized", Level: report.Broken,
		Impact: "Nobody can tell a multi payload from a single one.", Remedy: "Look at the HyperShift operator, which writes status.payloadArch."},
	report.Code{Code: "hosted.SpecInvalid", Level: report.Broken,
		Impact: "The override does not count.", Remedy: "Set spec.configuration.image.imageStreamImportMode to Legacy or PreserveOriginal, or take it out."},
	report.Code{Code: "hosted.ModeNotSet", Level: report.Risk,
		Impact: "Image streams of the hosted cluster are imported by another mode than its payload or its override calls for.",
		Remedy: "HyperShift of today does not set the mode in this configuration; set it tag by tag in the hosted cluster."},
	report.Code{Code: "hosted.ModeUnknown", Level: report.Broken,
		Impact: "The hosted openshift-apiserver refuses to start with it.", Remedy: "Look who has written the value into the configuration."},
	report.Code{Code: "hosted.HostedClusterVersion", Level: report.Note,
		Impact: "The answer rests on what the administrator of the hosted cluster can write.", Remedy: "Nothing has to be done."},
	report.Code{Code: "hosted.HostedConflict", Level: report.Note,
		Impact: "The HostedCluster was taken.", Remedy: "Wait for the migration to complete."},
	report.Code{Code: "hosted.UnknownCurrentMode", Level: report.Note,
		Impact: "The value was taken as empty.", Remedy: "It is overwritten."},
	report.Code{Code: "hosted.HomogeneousNodes", Level: report.Note,
		Impact: "Image streams hold manifest lists, of which nodes of one architecture need one image.", Remedy: "Set the override if that is too much."},
)

// HostedSection judges the hosted clusters of a management cluster.
func (f *Facts) HostedSection() report.Section {
	if len(f.HostedClusters) == 0 {
		return f.begin("hosted", "Hosted clusters", source.HostedClusters)
	}
	s := f.begin("hosted", "Hosted clusters", source.HostedClusters, source.HostedNodePools)
	t := report.Table{Name: "hosted clusters", Title: "hosted clusters", Columns: []string{"hosted cluster", "payload", "mode", "should be", "node pools"}}
	for _, hc := range f.HostedClusters {
		t.Rows = append(t.Rows, f.hosted(&s, hc))
	}
	s.Tables = append(s.Tables, t)
	return s
}

// hosted judges one hosted cluster as examples/hypershift does.
func (f *Facts) hosted(s *report.Section, hc HostedCluster) []string {
	object := fmt.Sprintf("hostedclusters[%s/%s]", hc.Namespace, hc.Name)
	payload := payloadarch.FromHosted(hc.Status.PayloadArch, nil, nil)
	in := importmode.Input{Payload: payload}
	if c := hc.Spec.Configuration; c != nil && c.Image != nil {
		in.Spec = configv1.ImportModeType(c.Image.ImageStreamImportMode)
	}
	row := []string{hc.Namespace + "/" + hc.Name, payload.Kind.String(), "not known", "", f.nodePools(hc)}
	var known bool
	if cm := f.HostedConfigs[hc.configKey().Namespace]; cm != nil {
		where := fmt.Sprintf("configmaps[%s/%s]", cm.Namespace, cm.Name)
		var config openshiftcontrolplanev1.OpenShiftAPIServerConfig
		if err := yaml.Unmarshal([]byte(cm.Data["config.yaml"]), &config); err == nil {
			text := config.ImagePolicyConfig.ImageStreamImportMode
			current, err := importmode.Convert[configv1.ImportModeType](text)
			if err != nil {
				s.Entries = append(s.Entries, report.New("hosted.ModeUnknown", where, serverField, err.Error()))
			}
			in.Current, known, row[2] = current, true, mode(string(text))
		}
	}
	d := importmode.Decide(in)
	s.Decisions = append(s.Decisions,
		report.Decision{Name: object + " payload", Answer: payload.Kind.String(), Reason: string(payload.Reason), Field: payload.Field, Objects: []string{object}},
		report.Decision{Name: object + " mode", Answer: string(d.Mode), Reason: string(d.Reason), Field: d.Field, Objects: []string{object}})
	row[3] = mode(string(d.Mode))
	for _, p := range payload.Problems {
		s.Entries = append(s.Entries, report.New("hosted.PayloadUnrecognized", object, p.Field, p.ErrorBody()))
	}
	for _, p := range d.Problems {
		s.Entries = append(s.Entries, report.New("hosted.SpecInvalid", object, "spec.configuration.image.imageStreamImportMode", p.ErrorBody()))
	}
	for _, g := range payload.Findings {
		s.Entries = append(s.Entries, report.New("hosted."+string(g.Code), object, g.Path, g.Detail))
	}
	for _, g := range d.Findings {
		s.Entries = append(s.Entries, report.New("hosted."+string(g.Code), object, g.Path, g.Detail))
	}
	if known && d.StatusChanges {
		key := hc.configKey()
		where := fmt.Sprintf("configmaps[%s/%s]", key.Namespace, key.Name)
		s.Entries = append(s.Entries, report.New("hosted.ModeNotSet", where, serverField, fmt.Sprintf("is %s, should be %s (%s)", row[2], d.Mode, d.Reason)))
		s.Writes = append(s.Writes, report.Write{Object: where, Field: serverField, Value: string(d.Mode), Verb: "update", By: "hypershift",
			Reason: string(d.Reason), Rollout: "openshift-apiserver of the hosted cluster", Proposed: true})
	}
	return row
}

// nodePools lists the node pools of a hosted cluster with their architecture.
func (f *Facts) nodePools(hc HostedCluster) string {
	text := ""
	for _, p := range f.NodePools {
		if p.Namespace != hc.Namespace || p.Spec.ClusterName != hc.Name {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += p.Name
		if p.Spec.Arch != "" {
			text += " " + p.Spec.Arch
		}
	}
	return text
}
