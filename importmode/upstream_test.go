package importmode_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// This file replays what went wrong elsewhere, each with our answer.

// clusterVersion is a cluster at or on its way to release 4.20.0, from 4.19.0.
func clusterVersion(architecture configv1.ClusterVersionArchitecture, state configv1.UpdateState, image string) *configv1.ClusterVersion {
	cv := installed(architecture, state, image)
	cv.Status.History = append(cv.Status.History, configv1.UpdateHistory{State: configv1.CompletedUpdate, Version: "4.19.0", Image: "before"})
	return cv
}

// installed is a cluster that began with release 4.20.0.
func installed(architecture configv1.ClusterVersionArchitecture, state configv1.UpdateState, image string) *configv1.ClusterVersion {
	return &configv1.ClusterVersion{Status: configv1.ClusterVersionStatus{
		Desired: configv1.Release{Version: "4.20.0", Image: image, Architecture: architecture},
		History: []configv1.UpdateHistory{{State: state, Version: "4.20.0", Image: image}},
	}}
}

func gates(version string, enabled ...configv1.FeatureGateName) *configv1.FeatureGate {
	details := configv1.FeatureGateDetails{Version: version}
	for _, name := range enabled {
		details.Enabled = append(details.Enabled, configv1.FeatureGateAttributes{Name: name})
	}
	return &configv1.FeatureGate{Status: configv1.FeatureGateStatus{FeatureGates: []configv1.FeatureGateDetails{details}}}
}

// rollouts plays what the image registry operator sees step by step and returns
// the final mode and the number of rollouts on the way.
func rollouts(current configv1.ImportModeType, steps ...payloadarch.Verdict) (configv1.ImportModeType, int) {
	n := 0
	for _, v := range steps {
		d := importmode.Decide(importmode.Input{Current: current, Payload: v})
		if d.StatusChanges {
			current = d.Mode
			n++
		}
	}
	return current, n
}

func TestUpgradeRollsOutOnce(t *testing.T) {
	const gate = "ImageStreamImportMode"
	const reported = configv1.ClusterVersionArchitectureMulti
	for _, tt := range []struct {
		name    string
		current configv1.ImportModeType
		steps   []payloadarch.Verdict
		want    configv1.ImportModeType
		times   int
	}{{
		name: "OCPBUGS-112551: an upgrade that brings the field, on a multi payload",
		steps: []payloadarch.Verdict{
			payloadarch.FromClusterVersion(nil, nil),
			payloadarch.FromClusterVersion(clusterVersion("", configv1.PartialUpdate, "m"), gates("4.19.0")),
			payloadarch.FromClusterVersion(clusterVersion("", configv1.PartialUpdate, "m"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(clusterVersion(reported, configv1.PartialUpdate, "m"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(clusterVersion(reported, configv1.CompletedUpdate, "m"), gates("4.20.0", gate)),
		},
		want: configPreserve, times: 1,
	}, {
		name: "OCPBUGS-112551: an upgrade from multi to multi", current: configPreserve,
		steps: []payloadarch.Verdict{
			payloadarch.FromClusterVersion(clusterVersion("", configv1.PartialUpdate, "m"), gates("4.19.0", gate)),
			payloadarch.FromClusterVersion(clusterVersion("", configv1.PartialUpdate, "m"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(clusterVersion(reported, configv1.PartialUpdate, "m"), gates("4.20.0", gate)),
		},
		want: configPreserve, times: 0,
	}, {
		name: "the later fix: multi to single reverts, once complete", current: configPreserve,
		steps: []payloadarch.Verdict{
			payloadarch.FromClusterVersion(clusterVersion(reported, configv1.CompletedUpdate, "m"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(clusterVersion("", configv1.PartialUpdate, "s"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(clusterVersion("", configv1.CompletedUpdate, "s"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(clusterVersion("", configv1.CompletedUpdate, "s"), gates("4.20.0", gate)),
		},
		want: configLegacy, times: 1,
	}, {
		name: "single to multi", current: configLegacy,
		steps: []payloadarch.Verdict{
			payloadarch.FromClusterVersion(clusterVersion("", configv1.CompletedUpdate, "s"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(clusterVersion("", configv1.PartialUpdate, "m"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(clusterVersion(reported, configv1.PartialUpdate, "m"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(clusterVersion(reported, configv1.CompletedUpdate, "m"), gates("4.20.0", gate)),
		},
		want: configPreserve, times: 1,
	}} {
		t.Run(tt.name, func(t *testing.T) {
			if got, n := rollouts(tt.current, tt.steps...); got != tt.want || n != tt.times {
				t.Errorf("ends at %q after %d rollouts, want %q after %d", got, n, tt.want, tt.times)
			}
		})
	}
}

// An installation, as the cluster version operator reports it, and a ClusterVersion
// that is deleted and made anew on a running cluster.
func TestInstallation(t *testing.T) {
	const gate, reported = "ImageStreamImportMode", configv1.ClusterVersionArchitectureMulti
	for _, tt := range []struct {
		name    string
		current configv1.ImportModeType
		steps   []payloadarch.Verdict
		want    []configv1.ImportModeType // after each step
	}{{
		name: "4,5: single, with its mode from the start and one write",
		steps: []payloadarch.Verdict{
			payloadarch.FromClusterVersion(nil, nil),
			payloadarch.FromClusterVersion(installed("", configv1.PartialUpdate, "s"), nil),
			payloadarch.FromClusterVersion(installed("", configv1.PartialUpdate, "s"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(installed("", configv1.CompletedUpdate, "s"), gates("4.20.0", gate)),
		},
		want: []configv1.ImportModeType{"", "", configLegacy, configLegacy},
	}, {
		name: "3,4: multi, reported late, at the price of a second write",
		steps: []payloadarch.Verdict{
			payloadarch.FromClusterVersion(installed("", configv1.PartialUpdate, "m"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(installed(reported, configv1.PartialUpdate, "m"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(installed(reported, configv1.CompletedUpdate, "m"), gates("4.20.0", gate)),
		},
		want: []configv1.ImportModeType{configLegacy, configPreserve, configPreserve},
	}, {
		name: "4: the ClusterVersion of a multi payload is made anew", current: configPreserve,
		steps: []payloadarch.Verdict{
			payloadarch.FromClusterVersion(nil, gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(installed("", configv1.PartialUpdate, "m"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(installed(reported, configv1.PartialUpdate, "m"), gates("4.20.0", gate)),
			payloadarch.FromClusterVersion(installed(reported, configv1.CompletedUpdate, "m"), gates("4.20.0", gate)),
		},
		want: []configv1.ImportModeType{configPreserve, configPreserve, configPreserve, configPreserve},
	}} {
		t.Run(tt.name, func(t *testing.T) {
			var modes []configv1.ImportModeType
			current := tt.current
			for _, step := range tt.steps {
				current, _ = rollouts(current, step)
				modes = append(modes, current)
			}
			if diff := cmp.Diff(tt.want, modes); diff != "" {
				t.Errorf("modes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSpecNeedsNoClusterVersion(t *testing.T) { // OCPBUGS-66225
	payload := payloadarch.FromClusterVersion(nil, nil)
	d := importmode.Decide(importmode.Input{Spec: configLegacy, Payload: payload})
	if d.Mode != configLegacy || len(d.Problems)+len(d.Findings) != 0 {
		t.Errorf("with a lister that is not synced: %+v", d)
	}
}

func TestUnknownValueReachesNoServer(t *testing.T) {
	o, err := importmode.Observe(imageConfig("Whole"), nil, observed("PreserveOriginal"))
	var unknown *importmode.UnknownModeError
	if !errors.As(err, &unknown) || o.Changed {
		t.Errorf("Observe lets %+v through, %v", o, err)
	}
	if diff := cmp.Diff(observed("PreserveOriginal"), o.Config); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// apply is an apiserver's update: it defaults, writes, and counts a generation
// for every effective change.
func apply(t *testing.T, request, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts importmode.Options) (*imagev1.ImageStream, int64) {
	t.Helper()
	result := request.DeepCopy()
	if stored != nil {
		result.Generation = stored.Generation
	}
	changed := false
	for i, d := range importmode.DefaultImageStream(nil, request, stored, cluster, opts) {
		result.Spec.Tags[i].ImportPolicy.ImportMode = d.Store
		changed = changed || d.Changed || d.New
	}
	if changed {
		result.Generation++
	}
	return result, result.Generation
}

func TestReapplyAfterTheClusterFlips(t *testing.T) {
	manifest := stream(tag("v1", ""), tag("v2", ""))
	created, first := apply(t, manifest, nil, legacy, importmode.Options{})
	again, generation := apply(t, manifest, created, preserve, importmode.Options{})
	if diff := cmp.Diff(created, again); diff != "" || generation != first {
		t.Errorf("generation %d, was %d; the existing stream is altered:\n%s", generation, first, diff)
	}
	t.Run("and back", func(t *testing.T) {
		created, first := apply(t, manifest, nil, preserve, importmode.Options{})
		again, generation := apply(t, manifest, created, legacy, importmode.Options{})
		if diff := cmp.Diff(created, again); diff != "" || generation != first {
			t.Errorf("generation %d, was %d; the existing stream is altered:\n%s", generation, first, diff)
		}
	})
	t.Run("a new tag follows the cluster", func(t *testing.T) {
		got, _ := apply(t, stream(tag("v1", ""), tag("v2", ""), tag("v3", "")), created, preserve, importmode.Options{})
		if m := got.Spec.Tags[2].ImportPolicy.ImportMode; m != preserve {
			t.Errorf("v3 is %q", m)
		}
	})
}

func TestStreamsFromBeforeTheFieldStayAsTheyAre(t *testing.T) {
	old := stream(tag("v1", ""), tag("v2", ""))
	old.Generation = 7
	for _, cluster := range []imagev1.ImportModeType{legacy, preserve, legacy, preserve} {
		got, generation := apply(t, old, old, cluster, importmode.Options{})
		if diff := cmp.Diff(old, got); diff != "" || generation != 7 {
			t.Errorf("cluster %s: generation %d:\n%s", cluster, generation, diff)
		}
	}
	t.Run("and when Legacy is spelled out no import follows", func(t *testing.T) {
		got, generation := apply(t, stream(tag("v1", legacy), tag("v2", "")), old, preserve, importmode.Options{})
		if generation != 7 || got.Spec.Tags[0].ImportPolicy.ImportMode != legacy {
			t.Errorf("generation %d: %+v", generation, got.Spec.Tags)
		}
	})
}

// OCPBUGS-73844: clients that send Legacy unasked, as recorded from oc.
func TestLegacySentUnasked(t *testing.T) {
	decode := func(body string, into any) {
		t.Helper()
		if err := json.Unmarshal([]byte(body), into); err != nil {
			t.Fatal(err)
		}
	}
	var byImage, byRepository imagev1.ImageStreamImport
	var byTag imagev1.ImageStreamTag
	decode(`{"kind":"ImageStreamImport","apiVersion":"image.openshift.io/v1","metadata":{"name":"b","namespace":"demo"},
		"spec":{"import":true,"images":[{"from":{"kind":"DockerImage","name":"registry.example.com/x/y:v1"},"to":{"name":"v1"},
		"importPolicy":{"importMode":"Legacy"},"referencePolicy":{"type":"Source"}}]},"status":{}}`, &byImage)
	decode(`{"kind":"ImageStreamImport","apiVersion":"image.openshift.io/v1","metadata":{"name":"c","namespace":"demo"},
		"spec":{"import":true,"repository":{"from":{"kind":"DockerImage","name":"registry.example.com/x/y"},
		"importPolicy":{"importMode":"Legacy"},"referencePolicy":{"type":"Source"}}},"status":{}}`, &byRepository)
	decode(`{"kind":"ImageStreamTag","apiVersion":"image.openshift.io/v1","metadata":{"name":"d:v1","namespace":"demo"},
		"tag":{"name":"v1","annotations":null,"from":{"kind":"DockerImage","name":"registry.example.com/x/y:v1"},"generation":0,
		"importPolicy":{"importMode":"Legacy"},"referencePolicy":{"type":"Source"}},
		"generation":0,"lookupPolicy":{"local":false},"image":{"metadata":{},"dockerImageMetadata":null}}`, &byTag)

	decide := func(command string, stored *imagev1.ImageStream, opts importmode.Options) importmode.TagDecision {
		switch command {
		case "oc import-image":
			return importmode.DefaultImageStreamImport(nil, &byImage, stored, preserve, opts)[0].TagDecision
		case "oc import-image --all":
			return importmode.DefaultRepositoryImport(nil, &byRepository, []string{"v1"}, stored, preserve, opts)[0].TagDecision
		default:
			return importmode.DefaultImageStreamTag(&byTag, stored, preserve, opts)
		}
	}
	for _, command := range []string{"oc import-image", "oc import-image --all", "oc tag"} {
		t.Run(command, func(t *testing.T) {
			if d := decide(command, nil, importmode.Options{}); d.Import != legacy || d.Reason != importmode.ReasonGiven {
				t.Errorf("taken literally: %+v, %s", d, d.Reason)
			}
			opts := importmode.Options{IgnoreLegacy: true}
			if d := decide(command, nil, opts); d.Import != preserve || d.Reason != importmode.ReasonClusterMode {
				t.Errorf("new tag: %+v, %s", d, d.Reason)
			}
			if d := decide(command, stream(tag("v1", preserve)), opts); d.Import != preserve || d.Changed {
				t.Errorf("tag that preserves: %+v", d)
			}
			if d := decide(command, stream(tag("v1", legacy)), opts); d.Import != legacy || d.Changed {
				t.Errorf("Legacy tag: %+v", d)
			}
			d := decide(command, nil, opts)
			if f := d.Findings(nil); len(f) != 1 || f[0].Code != importmode.FindingLegacyIgnored {
				t.Errorf("findings %+v", f)
			}
		})
	}
}

// The cluster version operator turned an existing PreserveOriginal into Legacy on
// every sync, and gave an appended tag its mode only on the second.
func TestManagedStreamsConverge(t *testing.T) {
	manifest := stream(tag("cli", ""), tag("tools", ""))
	existing := stream(tag("cli", preserve))
	for sync := 1; sync <= 3; sync++ {
		changed := false
		for _, d := range importmode.DefaultManagedImageStream(nil, manifest, existing) {
			if d.Store != preserve {
				t.Errorf("sync %d sets %s to %q", sync, d.Name, d.Store)
			}
			changed = changed || d.New || d.Changed
		}
		if changed != (sync == 1) {
			t.Errorf("sync %d changes something: %t", sync, changed)
		}
		existing = stream(tag("cli", preserve), tag("tools", preserve))
	}
}

func TestHostedClusterPreservesOriginals(t *testing.T) { // OCPBUGS-74567
	for arch, want := range map[string]imagev1.ImportModeType{"Multi": preserve, "AMD64": legacy} {
		d := importmode.Decide(importmode.Input{Payload: payloadarch.FromHostedCluster(arch)})
		mode, err := importmode.Convert[openshiftcontrolplanev1.ImportModeType](d.Mode)
		if err != nil {
			t.Fatal(err)
		}
		got, err := importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: mode})
		if got != want || err != nil {
			t.Errorf("payloadArch %s configures %q, %v; want %q", arch, got, err, want)
		}
	}
}

// OCPBUGS-16514: one image asked for in two modes is two imports.
func TestOneImageInTwoModes(t *testing.T) {
	const from = "registry.example.com/x/y@sha256:0123"
	got := importmode.DefaultImageStreamImport(nil, importOf(image(from, "a", legacy), image(from, "b", preserve), image(from, "c", "")), nil, preserve, importmode.Options{})
	var modes []imagev1.ImportModeType
	for _, d := range got {
		modes = append(modes, d.Import)
	}
	if diff := cmp.Diff([]imagev1.ImportModeType{legacy, preserve, preserve}, modes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// OCPBUGS-66215: where the CRD prunes the field, the rest of the chain reads an
// empty status for ever, which must be nobody's error.
func TestFieldPrunedByAnOlderSchema(t *testing.T) {
	o, err := importmode.Observe(imageConfig(""), nil, nil)
	if err != nil || o.Changed {
		t.Errorf("Observe: %+v, %v", o, err)
	}
	if m, err := importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{}); m != legacy || err != nil {
		t.Errorf("Configure: %q, %v", m, err)
	}
}

// api#2070: an empty value that is written out changes the hash of what it is
// written to.
func TestEmptyModeIsLeftOut(t *testing.T) {
	o, err := importmode.Observe(imageConfig(""), nil, observed("Legacy"))
	text, _ := json.Marshal(o.Config)
	if err != nil || string(text) != "{}" {
		t.Errorf("observed %s, %v", text, err)
	}
}
