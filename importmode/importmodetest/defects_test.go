package importmodetest_test

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/importmode/importmodetest"
	"github.com/polyarch/polyarch/importmode/internal/ours"
)

type (
	impl = importmodetest.Impl
	mode = imagev1.ImportModeType
)

const (
	legacy   = imagev1.ImportModeLegacy
	preserve = imagev1.ImportModePreserveOriginal
)

func known(m mode) bool { return m == legacy || m == preserve }

// A defect breaks our implementation in one way. Rules are those that find it, in
// ascending order.
type defect struct {
	name     string
	rules    []string
	breakOne func(*impl)
}

// fill sets the modes that a stream leaves out, as a default applied in decoding
// does. It changes its argument.
func fill(s *imagev1.ImageStream, m mode) *imagev1.ImageStream {
	for i := range s.Spec.Tags {
		if s.Spec.Tags[i].ImportPolicy.ImportMode == "" {
			s.Spec.Tags[i].ImportPolicy.ImportMode = m
		}
	}
	return s
}

var defects = []defect{
	{"a manifest without a mode, applied again after the cluster's mode flips, changes stored tags",
		[]string{"history-keeps-modes", "stored-empty-stays", "stored-mode-stays", "tag-by-name", "unknown-stored-kept"}, func(i *impl) {
			right := i.UpdateStream
			i.UpdateStream = func(request, stored *imagev1.ImageStream, cluster mode) *imagev1.ImageStream {
				if cluster == "" {
					cluster = legacy
				}
				return right(fill(request, cluster), stored, cluster)
			}
		}},
	{"streams from before the field flip when they are read out of storage",
		[]string{"history-keeps-modes", "stored-empty-stays"}, func(i *impl) {
			i.ReadStream = func(stored *imagev1.ImageStream, cluster mode) *imagev1.ImageStream { return fill(stored, cluster) }
		}},
	{"an import overwrites the mode of the tag that is there",
		[]string{"image-target", "import-mode", "stored-empty-stays", "stored-mode-stays", "unknown-cluster-is-legacy", "unknown-stored-kept"}, func(i *impl) {
			right := i.ImportImages
			i.ImportImages = func(request *imagev1.ImageStreamImport, _ *imagev1.ImageStream, cluster mode) []importmodetest.Imported {
				return right(request, nil, cluster)
			}
		}},
	{"one mode for all tags of a repository", []string{"repository-per-tag"}, func(i *impl) {
		right := i.ImportRepository
		i.ImportRepository = func(request *imagev1.ImageStreamImport, tags []string, stored *imagev1.ImageStream, cluster mode) []importmodetest.Imported {
			all := right(request, tags, stored, cluster)
			for j := range all {
				all[j].Store, all[j].Import = all[0].Store, all[0].Import
			}
			return all
		}
	}},
	{"Legacy that a client sends unasked is taken literally", []string{"sent-legacy-omitted"}, func(i *impl) {
		i.DefaultTagOfOldClient = i.DefaultTag
	}},
	{"a hosted cluster's server is not told the cluster's mode", []string{"new-tag-gets-cluster-mode", "tag-by-name"}, func(i *impl) {
		create, update := i.CreateStream, i.UpdateStream
		i.CreateStream = func(request *imagev1.ImageStream, _ mode) *imagev1.ImageStream { return create(request, "") }
		i.UpdateStream = func(request, stored *imagev1.ImageStream, _ mode) *imagev1.ImageStream {
			return update(request, stored, "")
		}
	}},
	{"an event at every sync", []string{"event-on-change"}, func(i *impl) {
		right := i.Observe
		i.Observe = func(image *configv1.Image, listErr error, existing map[string]any) (map[string]any, bool, error) {
			observed, _, err := right(image, listErr, existing)
			return observed, true, err
		}
	}},
	{"the condition of others is overwritten", []string{"condition-ours-by-reason", "condition-shared", "condition-time"}, func(i *impl) {
		right := i.Condition
		i.Condition = func(existing []configv1.ClusterOperatorStatusCondition, spec configv1.ImportModeType, now metav1.Time) []configv1.ClusterOperatorStatusCondition {
			all := slices.Clone(existing)
			for j := range all {
				if c := &all[j]; c.Type == configv1.EvaluationConditionsDetected && strings.Contains(c.Reason, "::") {
					c.Reason = "OperatorEvaluationConditionDetected"
				}
			}
			return right(all, spec, now)
		}
	}},
	{"a manifest of the payload without a mode means Legacy", []string{"managed-preserves"}, func(i *impl) {
		right := i.Managed
		i.Managed = func(manifest, existing *imagev1.ImageStream) *imagev1.ImageStream {
			return right(fill(manifest, legacy), existing)
		}
	}},
	{"a tag that a manifest of the payload adds has no mode until the next sync", []string{"managed-preserves"}, func(i *impl) {
		right := i.Managed
		i.Managed = func(manifest, existing *imagev1.ImageStream) *imagev1.ImageStream {
			written := right(manifest, existing)
			for j := range manifest.Spec.Tags {
				t := &manifest.Spec.Tags[j]
				stored := existing != nil && slices.ContainsFunc(existing.Spec.Tags, func(e imagev1.TagReference) bool { return e.Name == t.Name })
				if t.ImportPolicy.ImportMode == "" && existing != nil && !stored {
					written.Spec.Tags[j].ImportPolicy.ImportMode = ""
				}
			}
			return written
		}
	}},
	{"an upgrade to a multi payload goes by way of Legacy", []string{"unknown-current-counts-empty", "unknown-payload-keeps-current", "unknown-payload-writes-nothing"}, func(i *impl) {
		i.Decide = payloads(i.Decide, importmodetest.PayloadUnknown, importmodetest.PayloadSingle)
	}},
	{"multi to single never reverts", []string{"single-is-legacy"}, func(i *impl) {
		i.Decide = payloads(i.Decide, importmodetest.PayloadSingle, importmodetest.PayloadUnknown)
	}},
	{"an installation has no mode until it is complete", []string{"installing-fills", "unknown-current-counts-empty"}, func(i *impl) {
		i.Decide = payloads(i.Decide, importmodetest.PayloadInstalling, importmodetest.PayloadUnknown)
	}},
	{"a ClusterVersion that is made anew reverts a multi payload", []string{"installing-fills"}, func(i *impl) {
		i.Decide = payloads(i.Decide, importmodetest.PayloadInstalling, importmodetest.PayloadSingle)
	}},
	{"the override waits for the payload", []string{"spec-wins"}, func(i *impl) {
		right := i.Decide
		i.Decide = func(spec, current configv1.ImportModeType, payload importmodetest.Payload) (configv1.ImportModeType, error) {
			if payload == importmodetest.PayloadUnknown && known(mode(spec)) {
				return right("", current, payload)
			}
			return right(spec, current, payload)
		}
	}},
	{"the override is told to nobody", []string{"condition-ours-by-reason", "condition-shared", "condition-time", "nothing-detected", "override-detected"}, func(i *impl) {
		i.Condition = func(existing []configv1.ClusterOperatorStatusCondition, _ configv1.ImportModeType, _ metav1.Time) []configv1.ClusterOperatorStatusCondition {
			return existing
		}
	}},
	{"the text of another release is never cleared", []string{"condition-ours-by-reason"}, func(i *impl) {
		right := i.Condition
		i.Condition = func(existing []configv1.ClusterOperatorStatusCondition, spec configv1.ImportModeType, now metav1.Time) []configv1.ClusterOperatorStatusCondition {
			old := slices.ContainsFunc(existing, func(c configv1.ClusterOperatorStatusCondition) bool {
				return c.Message != "" && strings.Contains(c.Reason, "OperatorEvaluationConditionDetected") && !strings.Contains(c.Message, "imageStreamImportMode")
			})
			if old {
				return existing
			}
			return right(existing, spec, now)
		}
	}},
	{"a status that is no mode goes on to the server", []string{"unknown-status-keeps-previous"}, func(i *impl) {
		right := i.Observe
		i.Observe = func(image *configv1.Image, listErr error, existing map[string]any) (map[string]any, bool, error) {
			observed, event, err := right(image, listErr, existing)
			if err != nil && listErr == nil && observed != nil {
				return importmodetest.ObservedConfig(string(image.Status.ImageStreamImportMode)), true, nil
			}
			return observed, event, err
		}
	}},
	{"a configured value that is no mode counts as Legacy", []string{"configured-unknown-refused"}, func(i *impl) {
		right := i.Configure
		i.Configure = func(p openshiftcontrolplanev1.ImagePolicyConfig) (mode, error) {
			if m, err := right(p); err == nil {
				return m, nil
			}
			return legacy, nil
		}
	}},
	{"an import into a tag stored without a mode goes by none", []string{"import-mode"}, func(i *impl) {
		right := i.DefaultTag
		i.DefaultTag = func(given, stored mode, isStored bool, cluster mode) (mode, mode) {
			store, importBy := right(given, stored, isStored, cluster)
			if store == "" {
				importBy = ""
			}
			return store, importBy
		}
	}},
	{"an import into a tag stored with a value that is no mode goes by it", []string{"import-mode"}, func(i *impl) {
		right := i.ImportImages
		i.ImportImages = func(request *imagev1.ImageStreamImport, stored *imagev1.ImageStream, cluster mode) []importmodetest.Imported {
			all := right(request, stored, cluster)
			for j, image := range all {
				if image.Store != "" && !known(image.Store) {
					all[j].Import = image.Store
				}
			}
			return all
		}
	}},
	{"a cluster's mode that is none is written to every new tag", []string{"unknown-cluster-is-legacy"}, func(i *impl) {
		right := i.DefaultTag
		i.DefaultTag = func(given, stored mode, isStored bool, cluster mode) (mode, mode) {
			if given == "" && !isStored && cluster != "" {
				return cluster, cluster
			}
			return right(given, stored, isStored, cluster)
		}
	}},
	{"a stream tag that is stored with a value that is no mode cannot be put back", []string{"unknown-stored-valid"}, func(i *impl) {
		right := i.ValidateTag
		i.ValidateTag = func(request, _ *imagev1.ImageStreamTag) field.ErrorList { return right(request, nil) }
	}},
	{"an explicit Legacy over an empty mode imports again", []string{"effective-change"}, func(i *impl) {
		i.ModeChanged = func(stored, requested mode) bool { return stored != requested }
	}},
	{"the override is suggested on a set of nodes that is incomplete", []string{"homogeneous-nodes"}, func(i *impl) {
		right := i.Suggest
		i.Suggest = func(spec configv1.ImportModeType, payload importmodetest.Payload, nodes []string, _ bool) bool {
			return right(spec, payload, nodes, true)
		}
	}},
	{"texts repeat whole values", []string{"texts-cut"}, func(i *impl) {
		i.Convert = func(text string) (mode, error) {
			if text == "" || known(mode(text)) {
				return mode(text), nil
			}
			return "", errors.New("no import mode: " + text)
		}
	}},
}

// payloads has decide take one payload for another where the spec is empty.
func payloads(decide func(spec, current configv1.ImportModeType, payload importmodetest.Payload) (configv1.ImportModeType, error), from, to importmodetest.Payload) func(spec, current configv1.ImportModeType, payload importmodetest.Payload) (configv1.ImportModeType, error) {
	return func(spec, current configv1.ImportModeType, payload importmodetest.Payload) (configv1.ImportModeType, error) {
		if payload == from {
			payload = to
		}
		return decide(spec, current, payload)
	}
}

// failing returns the ids of the rules that an implementation breaks.
func failing(t *testing.T, i impl, o importmodetest.Options) (ids []string) {
	t.Helper()
	report := conformance.Judge(t, importmodetest.Suite(), func(testing.TB) impl { return i }, o)
	for _, rule := range report.Rules {
		if rule.State == conformance.StateFail {
			ids = append(ids, rule.Rule.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// Each defect is found at the rules that it breaks, and at no other.
func TestDefectsAreFound(t *testing.T) {
	if ids := failing(t, ours.Impl(), importmodetest.Options{RuleSet: "v1"}); ids != nil {
		t.Fatalf("ours fails %v", ids)
	}
	for _, d := range defects {
		t.Run(d.name, func(t *testing.T) {
			broken := ours.Impl()
			d.breakOne(&broken)
			if got := failing(t, broken, importmodetest.Options{RuleSet: "v1"}); !slices.Equal(got, d.rules) {
				t.Errorf("found at %q, want %q", got, d.rules)
			}
		})
	}
}

// upstream is what the operators of today do, function by function.
func upstream() impl {
	asGiven := func(given, _ mode, _ bool, cluster mode) (mode, mode) {
		if given == "" {
			given = cluster
		}
		if given == "" {
			given = legacy
		}
		return given, given
	}
	decoded := func(s *imagev1.ImageStream, cluster mode) *imagev1.ImageStream {
		m, _ := asGiven("", "", false, cluster)
		return fill(s, m)
	}
	right := ours.Impl()
	return impl{
		Decide: func(spec, _ configv1.ImportModeType, payload importmodetest.Payload) (configv1.ImportModeType, error) {
			switch {
			case spec != "":
				return spec, nil
			case payload == importmodetest.PayloadMulti:
				return configv1.ImportModePreserveOriginal, nil
			}
			return configv1.ImportModeLegacy, nil
		},
		Observe: func(image *configv1.Image, listErr error, existing map[string]any) (map[string]any, bool, error) {
			observed, event, err := right.Observe(image, listErr, existing)
			if err != nil && listErr == nil && observed != nil {
				// The status holds no mode. It goes on as it is.
				return importmodetest.ObservedConfig(string(image.Status.ImageStreamImportMode)), true, nil
			}
			return observed, event, err
		},
		Configure: func(p openshiftcontrolplanev1.ImagePolicyConfig) (mode, error) {
			m, _ := asGiven(mode(p.ImageStreamImportMode), "", false, "")
			return m, nil
		},
		DefaultTag: asGiven,
		ReadStream: decoded,
		CreateStream: func(request *imagev1.ImageStream, cluster mode) *imagev1.ImageStream {
			return decoded(request, cluster)
		},
		UpdateStream: func(request, _ *imagev1.ImageStream, cluster mode) *imagev1.ImageStream {
			return decoded(request, cluster)
		},
		PutTag: func(request *imagev1.ImageStreamTag, _ *imagev1.ImageStream, cluster mode) *imagev1.ImageStreamTag {
			if request.Tag != nil {
				request.Tag.ImportPolicy.ImportMode, _ = asGiven(request.Tag.ImportPolicy.ImportMode, "", false, cluster)
			}
			return request
		},
		ImportImages: func(request *imagev1.ImageStreamImport, _ *imagev1.ImageStream, cluster mode) []importmodetest.Imported {
			return right.ImportImages(request, nil, cluster)
		},
		Managed: func(manifest, existing *imagev1.ImageStream) *imagev1.ImageStream {
			if existing == nil {
				return fill(manifest, legacy)
			}
			// A tag that is added is written as it is, and defaulted by the next sync.
			for j := range manifest.Spec.Tags {
				t := &manifest.Spec.Tags[j]
				for _, e := range existing.Spec.Tags {
					if e.Name == t.Name && t.ImportPolicy.ImportMode == "" {
						t.ImportPolicy.ImportMode = legacy
					}
				}
			}
			return manifest
		},
	}
}

// upstreamFails are the rules of strength Upstream that the operators of today break.
var upstreamFails = []string{"history-keeps-modes", "image-target", "managed-preserves", "stored-empty-stays", "stored-mode-stays", "tag-by-name", "tag-of-image-stream-tag"}

func TestWhatUpstreamFails(t *testing.T) {
	got := failing(t, upstream(), importmodetest.Options{RuleSet: "v1", Strengths: []conformance.Strength{conformance.StrengthUpstream}})
	if !slices.Equal(got, upstreamFails) {
		t.Errorf("upstream fails %q, want %q", got, upstreamFails)
	}
}

// tableRow is a row of one of the tables in docs/conformance.md.
var tableRow = regexp.MustCompile(`(?m)^\| (.*?) \| importmode \| (.*?) \|`)

// docs/conformance.md lists the defects, and what upstream fails, as they are here.
func TestDocumentedDefects(t *testing.T) {
	doc, err := os.ReadFile("../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, d := range defects {
		want = append(want, d.name+": "+strings.Join(d.rules, ", "))
	}
	_, table, ok := strings.Cut(string(doc), "\n## Defects that the kit finds\n")
	if !ok {
		t.Fatal("docs/conformance.md has no section of defects")
	}
	for _, m := range tableRow.FindAllStringSubmatch(table, -1) {
		got = append(got, m[1]+": "+strings.ReplaceAll(m[2], "`", ""))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("docs/conformance.md has the defects\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	_, section, _ := strings.Cut(string(doc), "\n### importmode\n")
	section, _, _ = strings.Cut(section, "\n#")
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(section, -1) {
		listed = append(listed, m[1])
	}
	slices.Sort(listed)
	if !slices.Equal(listed, upstreamFails) {
		t.Errorf("docs/conformance.md says that upstream fails %q, want %q", listed, upstreamFails)
	}
}
