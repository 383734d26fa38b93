package section

import (
	"encoding/json"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/importmode"
)

const (
	imageConfigObject  = "images.config.openshift.io[cluster]"
	apiServerObject    = "openshiftapiservers[cluster]"
	serverConfigObject = "configmaps[openshift-apiserver/config]"
	registryObject     = "clusteroperators[image-registry]"

	specField     = "spec.imageStreamImportMode"
	statusField   = "status.imageStreamImportMode"
	observedField = "spec.observedConfig.imagePolicyConfig.imageStreamImportMode"
	serverField   = "data[config.yaml].imagePolicyConfig.imageStreamImportMode"

	registryOperator  = "cluster-image-registry-operator"
	apiServerOperator = "cluster-openshift-apiserver-operator"
	apiServer         = "openshift-apiserver"
)

var _ = report.Register(
	report.Code{Code: "chain.SpecInvalid", Level: report.Broken,
		Impact: "The override does not count: the mode stays as it is, whatever the payload is.",
		Remedy: "Set spec.imageStreamImportMode to Legacy or PreserveOriginal, or take it out."},
	report.Code{Code: "chain.Lags", Level: report.Broken,
		Impact: "New tags are imported by another mode than the payload or the override calls for.",
		Remedy: "Look at the operator that writes this field: its conditions and its logs. Nobody else is to write it."},
	report.Code{Code: "chain.Refused", Level: report.Broken,
		Impact: "The operator refuses what it reads and keeps what it had.",
		Remedy: "Mend the value that is named."},
	report.Code{Code: "chain.UnknownCurrentMode", Level: report.Note,
		Impact: "The value was taken as empty.",
		Remedy: "The image registry operator overwrites it."},
	report.Code{Code: "chain.HomogeneousNodes", Level: report.Note,
		Impact: "Image streams hold manifest lists, of which nodes of one architecture need one image.",
		Remedy: "Set the override if the objects and bytes are too much; leave it if nodes of another architecture are to come."},
	report.Code{Code: "chain.HeterogeneousNodes", Level: report.Broken,
		Impact: "The payload has no images for some of the nodes, so that the pods of the platform do not run there.",
		Remedy: "Migrate to the multi payload."},
	report.Code{Code: "chain.EvaluationCondition", Level: report.Note,
		Impact: "The fleet evaluation does not see whether this cluster overrides the mode.",
		Remedy: "The image registry operator of today does not write this condition; nothing has to be done here."},
)

// ChainSection follows the import mode from hop to hop: what is there, what should be,
// and which hop lags.
func (f *Facts) ChainSection() report.Section {
	s := f.begin("importmode", "Import mode, hop by hop",
		source.ImageConfigs, source.OpenShiftAPIServers, source.ConfigMaps, source.ClusterOperators)
	if f.Image == nil {
		return s
	}
	d := f.Mode
	s.Decisions = append(s.Decisions, report.Decision{
		Name: "mode of the cluster", Answer: string(d.Mode), Reason: string(d.Reason), Field: d.Field,
		Objects: []string{imageConfigObject, clusterVersionObject},
	})
	for _, p := range d.Problems {
		e := report.New("chain.SpecInvalid", imageConfigObject, p.Field, p.ErrorBody())
		e.Commands = []string{`oc patch images.config.openshift.io/cluster --type=merge -p '{"spec":{"imageStreamImportMode":""}}'`}
		s.Entries = append(s.Entries, e)
	}
	for _, g := range d.Findings {
		if g.Code == importmode.FindingHeterogeneousNodes {
			e := report.New("chain."+string(g.Code), clusterVersionObject, f.Payload.Field, g.Detail)
			e.Commands = []string{"oc adm upgrade --to-multi-arch"}
			s.Entries = append(s.Entries, e)
			continue
		}
		s.Entries = append(s.Entries, report.New("chain."+string(g.Code), imageConfigObject, g.Path, g.Detail))
	}
	c := chain{f: f}
	c.status()
	c.observed()
	c.server()
	s.Hops, s.Writes = c.hops, c.writes
	s.Entries = append(s.Entries, c.entries...)
	s.Entries = append(s.Entries, f.evaluation()...)
	return s
}

// A chain is what was found so far along the hops.
type chain struct {
	f       *Facts
	hops    []report.Hop
	writes  []report.Write
	entries []report.Entry
}

// add adds a hop, and the entry of one that lags.
func (c *chain) add(h report.Hop, detail string) {
	c.hops = append(c.hops, h)
	switch h.State {
	case report.HopLags:
		c.entries = append(c.entries, report.New("chain.Lags", h.Object, h.Field, "is "+mode(h.Value)+", should be "+mode(h.Want)+" ("+h.Reason+")"))
	case report.HopRefused:
		c.entries = append(c.entries, report.New("chain.Refused", h.Object, h.Field, detail))
	}
}

func mode(s string) string {
	if s == "" {
		return "empty"
	}
	return s
}

// status is the hop from spec and payload to the status of the image configuration.
func (c *chain) status() {
	f, d := c.f, c.f.Mode
	spec := report.Hop{Name: "override", Object: imageConfigObject, Field: specField, Value: string(f.Image.Spec.ImageStreamImportMode),
		Want: string(f.Image.Spec.ImageStreamImportMode), State: report.HopAsExpected}
	if len(d.Problems) > 0 {
		spec.State, spec.Want = report.HopRefused, ""
	}
	c.hops = append(c.hops, spec)
	h := report.Hop{Name: "cluster's mode", Object: imageConfigObject, Field: statusField,
		Value: string(f.Image.Status.ImageStreamImportMode), Want: string(d.Mode), Reason: string(d.Reason), State: report.HopAsExpected}
	if d.StatusChanges {
		h.State = report.HopLags
		c.writes = append(c.writes, report.Write{Object: imageConfigObject, Field: statusField, Value: string(d.Mode),
			Verb: "update", By: registryOperator, Reason: string(d.Reason)})
	}
	c.add(h, "")
}

// observed is the hop to the observed configuration of openshift-apiserver's operator.
func (c *chain) observed() {
	f := c.f
	h := report.Hop{Name: "observed configuration", Object: apiServerObject, Field: observedField, State: report.HopUnknown}
	existing, err := f.observedConfig()
	if f.APIServer == nil || err != nil {
		c.hops = append(c.hops, h)
		return
	}
	h.Value = modeIn(existing)
	now, err := importmode.Observe(f.Image, nil, existing)
	h.Want, h.Reason, h.State = modeIn(now.Config), string(now.Reason), report.HopAsExpected
	// What it will be once the hop before is as it should be.
	next := f.Image.DeepCopy()
	if f.Mode.StatusChanges {
		next.Status.ImageStreamImportMode = f.Mode.Mode
	}
	then, thenErr := importmode.Observe(next, nil, existing)
	detail := ""
	switch {
	case err != nil:
		h.State, detail = report.HopRefused, err.Error()
	case now.Changed:
		h.State = report.HopLags
	case then.Changed:
		h.State = report.HopWaits
	}
	if thenErr == nil && then.Changed {
		c.writes = append(c.writes, report.Write{Object: apiServerObject, Field: observedField, Value: modeIn(then.Config),
			Verb: "update", By: apiServerOperator, Reason: string(then.Reason), Rollout: apiServer})
	}
	c.add(h, detail)
}

// observedConfig returns the observed configuration; nil if there is none.
func (f *Facts) observedConfig() (map[string]any, error) {
	existing := map[string]any{}
	if f.APIServer == nil || len(f.APIServer.Spec.ObservedConfig.Raw) == 0 {
		return existing, nil
	}
	return existing, json.Unmarshal(f.APIServer.Spec.ObservedConfig.Raw, &existing)
}

func modeIn(config map[string]any) string {
	s, _, _ := unstructured.NestedString(config, "imagePolicyConfig", "imageStreamImportMode")
	return s
}

// server is the hop to the configuration that openshift-apiserver runs with.
func (c *chain) server() {
	h := report.Hop{Name: "openshift-apiserver", Object: serverConfigObject, Field: serverField, State: report.HopUnknown}
	if c.f.ServerConfig == nil {
		c.hops = append(c.hops, h)
		return
	}
	before := c.hops[len(c.hops)-1]
	var config openshiftcontrolplanev1.OpenShiftAPIServerConfig
	if err := yaml.Unmarshal([]byte(c.f.ServerConfig.Data["config.yaml"]), &config); err != nil {
		c.hops = append(c.hops, h)
		return
	}
	h.Value = string(config.ImagePolicyConfig.ImageStreamImportMode)
	runs, err := importmode.Configure(config.ImagePolicyConfig)
	wanted, wantedErr := configured(before.Value)
	detail := ""
	switch {
	case err != nil:
		h.State, detail = report.HopRefused, err.Error()
	case before.State == report.HopUnknown || wantedErr != nil:
		h.State = report.HopUnknown
	default:
		h.Want, h.State = string(wanted), report.HopAsExpected
		// An empty configuration means a mode; it is the modes that must agree.
		if runs != wanted {
			h.State = report.HopLags
			c.writes = append(c.writes, report.Write{Object: serverConfigObject, Field: serverField, Value: before.Value,
				Verb: "update", By: apiServerOperator, Rollout: apiServer})
		} else if before.State == report.HopLags || before.State == report.HopWaits {
			h.State = report.HopWaits
		}
	}
	h.Reason = "of the mode that the server takes an empty field for: " + string(runs)
	if h.Value != "" {
		h.Reason = ""
	}
	c.add(h, detail)
}

func configured(value string) (imagev1.ImportModeType, error) {
	return importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: openshiftcontrolplanev1.ImportModeType(value)})
}

// evaluation tells whether the condition that the fleet is asked by is as it should be.
func (f *Facts) evaluation() []report.Entry {
	i := slices.IndexFunc(f.Operators, func(o configv1.ClusterOperator) bool { return o.Name == "image-registry" })
	if i < 0 {
		return nil
	}
	evaluation := importmode.Evaluate(f.Image.Spec.ImageStreamImportMode)
	conditions := f.Operators[i].Status.Conditions
	want, changed := importmode.ClusterOperatorConditions(conditions, configv1.EvaluationConditionsDetected, evaluation, metav1.Time{Time: time.Unix(0, 0)})
	absent := !slices.ContainsFunc(conditions, func(c configv1.ClusterOperatorStatusCondition) bool {
		return c.Type == configv1.EvaluationConditionsDetected
	})
	// That nobody says that nothing was detected helps and harms nobody.
	if !changed || absent && !evaluation.Detected {
		return nil
	}
	detail := ""
	for _, c := range want {
		if c.Type == configv1.EvaluationConditionsDetected {
			detail = "should be " + string(c.Status) + ", " + c.Reason
			if c.Message != "" {
				detail += ": " + c.Message
			}
		}
	}
	return []report.Entry{report.New("chain.EvaluationCondition", registryObject, "status.conditions["+string(configv1.EvaluationConditionsDetected)+"]", detail)}
}
