package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/examples/audit/source"
)

// everything is a report with something in each place, and with rows in its table of
// image tags.
func everything(rows int) *Report {
	estimate := int64(90)
	e := Entry{Code: "imagestreams.StaysLegacy", Level: Risk, Object: "imagestreams[demo/app]", Field: "spec.tags[latest]",
		Detail: "Legacy (Stored), and nodes are amd64, arm64", Impact: "Pods fail on arm64.", Remedy: "Give it PreserveOriginal.",
		Commands: []string{`oc patch imagestreams/app --namespace=demo --type=json -p '[{"op":"add"}]'`}}
	broken := Entry{Code: "chain.Lags", Level: Broken, Object: "images.config.openshift.io[cluster]", Detail: "is Legacy, should be PreserveOriginal",
		Impact: "New tags are imported by another mode.", Remedy: "Look at the operator."}
	tags := Table{Name: "tags", Title: "tags", JSONOnly: true, Columns: []string{"namespace", "stream", "tag", "mode", "architectures"}, Omitted: 7}
	for i := range rows {
		mode := "Legacy"
		if i%2 == 1 {
			mode = "PreserveOriginal"
		}
		tags.Rows = append(tags.Rows, []string{fmt.Sprintf("team-%d", i%40), fmt.Sprintf("app-%d", i), "latest", mode, "amd64"})
	}
	growth := []Growth{{Name: "ByChange", Tags: 40, Unknown: 3, Objects: 60, Bytes: 4096, Estimate: &estimate, AssumedChildren: 4},
		{Name: "ByFixes", Tags: 10, Objects: 15, Bytes: 1024, BytesUnknown: 2, LayersGone: 1}}
	r := &Report{
		Time: "2026-11-21T12:00:00Z", Judged: true,
		Source: source.Info{Type: source.TypeCluster, Names: []string{"https://api.example.com:6443"}, Objects: 4711, Secrets: 3},
		Sections: []Section{
			{Name: "payload", Title: "Payload", Looked: []Count{{"ClusterVersion", 1}}, Decisions: []Decision{
				{Name: "kind", Answer: "Multi", Reason: "Architecture", Field: "status.desired.architecture", Objects: []string{"clusterversions[version]"}}}},
			{Name: "nodes", Title: "Nodes and pools", Tables: []Table{{Name: "pools", Title: "machine config pools: nodes of each architecture",
				Columns: []string{"pool", "amd64", "arm64", "complete"}, Rows: [][]string{{"master", "3", "0", "Complete"}, {"worker", "5", "2", "Complete"}}}}},
			{Name: "importmode", Title: "Import mode, hop by hop", Entries: []Entry{broken}, Hops: []Hop{
				{Name: "override", Object: "images.config.openshift.io[cluster]", Field: "spec.imageStreamImportMode", State: HopAsExpected},
				{Name: "cluster's mode", Object: "images.config.openshift.io[cluster]", Field: "status.imageStreamImportMode",
					Value: "Legacy", Want: "PreserveOriginal", State: HopLags, Reason: "Payload"},
				{Name: "observed configuration", Object: "openshiftapiservers[cluster]", Field: "spec.observedConfig", Value: "Legacy", Want: "Legacy", State: HopWaits},
				{Name: "apiserver", Object: "configmaps[openshift-apiserver/config]", Field: "data[config.yaml]", State: HopUnknown},
			}, Writes: []Write{{Object: "images.config.openshift.io[cluster]", Field: "status.imageStreamImportMode", Value: "PreserveOriginal",
				Verb: "update", By: "cluster-image-registry-operator", Reason: "Payload", Rollout: "openshift-apiserver"}}},
			{Name: "imagestreams", Title: "Image streams", Entries: []Entry{e}, Growth: growth, Tables: []Table{tags},
				Omitted: map[string]int{"imagestreams.StaysLegacy": 12}},
			{Name: "osbuilds", Title: "OS image builds", Proposed: true, Missing: []Missing{{Kind: "MachineOSBuild", State: "NotInSource", Command: "oc adm inspect machineosbuilds"}}},
		},
		WhatIf: &WhatIf{Changes: []string{"mode=PreserveOriginal"}, Growth: growth, Rollouts: []string{"openshift-apiserver"}, Appears: []Entry{e},
			Disappears: []Entry{broken}, Differences: []Difference{{"importmode", Decision{Name: "mode of the cluster", Answer: "Legacy"}, Decision{Name: "mode of the cluster", Answer: "PreserveOriginal"}}}},
	}
	r.Finish([]Suppression{{Code: "nodes.NoNodes", Object: "nodes", Reason: "not yet", Line: 2}})
	return r
}

func html(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page holds what the report holds, and asks nobody for anything.
func TestHTML(t *testing.T) {
	got := html(t, everything(3))
	for _, want := range []string{
		"Cluster", "https://api.example.com:6443", "4711 objects", "3 Secrets skipped unread", "status.desired.architecture",
		`<td class="some">5</td>`, `<td class="zero">0</td>`, `class="hop broken"`, `class="hop risk"`, `class="hop note"`, "should be",
		"imagestreams.StaysLegacy", "Give it PreserveOriginal.", `style="width: 66%"`, "an estimate with 4 images", "12 more over the limit",
		"7 more rows over the limit", "restarts openshift-apiserver", "proposed: no operator of today does this", "oc adm inspect machineosbuilds",
		"What if <code>mode=PreserveOriginal</code>", "line 2", "app-2",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if asks := regexp.MustCompile(`(?i)(src|href)="[^#d]|url\(|@import|<link[^>]*stylesheet|fetch\(`).FindAllString(got, -1); len(asks) > 0 {
		t.Errorf("the page asks for something: %q", asks)
	}
	if html(t, &Report{}) == "" {
		t.Error("nothing for an empty report")
	}
}

// What stands in objects is text, wherever it is put.
func TestHTMLEscapes(t *testing.T) {
	const planted = `"><script>alert(1)</script><img src=x onerror=alert(2)>`
	r := everything(0)
	r.Source.Names = []string{planted}
	s := &r.Sections[3]
	s.Name, s.Title, s.Tables[0].Name, s.Tables[0].Rows = planted, planted, planted, [][]string{{planted}}
	s.Entries[0].Level, s.Entries[0].Object, s.Entries[0].Commands = Level(planted), planted, []string{planted}
	got := html(t, r)
	if n := strings.Count(got, "<script>"); n != 1 {
		t.Errorf("%d scripts, want the one of the page", n)
	}
	if strings.Contains(got, "<img") {
		t.Error("an element that a name has made")
	}
}

func TestBars(t *testing.T) {
	estimate := int64(200)
	got := bars([]Growth{{Name: "ByChange", Objects: 100, Bytes: 0, Estimate: &estimate, AssumedChildren: 4}, {Name: "Other", Objects: 1, Bytes: 9}})
	want := []bar{{"by the change: Image objects", "100", 50}, {"by the change: Image objects, an estimate with 4 images in each unknown list", "200", 100},
		{"by the change: bytes", "0", 0}, {"Other: Image objects", "1", 1}, {"Other: bytes", "9", 100}}
	if len(got) != len(want) {
		t.Fatalf("bars are %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("bar %d is %v, want %v", i, got[i], want[i])
		}
	}
}
