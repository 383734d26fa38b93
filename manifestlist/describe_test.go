package manifestlist

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

func TestDescribeRules(t *testing.T) {
	type row struct {
		name     string
		child    Child
		opts     Options
		want     ocispec.Descriptor
		findings []string
		errors   []string
	}
	var rows []row
	for _, c := range manifestlisttest.DescribeCases() {
		rows = append(rows, row{c.Name, fromKit(c.Child)[0], optionsFromKit(c.Options), c.Want, c.Findings, c.Errors})
	}
	for _, tc := range rows {
		t.Run(tc.name, func(t *testing.T) {
			d, findings, err := Describe(tc.child, tc.opts)
			if diff := cmp.Diff(tc.errors, codes(t, err)); diff != "" {
				t.Fatalf("errors (-want +got):\n%s\n%v", diff, err)
			}
			if diff := cmp.Diff(tc.want, d); diff != "" {
				t.Errorf("descriptor (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.findings, found(findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// Describe and Assemble agree about every child that can stand alone.
func TestDescribeAgainstAssemble(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, c := range drawChildren(t) {
			if isAttestation(&c.Descriptor) {
				continue // alone in an index it would be an orphan
			}
			r := mustAssembleRapid(t, []Child{c}, Options{})
			d, findings, err := Describe(c, Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := mustParseRapid(t, r.Bytes).Manifests[0]
			if diff := cmp.Diff(string(appendDescriptor(nil, &want, nil)), string(appendDescriptor(nil, &d, nil))); diff != "" {
				t.Fatalf("(-Assemble +Describe):\n%s", diff)
			}
			if diff := cmp.Diff(r.Findings, findings); diff != "" {
				t.Fatalf("findings (-Assemble +Describe):\n%s", diff)
			}
		}
	})
}
