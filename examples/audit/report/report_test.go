package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"https://user:pass@proxy.example.com:3128/x":                            Hidden + "@proxy.example.com:3128/x",
		"pull user:pa/ss@quay.io/ns/app@" + digest:                              "pull " + Hidden + "@quay.io/ns/app@" + digest,
		"quay.io/ns/app@" + digest:                                              "quay.io/ns/app@" + digest,
		"https://user:pass@quay.io:" + strings.Repeat("0", 32):                  Hidden + "@quay.io:" + strings.Repeat("0", 32),
		`"eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrIn0.c2ln"`:                           `"` + Hidden + `"`,
		"sha256~AbC_def-123":                                                    Hidden,
		"Bearer abcdef1234567":                                                  "Bearer " + Hidden,
		"password=correcthorse":                                                 "password=" + Hidden,
		`"auth": "dXNlcjpwYXNz"`:                                                `"auth": "` + Hidden + `"`,
		"x9Kq2Lw8Zt4Rb7Nv1Mc5":                                                  Hidden,
		"hypershift.openshift.io/v1beta1/HostedCluster":                         "hypershift.openshift.io/v1beta1/HostedCluster",
		"OperatorEvaluationConditionDetected":                                   "OperatorEvaluationConditionDetected",
		"rendered-worker-0123456789abcdef0123456789abcdef":                      "rendered-worker-0123456789abcdef0123456789abcdef",
		"imagestreams[demo/app].spec.tags[latest].importPolicy":                 "imagestreams[demo/app].spec.tags[latest].importPolicy",
		"the token is missing":                                                  "the token is missing",
		"ssp.kubevirt.io/dict.architectures, template.kubevirt.io/architecture": "ssp.kubevirt.io/dict.architectures, template.kubevirt.io/architecture",
		"": "",
	} {
		if got := Redact(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
		if again := Redact(Redact(in)); again != Redact(in) {
			t.Errorf("%s: once more: %s", in, again)
		}
	}
}

// TestRedactEverything plants a token in each text of a report.
func TestRedactEverything(t *testing.T) {
	const planted = "user:hunter2@quay.io"
	r := &Report{
		Unjudged: []string{planted},
		Sections: []Section{{
			Title: planted, Missing: []Missing{{Detail: planted}}, Decisions: []Decision{{Answer: planted, Objects: []string{planted}}},
			Hops: []Hop{{Value: planted}}, Tables: []Table{{Rows: [][]string{{planted}}}}, Writes: []Write{{Value: planted}}, Notes: []string{planted},
			Entries: []Entry{{Detail: planted, Commands: []string{planted}, Patches: []Patch{{Body: json.RawMessage(`{"a":"` + planted + `"}`)}}}},
			Omitted: map[string]int{planted: 1},
		}},
		WhatIf: &WhatIf{Changes: []string{planted}, Differences: []Difference{{Before: Decision{Answer: planted}}}},
	}
	r.Source.Names = []string{planted}
	r.Source.Unknown = map[string]int{planted: 1}
	r.Finish([]Suppression{{Reason: planted}})
	var out bytes.Buffer
	if err := r.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "hunter2") {
		t.Errorf("the JSON has it:\n%s", out.String())
	}
}

func TestLike(t *testing.T) {
	for _, tc := range []struct {
		pattern, text string
		want          bool
	}{
		{"imagestreams[a/b]", "imagestreams[a/b]", true},
		{"imagestreams[a/b]", "imagestreams[a/bc]", false},
		{"imagestreams[a/*]", "imagestreams[a/b]", true},
		{"imagestreams[a/*]", "imagestreams[b/a]", false},
		{"*", "", true},
		{"*b*", "abc", true},
		{"a*b*c", "abxbc", true},
		{"a*a", "a", false},
		{"*x*", "abc", false},
	} {
		if got := like(tc.pattern, tc.text); got != tc.want {
			t.Errorf("%q and %q: %v", tc.pattern, tc.text, got)
		}
	}
}

func TestParseSuppressions(t *testing.T) {
	got, err := ParseSuppressions(strings.NewReader("\n# a remark\n  a.B  nodes[x]   two   words \n"))
	if d := cmp.Diff([]Suppression{{"a.B", "nodes[x]", "two words", 3}}, got); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if _, err := ParseSuppressions(strings.NewReader("a.B nodes[x]\n")); err == nil {
		t.Error("a line without a reason was taken")
	}
}

// TestCommandsStayWhole holds that a command that was broken into lines is the same for
// a shell: lines end in a backslash, or within quotes behind a comma.
func TestCommandsStayWhole(t *testing.T) {
	command := `oc patch imagestreams/app --namespace=a-namespace-with-quite-a-long-name --type=json -p '[{"op":"test","path":"/spec/tags/0/name","value":"latest"},{"op":"add","path":"/spec/tags/0/importPolicy/importMode","value":"PreserveOriginal"}]'`
	lines := wrapCommand(command, 60)
	if len(lines) < 3 {
		t.Fatalf("lines: %q", lines)
	}
	joined := strings.Join(lines, "\n")
	joined = strings.ReplaceAll(joined, "\\\n", "")
	if got := strings.ReplaceAll(joined, ",\n", ","); got != command {
		t.Errorf("joined again:\n%s\nwant\n%s", got, command)
	}
}

func TestWrap(t *testing.T) {
	for _, tc := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two three", 10, []string{"one two", "three"}},
		{"a quay.io/namespace/name", 12, []string{"a", "quay.io/", "namespace/", "name"}},
		{"äöü äöü äöü", 10, []string{"äöü äöü", "äöü"}},
	} {
		if d := cmp.Diff(tc.want, wrap(tc.text, tc.width)); d != "" {
			t.Errorf("%q (-want +got):\n%s", tc.text, d)
		}
	}
}

func TestExitStatus(t *testing.T) {
	for _, tc := range []struct {
		summary  Summary
		unjudged bool
		want     map[Level]int
	}{
		{Summary{}, false, map[Level]int{Broken: 0, Risk: 0, Note: 0, Never: 0}},
		{Summary{Note: 1}, false, map[Level]int{Broken: 0, Risk: 0, Note: 1, Never: 0}},
		{Summary{Risk: 1}, false, map[Level]int{Broken: 0, Risk: 1, Note: 1, Never: 0}},
		{Summary{Broken: 1}, false, map[Level]int{Broken: 1, Risk: 1, Note: 1, Never: 0}},
		{Summary{Suppressed: 1}, false, map[Level]int{Broken: 0, Risk: 0, Note: 0, Never: 0}},
		{Summary{}, true, map[Level]int{Broken: 2, Risk: 2, Note: 2, Never: 2}},
		{Summary{Broken: 1}, true, map[Level]int{Broken: 2, Risk: 2, Note: 2, Never: 2}},
	} {
		for failOn, want := range tc.want {
			r := Report{Summary: tc.summary, Judged: !tc.unjudged}
			if got := r.ExitStatus(failOn); got != want {
				t.Errorf("%+v, unjudged %v, %s: %d, want %d", tc.summary, tc.unjudged, failOn, got, want)
			}
		}
	}
}

func TestColors(t *testing.T) {
	r := &Report{Judged: true, Sections: []Section{{Title: "A", Entries: []Entry{{Code: "a.B", Level: Broken}}}}}
	for color, want := range map[bool]bool{true: true, false: false} {
		var out bytes.Buffer
		if err := r.WriteText(&out, color); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), "\x1b["); got != want {
			t.Errorf("colors asked for: %v, there: %v", color, got)
		}
	}
}
