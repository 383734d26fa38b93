package buildplantest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
