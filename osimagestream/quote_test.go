package osimagestream

import (
	"errors"
	"slices"
	"strings"
	"testing"

	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestQuote(t *testing.T) {
	full := strings.Repeat("a", maxQuoted)
	wide := strings.Repeat("\u00e9", maxQuoted) // two bytes each
	for _, tc := range []struct{ name, in, cut, quoted string }{
		{"empty", "", "", `""`},
		{"short", `say "x"`, `say "x"`, `"say \"x\""`},
		{"exactly the limit", full, full, `"` + full + `"`},
		{"one more", full + "b", full + "… (128 of 129 characters)", `"` + full + `"… (128 of 129 characters)`},
		{"characters, not bytes", wide, wide, `"` + wide + `"`},
		{"cut between characters", wide + "x", wide + "… (128 of 129 characters)", `"` + wide + `"… (128 of 129 characters)`},
		{"not UTF-8", full + "\xff", full + "… (128 of 129 characters)", `"` + full + `"… (128 of 129 characters)`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			diff(t, "cut", tc.cut, cut(tc.in))
			diff(t, "quoted", tc.quoted, quoted(tc.in))
		})
	}
}

// annotatedAs returns a singleton of that release.
func annotatedAs(version string) *mcfgv1.OSImageStream {
	o := stored("a", "a", set("a"))
	o.Annotations[AnnotationReleaseVersion] = version
	return o
}

// Whatever is huge in the input, no text that is made of it is.
func TestTextsAreBounded(t *testing.T) {
	huge := strings.Repeat("x", 1<<19)
	hold := func(what string, texts ...string) {
		t.Helper()
		if len(texts) == 0 {
			t.Errorf("%s: no text", what)
		}
		for _, text := range texts {
			if len(text) > 2000 {
				t.Errorf("%s: a text of %d bytes: %s…", what, len(text), text[:300])
			}
		}
	}
	texts := func(problems field.ErrorList, findings []Finding) (all []string) {
		for _, p := range problems {
			all = append(all, p.Error())
		}
		for _, f := range findings {
			all = append(all, f.String())
		}
		return all
	}

	// Names and labels of tags, values of the ConfigMap and of the command line.
	tags := []imagev1.TagReference{
		tag("rhel-coreos-"+huge, huge), tag("rhel-coreos-a", pull("a")), tag("rhel-coreos-b", pull("b")), tag("rhel-coreos-c"+huge, pull("c")),
		{Name: "rhel-coreos-" + huge, From: &corev1.ObjectReference{Kind: huge}},
	}
	labels := map[string]map[string]string{
		huge: osLabels("a"), pull("a"): osLabels(huge), pull("b"): {LabelStream: huge}, pull("cm"): extLabels("a"),
	}
	s := Sources{Payload: payload(tags...), Labels: labels, CLI: &Pair{huge, huge}, ConfigMap: configMap(pull("cm"), huge)}
	d := Discover(s)
	hold("Discover", texts(d.Problems, d.Findings)...)
	d = Discover(Sources{ConfigMap: configMap(pull("cm"), huge), AssumeStream: huge})
	hold("an assumed name", texts(d.Problems, d.Findings)...)

	good, images := set("a"), mcfgv1.ImageDigestFormat(huge)
	bad := []mcfgv1.OSImageStreamSet{{Name: huge, OSImage: images, OSExtensionsImage: images}, {Name: "a", OSImage: images, OSExtensionsImage: images}}
	for name, c := range map[string]Cluster{
		"bad streams, huge spec": {Discovery: complete(append(bad, good)...), Stored: stored(huge, "")},
		"a huge install version": {Discovery: complete(sets("a", "b")...), InstallVersion: huge},
		"a huge install number":  {Discovery: complete(sets("a", "b")...), InstallVersion: strings.Repeat("9", 1<<19) + ".1"},
	} {
		p := Plan(c)
		hold(name, texts(p.Problems, p.Findings)...)
	}

	// Streams that pools name, images that users set, a selector.
	named := selecting("worker", huge, "worker")
	selected := selecting("worker", "", "worker")
	unreadable := selecting("worker", "", "worker")
	unreadable.Spec.MachineConfigSelector.MatchExpressions[0].Operator = metav1.LabelSelectorOperator(huge)
	users := []*mcfgv1.MachineConfig{config("a", "worker", huge), config("b", "worker", huge+"b")}
	for name, p := range map[string]Pool{
		"a huge stream":     {Pool: named, Stored: stored("a", "a", good), Configs: users},
		"huge images":       {Pool: selected, Stored: stored("a", "a", good), Configs: users},
		"a huge selector":   {Pool: unreadable, Stored: stored("a", "a", good)},
		"a huge annotation": {Pool: selected, Stored: annotatedAs(huge), Version: "x"},
		"a huge version":    {Pool: selected, Stored: annotatedAs("x"), Version: huge},
	} {
		r := ForPool(p)
		hold(name, texts(r.Problems, r.Findings)...)
	}
	hold("an edit of a pool", texts(append(ValidatePool(named, nil, nil), ValidatePool(named, nil, stored("a", "a", good))...), nil)...)

	for _, e := range []*ImageReferencesError{
		{Code: ImageReferencesTooLarge, Value: huge}, {Code: ImageReferencesWrongKind, Field: huge, Value: huge},
		{Code: ImageReferencesMalformed, Err: errors.New(huge)},
	} {
		hold(string(e.Code), e.Error())
	}
}

// Nor is a value whole that the CRD takes, if it is longer than what is repeated.
func TestLongValuesAreCut(t *testing.T) {
	run := strings.Repeat("a", maxQuoted+1)
	long := func(content string) string {
		_, digest, _ := strings.Cut(pull(content), "@")
		return "quay.io/okd/" + run + run + "@" + digest
	}
	name := strings.Repeat("a", 250)
	s := Sources{Labels: map[string]map[string]string{}, Payload: payload(), ConfigMap: configMap(long("cm"), long("cm-extensions"))}
	for i, labels := range []map[string]string{
		osLabels(name), extLabels(name), osLabels(name), // a pair and a duplicate
		{LabelOS: "1"}, {LabelStream: name}, {LabelStream: name + "b", LabelOS: "1", LabelExtensions: "true"}, nil,
	} {
		image := long(strings.Repeat("x", i))
		s.Payload.Spec.Tags = append(s.Payload.Spec.Tags, tag("rhel-coreos", image))
		if labels != nil {
			s.Labels[image] = labels
		}
	}
	s.Labels[long("cm")], s.Labels[long("cm-extensions")] = osLabels(name), extLabels(name)

	assumed := Discover(Sources{ConfigMap: s.ConfigMap, AssumeStream: name})
	d := Discover(s)
	found := slices.Concat(d.Findings, assumed.Findings)
	sets := append(assumed.Streams, mcfgv1.OSImageStreamSet{Name: "b", OSImage: assumed.Streams[0].OSImage, OSExtensionsImage: assumed.Streams[0].OSExtensionsImage})
	for _, spec := range []string{"b", name} {
		found = append(found, Single(Cluster{Discovery: complete(sets...), Stored: stored(spec, "")}).Findings...)
	}
	if got, want := codes(found), []FindingCode{FindingDuplicateImage, FindingIncompletePair, FindingNameAssumed, FindingNoStream, FindingNotInspected,
		FindingNotOffered, FindingNotOffered, FindingOverridden, FindingTwoRoles, FindingUnknownRole}; !slices.Equal(got, want) {
		t.Errorf("findings %v, want %v", got, want)
	}
	for _, f := range found {
		if strings.Contains(f.Detail, run) {
			t.Errorf("%s: %s", f.Code, f.Detail)
		}
	}

	twice := slices.Clone(assumed.Streams)
	twice[0].OSImage = mcfgv1.ImageDigestFormat(long("other"))
	problems := Default(Cluster{Discovery: complete(append(twice, assumed.Streams...)...)}).Problems
	if len(problems) != 1 || strings.Contains(problems[0].BadValue.(string), run) {
		t.Errorf("problems %v", problems)
	}
}
