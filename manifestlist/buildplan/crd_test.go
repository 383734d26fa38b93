package buildplan

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// The patterns of the CRDs, as they stand in their YAML. TestCRDRules compares.
const (
	digestNamePattern = `^([a-zA-Z0-9-]+\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$`
	digestPattern     = `^sha256:[a-f0-9]{64}$`
	pushSpecPattern   = `^([a-zA-Z0-9-]+\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?(/[a-zA-Z0-9-_]{1,61})*/[a-zA-Z0-9-_.]+:[a-zA-Z0-9._-]+$`
	servicePattern    = `^[^.]+\.[^.]+\.svc:\d+\/[^\/]+\/[^\/]+:[^\/]+$`
	reasonPattern     = `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`
)

var (
	digestNameRE = regexp.MustCompile(digestNamePattern)
	digestRE     = regexp.MustCompile(digestPattern)
	pushSpecRE   = regexp.MustCompile(pushSpecPattern)
	serviceRE    = regexp.MustCompile(servicePattern)
	reasonRE     = regexp.MustCompile(reasonPattern)
)

// TestCRDRules makes sure that the rules which these tests hold statuses to are
// those of the CRD that comes with the types.
func TestCRDRules(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/openshift/api").Output()
	if err != nil {
		t.Fatal(err)
	}
	crds := filepath.Join(strings.TrimSpace(string(out)), "machineconfiguration/v1/zz_generated.crd-manifests")
	for file, rules := range map[string][]string{
		"0000_80_machine-config_01_machineosbuilds.crd.yaml": {
			escaped(digestNamePattern), escaped(digestPattern), escaped(pushSpecPattern), escaped(servicePattern), reasonPattern,
			"oldSelf.exists(x, x.type=='Failed' && x.status=='True') ? self==oldSelf : true",
			"oldSelf.exists(x, x.type=='Interrupted' && x.status=='True') ? self==oldSelf : true",
			"oldSelf.exists(x, x.type=='Succeeded' && x.status=='True') ? self==oldSelf : true",
			"has(self.buildEnd) ? has(self.buildStart) && timestamp(self.buildStart) < timestamp(self.buildEnd) : true",
			"has(self.imageBuilderType) && self.imageBuilderType == 'Job' ? has(self.job) : !has(self.job)",
			"maxItems: 8", "maxItems: 10", "maxLength: 447", "x-kubernetes-list-map-keys: - name - resource",
		},
		"0000_80_machine-config_01_machineosconfigs.crd.yaml": {
			escaped(pushSpecPattern), escaped(servicePattern), "maxItems: 4", "default: NoArch",
		},
	} {
		src, err := os.ReadFile(filepath.Join(crds, file))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(strings.ReplaceAll(string(src), "''", "'")), " ")
		for _, rule := range rules {
			if !strings.Contains(text, rule) {
				t.Errorf("%s no longer says %s", file, rule)
			}
		}
	}
}

// escaped is a pattern as a CEL string literal holds it.
func escaped(pattern string) string {
	pattern = strings.ReplaceAll(pattern, `\`, `\\`)
	return pattern
}

// refusals are the reasons for which the CRD refuses to go from one status to
// the next.
func refusals(old, status mcfgv1.MachineOSBuildStatus) []string {
	var found []string
	refuse := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }

	seen := map[string]bool{}
	for _, c := range status.Conditions {
		if seen[c.Type] {
			refuse("two conditions %s", c.Type)
		}
		seen[c.Type] = true
		if !reasonRE.MatchString(c.Reason) || len(c.Reason) > 1024 {
			refuse("reason %q of %s", c.Reason, c.Type)
		}
		if c.LastTransitionTime.IsZero() || c.Status == "" || len(c.Message) > 32768 {
			refuse("condition %+v", c)
		}
	}
	if len(status.Conditions) > 8 {
		refuse("%d conditions", len(status.Conditions))
	}
	for _, c := range old.Conditions {
		ends := c.Type == "Failed" || c.Type == "Interrupted" || c.Type == "Succeeded"
		if ends && c.Status == metav1.ConditionTrue && !equality.Semantic.DeepEqual(old.Conditions, status.Conditions) {
			refuse("conditions changed after %s", c.Type)
		}
	}
	if old.BuildStart != nil && status.BuildStart != nil && !old.BuildStart.Equal(status.BuildStart) {
		refuse("buildStart changed")
	}
	if old.BuildEnd != nil && status.BuildEnd != nil && !old.BuildEnd.Equal(status.BuildEnd) {
		refuse("buildEnd changed")
	}
	if status.BuildEnd != nil {
		// The API keeps whole seconds.
		if status.BuildStart == nil || status.BuildEnd.Unix() <= status.BuildStart.Unix() {
			refuse("buildEnd %v is not after buildStart %v", status.BuildEnd, status.BuildStart)
		}
	}
	if b := status.Builder; b != nil && (b.ImageBuilderType == mcfgv1.JobBuilder) != (b.Job != nil) {
		refuse("builder %+v", b)
	}
	if len(status.RelatedObjects) > 10 {
		refuse("%d related objects", len(status.RelatedObjects))
	}
	names := map[string]bool{}
	for _, o := range status.RelatedObjects {
		if names[o.Resource+"/"+o.Name] {
			refuse("related object %s %s twice", o.Resource, o.Name)
		}
		names[o.Resource+"/"+o.Name] = true
		if len(validation.IsDNS1123Subdomain(o.Group)) > 0 || len(validation.IsDNS1123Subdomain(o.Name)) > 0 || len(validation.IsDNS1035Label(o.Resource)) > 0 {
			refuse("related object %+v", o)
		}
	}
	if spec := string(status.DigestedImagePushSpec); spec != "" && !legalPullSpec(spec) {
		refuse("pull spec %s", spec)
	}

	// Not the CRD's, ours: exactly one of the five is true.
	trues := 0
	for _, p := range ours() {
		if isTrue(status.Conditions, p) {
			trues++
		}
	}
	if trues != 1 {
		refuse("%d conditions are true", trues)
	}
	return found
}

func legalPullSpec(spec string) bool {
	name, digest, ok := strings.Cut(spec, "@")
	return ok && !strings.Contains(digest, "@") && len(spec) <= 447 && digestNameRE.MatchString(name) && digestRE.MatchString(digest)
}

func legalPushSpec(spec string) bool {
	return spec != "" && len(spec) <= 447 && (pushSpecRE.MatchString(spec) || serviceRE.MatchString(spec))
}
