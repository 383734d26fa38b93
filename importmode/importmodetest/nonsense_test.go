package importmodetest_test

import (
	"errors"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/importmode/importmodetest"
)

// A rule that nothing can break holds nothing.
func TestEveryRuleCanFail(t *testing.T) {
	right := importmodetest.Oracle()
	long := errors.New(strings.Repeat("no ", 1000))
	other := func(s *imagev1.ImageStream) *imagev1.ImageStream {
		s = s.DeepCopy()
		for i := range s.Spec.Tags {
			s.Spec.Tags[i].ImportPolicy.ImportMode += "?"
			s.Spec.Tags[i].ReferencePolicy.Type += "?"
		}
		s.Spec.Tags = append(s.Spec.Tags, importmodetest.Tag("?", "?"))
		return s
	}
	tag := func(mode, mode, bool, mode) (mode, mode) { return "?", "?" }
	problem := func() field.ErrorList { return field.ErrorList{field.Invalid(nil, "?", "?")} }
	nonsense := impl{
		Decide: func(configv1.ImportModeType, configv1.ImportModeType, importmodetest.Payload) (configv1.ImportModeType, error) {
			return "?", long
		},
		Suggest: func(spec configv1.ImportModeType, payload importmodetest.Payload, nodes []string, complete bool) bool {
			return !right.Suggest(spec, payload, nodes, complete)
		},
		Condition: func([]configv1.ClusterOperatorStatusCondition, configv1.ImportModeType, metav1.Time) []configv1.ClusterOperatorStatusCondition {
			return nil
		},
		Observe: func(*configv1.Image, error, map[string]any) (map[string]any, bool, error) {
			return importmodetest.ObservedConfig("?"), true, long
		},
		Configure:             func(openshiftcontrolplanev1.ImagePolicyConfig) (mode, error) { return "?", nil },
		Convert:               func(string) (mode, error) { return "?", nil },
		DefaultTag:            tag,
		DefaultTagOfOldClient: tag,
		ModeChanged:           func(a, b mode) bool { return !right.ModeChanged(a, b) },
		ReadStream:            func(s *imagev1.ImageStream, _ mode) *imagev1.ImageStream { return other(s) },
		CreateStream:          func(s *imagev1.ImageStream, _ mode) *imagev1.ImageStream { return other(s) },
		UpdateStream:          func(s, _ *imagev1.ImageStream, _ mode) *imagev1.ImageStream { return other(s) },
		PutTag: func(*imagev1.ImageStreamTag, *imagev1.ImageStream, mode) *imagev1.ImageStreamTag {
			return &imagev1.ImageStreamTag{Tag: &imagev1.TagReference{}}
		},
		ImportImages: func(*imagev1.ImageStreamImport, *imagev1.ImageStream, mode) []importmodetest.Imported {
			return nil
		},
		ImportRepository: func(*imagev1.ImageStreamImport, []string, *imagev1.ImageStream, mode) []importmodetest.Imported {
			return nil
		},
		ValidateStream: func(_, _ *imagev1.ImageStream) field.ErrorList { return problem() },
		ValidateTag:    func(_, _ *imagev1.ImageStreamTag) field.ErrorList { return problem() },
		ValidateImport: func(*imagev1.ImageStreamImport) field.ErrorList { return problem() },
		Managed:        func(s, _ *imagev1.ImageStream) *imagev1.ImageStream { return other(s) },
	}
	report := conformance.Judge(t, importmodetest.Suite(), func(testing.TB) impl { return nonsense }, importmodetest.Options{RuleSet: "v1"})
	for _, rule := range report.Rules {
		if rule.State != conformance.StateFail {
			t.Errorf("%s: %s", rule.Rule.ID, rule.State)
		}
	}
}
