package importmode_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/importmode/importmodetest"
)

const (
	legacy   = imagev1.ImportModeLegacy
	preserve = imagev1.ImportModePreserveOriginal
)

// tag makes a spec tag, stream a stream of tags.
func tag(name string, mode imagev1.ImportModeType) imagev1.TagReference {
	return imagev1.TagReference{
		Name:         name,
		From:         &corev1.ObjectReference{Kind: "DockerImage", Name: "quay.example.com/x/y:" + name},
		ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode},
	}
}

func stream(tags ...imagev1.TagReference) *imagev1.ImageStream {
	return &imagev1.ImageStream{Spec: imagev1.ImageStreamSpec{Tags: tags}}
}

// verdict is a TagDecision with the codes of its findings in place of its flags.
type verdict struct {
	Import, Store imagev1.ImportModeType
	Reason        importmode.TagReason
	New, Changed  bool
	Finding       importmode.FindingCode
}

func verdictOf(d importmode.TagDecision) verdict {
	v := verdict{Import: d.Import, Store: d.Store, Reason: d.Reason, New: d.New, Changed: d.Changed}
	for _, f := range d.Findings(nil) {
		v.Finding += f.Code
	}
	return v
}

func verdicts(decisions []importmode.DecidedTag) []verdict {
	var all []verdict
	for _, d := range decisions {
		all = append(all, verdictOf(d.TagDecision))
	}
	return all
}

type tagRow struct {
	name    string
	given   imagev1.ImportModeType
	stored  *imagev1.ImageStream
	cluster imagev1.ImportModeType
	opts    importmode.Options
	want    verdict
}

// findingRows are about what is reported on a tag "v1".
var findingRows = []tagRow{
	{"29,44: the cluster's mode is none, and Legacy is ignored", legacy, nil, "Whole", importmode.Options{IgnoreLegacy: true},
		verdict{Import: legacy, Store: legacy, Reason: importmode.ReasonClusterMode, New: true,
			Finding: importmode.FindingLegacyIgnored + importmode.FindingUnknownCluster}},
	{"24,27,44: neither the stored mode nor the cluster's is one", "", stream(tag("v1", "Whole")), "Each", importmode.Options{},
		verdict{Import: legacy, Store: "Whole", Reason: importmode.ReasonStored, Finding: importmode.FindingUnknownStored + importmode.FindingUnknownCluster}},
	{"22,27,44: neither the given mode nor the cluster's is one", "Whole", nil, "Each", importmode.Options{},
		verdict{Import: legacy, Store: "Whole", Reason: importmode.ReasonGiven, New: true, Finding: importmode.FindingUnknownCluster}},
	{"22,27,41: a stored value that is no mode is sent back", "Whole", stream(tag("v1", "Whole")), preserve, importmode.Options{},
		verdict{Import: preserve, Store: "Whole", Reason: importmode.ReasonGiven, Finding: importmode.FindingUnknownStored}},
	{"29,41: sent Legacy ignored, stored value that is no mode", legacy, stream(tag("v1", "Whole")), preserve, importmode.Options{IgnoreLegacy: true},
		verdict{Import: preserve, Store: "Whole", Reason: importmode.ReasonStored, Finding: importmode.FindingLegacyIgnored + importmode.FindingUnknownStored}},
	{"23,44: the cluster's mode is none", "", nil, "Whole", importmode.Options{},
		verdict{Import: legacy, Store: legacy, Reason: importmode.ReasonClusterMode, New: true, Finding: importmode.FindingUnknownCluster}},
	{"24,41: a stored value that is no mode is kept and reported", "", stream(tag("v1", "Whole")), preserve, importmode.Options{},
		verdict{Import: preserve, Store: "Whole", Reason: importmode.ReasonStored, Finding: importmode.FindingUnknownStored}},
}

// tagRows are findingRows and the cases of the test package, beside which the slow
// oracle says what else there is in a decision. They hold for bare modes, streams,
// image stream tags, imports and repositories alike.
func tagRows() []tagRow {
	rows := slices.Clone(findingRows)
	add := func(cases []importmodetest.TagCase, opts importmode.Options) {
		for _, c := range cases {
			stored := stream(tag("v0", legacy))
			if c.IsStored {
				stored = stream(tag("v1", c.Stored))
			}
			want := slowVerdict(c.Given, c.Stored, c.IsStored, c.Cluster, opts.IgnoreLegacy)
			want.Store, want.Import = c.Store, c.Import
			rows = append(rows, tagRow{c.Rule + ": " + c.Name, c.Given, stored, c.Cluster, opts, want})
		}
	}
	add(importmodetest.TagCases(), importmode.Options{})
	add(importmodetest.OldClientCases(), importmode.Options{IgnoreLegacy: true})
	return rows
}

func TestDefaultTag(t *testing.T) {
	for _, tt := range tagRows() {
		t.Run(tt.name, func(t *testing.T) {
			stored, isStored := storedMode(tt.stored, "v1")
			d := importmode.DefaultTag(tt.given, stored, isStored, tt.cluster, tt.opts)
			if diff := cmp.Diff(tt.want, verdictOf(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// storedMode looks a tag up the slow way: the first of its name.
func storedMode(stored *imagev1.ImageStream, name string) (imagev1.ImportModeType, bool) {
	if stored != nil {
		for _, r := range stored.Spec.Tags {
			if r.Name == name {
				return r.ImportPolicy.ImportMode, true
			}
		}
	}
	return "", false
}

// What is said about a tag that is not stored is of no account.
func TestDefaultTagOfNoStoredTag(t *testing.T) {
	for _, given := range []imagev1.ImportModeType{"", legacy, preserve, "Whole"} {
		want := importmode.DefaultTag(given, "", false, preserve, importmode.Options{})
		for _, stored := range []imagev1.ImportModeType{legacy, preserve, "Whole"} {
			if got := importmode.DefaultTag(given, stored, false, preserve, importmode.Options{}); got != want {
				t.Errorf("given %q, stored %q: %+v, want %+v", given, stored, got, want)
			}
		}
		wantManaged := importmode.DefaultManagedTag(given, "", false)
		if got := importmode.DefaultManagedTag(given, preserve, false); got != wantManaged {
			t.Errorf("managed, given %q: %+v, want %+v", given, got, wantManaged)
		}
	}
}

func TestTagReasonString(t *testing.T) {
	for r, want := range map[importmode.TagReason]string{
		importmode.ReasonUndecided:     "Undecided",
		importmode.ReasonGiven:         "Given",
		importmode.ReasonClusterMode:   "ClusterMode",
		importmode.ReasonStored:        "Stored",
		importmode.ReasonStoredEmpty:   "StoredEmpty",
		importmode.ReasonManaged:       "Managed",
		importmode.ReasonNoSpecTag:     "NoSpecTag",
		importmode.ReasonNoSpecTag + 1: "TagReason(7)",
		255:                            "TagReason(255)",
	} {
		if got := r.String(); got != want {
			t.Errorf("TagReason(%d).String() = %q, want %q", uint8(r), got, want)
		}
	}
}

func TestTagDecisionFindings(t *testing.T) {
	ignored := importmode.TagDecision{Import: preserve, Store: preserve, Reason: importmode.ReasonClusterMode, LegacyIgnored: true}
	path := field.NewPath("spec", "tags").Key("v1")
	want := importmode.Finding{
		Code: importmode.FindingLegacyIgnored, Path: "spec.tags[v1]",
		Detail: `the client sends Legacy unasked, so Legacy counts as omitted; the tag is imported as "PreserveOriginal" (ClusterMode)`,
	}
	if diff := cmp.Diff([]importmode.Finding{want}, ignored.Findings(path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := want.String(); got != want.Path+": "+want.Detail {
		t.Errorf("String() = %q", got)
	}
	want.Path = ""
	if diff := cmp.Diff([]importmode.Finding{want}, ignored.Findings(nil)); diff != "" {
		t.Errorf("without a path (-want +got):\n%s", diff)
	}
	if got := want.String(); got != want.Detail {
		t.Errorf("String() without a path = %q", got)
	}
	// A finding about a value names it, and what was done instead.
	unknown := importmode.DefaultTag("", "Whole", true, preserve, importmode.Options{}).Findings(path)
	if want := `the tag is stored with the mode "Whole", which is kept; it is imported by the mode of the cluster, PreserveOriginal; set it to Legacy or PreserveOriginal`; len(unknown) != 1 || unknown[0].Detail != want {
		t.Errorf("%+v, want the detail %q", unknown, want)
	}
	var codes []importmode.FindingCode
	for _, f := range (importmode.TagDecision{LegacyIgnored: true, UnknownStored: true, UnknownCluster: true, LegacyOverPreserveOriginal: true}).Findings(nil) {
		if f.Detail == "" {
			t.Errorf("finding %s without a detail", f.Code)
		}
		codes = append(codes, f.Code)
	}
	order := []importmode.FindingCode{importmode.FindingLegacyIgnored, importmode.FindingUnknownStored,
		importmode.FindingUnknownCluster, importmode.FindingLegacyOverPreserveOriginal}
	if diff := cmp.Diff(order, codes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := (importmode.TagDecision{}).Findings(path); got != nil {
		t.Errorf("the zero decision has the findings %v", got)
	}
}
