package osimagestream

import (
	"errors"
	"strings"
	"testing"

	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
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

	for _, e := range []*ImageReferencesError{
		{Code: ImageReferencesTooLarge, Value: huge}, {Code: ImageReferencesWrongKind, Field: huge, Value: huge},
		{Code: ImageReferencesMalformed, Err: errors.New(huge)},
	} {
		hold(string(e.Code), e.Error())
	}
}
