package importmode_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/importmode"
)

// Any text is a mode in all three types, or in none.
func FuzzConvert(f *testing.F) {
	f.Add("")                 // empty stays empty
	f.Add("Legacy")           // the two modes
	f.Add("PreserveOriginal") //
	f.Add("legacy")           // another case
	f.Add(" Legacy ")         // blanks
	f.Add("Legacy\x00")       // more than a mode
	f.Add("\xff\xfe")         // no UTF-8
	f.Fuzz(func(t *testing.T, text string) {
		isMode := text == "" || text == "Legacy" || text == "PreserveOriginal"
		got, err := via(text)
		var unknown *importmode.UnknownModeError
		switch {
		case isMode && (err != nil || got != text):
			t.Errorf("%q becomes %q, %v", text, got, err)
		case !isMode && (got != "" || !errors.As(err, &unknown) || unknown.Value != text):
			t.Errorf("%q becomes %q, %v", text, got, err)
		}
		configured, err := importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: openshiftcontrolplanev1.ImportModeType(text)})
		if (err == nil) != isMode || err == nil && configured != importmode.EffectiveMode(imagev1.ImportModeType(text)) {
			t.Errorf("%q configures %q, %v", text, configured, err)
		}
	})
}

// Whatever JSON object is observed before and whatever the status holds, the
// answer has only its own path in it, and the input is as it was.
func FuzzObserve(f *testing.F) {
	f.Add([]byte(`{}`), "")                                                                                                    // nothing observed, nothing in the status
	f.Add([]byte(`{"imagePolicyConfig":{"imageStreamImportMode":"Legacy"}}`), "PreserveOriginal")                              // a change
	f.Add([]byte(`{"imagePolicyConfig":{"imageStreamImportMode":"Legacy","internalRegistryHostname":"r"},"x":[1]}`), "Legacy") // other fields
	f.Add([]byte(`{"imagePolicyConfig":{"imageStreamImportMode":null}}`), "Legacy")                                            // null is missing
	f.Add([]byte(`{"imagePolicyConfig":null}`), "")                                                                            // null above it
	f.Add([]byte(`{"imagePolicyConfig":[]}`), "Legacy")                                                                        // another type above
	f.Add([]byte(`{"imagePolicyConfig":{"imageStreamImportMode":{"a":[1.5]}}}`), "What")                                       // another type at the field
	f.Add([]byte(`{"imagePolicyConfig":{"imageStreamImportMode":"Whole"}}`), "Whole")                                          // unknown on both sides
	f.Add([]byte(`{"ImagePolicyConfig":{"imageStreamImportMode":"Legacy"}}`), "Legacy")                                        // keys have one spelling
	f.Fuzz(func(t *testing.T, existing []byte, status string) {
		var config map[string]any
		if json.Unmarshal(existing, &config) != nil {
			t.Skip("not an object")
		}
		text, _ := json.Marshal(config)
		o, err := importmode.Observe(imageConfig(configv1.ImportModeType(status)), nil, config)
		if after, _ := json.Marshal(config); !bytes.Equal(text, after) {
			t.Fatalf("existing was %s and is %s", text, after)
		}
		var wrong *importmode.ConfigTypeError
		if errors.As(err, &wrong) {
			if o.Config != nil || o.Changed || o.Event != nil || o.Reason != "" {
				t.Fatalf("%+v beside %v", o, err)
			}
			return
		}
		var unknown *importmode.UnknownModeError
		isMode := status == "" || status == "Legacy" || status == "PreserveOriginal"
		if isMode != (err == nil) || err != nil && !errors.As(err, &unknown) {
			t.Fatalf("status %q: %v", status, err)
		}
		if o.Config == nil || o.Changed != (o.Event != nil) || err != nil && o.Changed {
			t.Fatalf("%+v, %v", o, err)
		}
		want := map[string]any{}
		mode := status
		if err != nil {
			mode = ""
			if policy, ok := config["imagePolicyConfig"].(map[string]any); ok {
				mode, _ = policy["imageStreamImportMode"].(string)
			}
		}
		if mode != "" {
			want = observed(mode)
		}
		if diff := cmp.Diff(want, o.Config); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// Any names and modes at all: no panic, one decision per tag, and the inputs as
// they were.
func FuzzDefaultImageStream(f *testing.F) {
	f.Add([]byte{})                             // empty streams
	f.Add([]byte("Legacy PreserveOriginal v1")) // some entropy for rapid
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		one := rapid.Custom(func(t *rapid.T) imagev1.TagReference {
			return tag(rapid.StringN(0, 2, -1).Draw(t, "name"), imagev1.ImportModeType(rapid.SampledFrom([]string{"", "Legacy", "PreserveOriginal", "Whole"}).Draw(t, "mode")))
		})
		request := stream(rapid.SliceOfN(one, 0, 20).Draw(t, "request")...)
		stored := stream(rapid.SliceOfN(one, 0, 20).Draw(t, "stored")...)
		requestWas, storedWas := request.DeepCopy(), stored.DeepCopy()
		opts := importmode.Options{IgnoreLegacy: rapid.Bool().Draw(t, "ignore")}
		cluster := imagev1.ImportModeType(rapid.String().Draw(t, "cluster"))
		decisions := importmode.DefaultImageStream(nil, request, stored, cluster, opts)
		managed := importmode.DefaultManagedImageStream(nil, request, stored)
		if len(decisions) != len(request.Spec.Tags) || len(managed) != len(request.Spec.Tags) {
			t.Fatalf("%d and %d decisions for %d tags", len(decisions), len(managed), len(request.Spec.Tags))
		}
		for i := range decisions {
			decisions[i].Findings(nil)
			managed[i].Findings(nil)
		}
		importmode.ValidateImageStreamUpdate(request, stored, nil)
		if !cmp.Equal(requestWas, request) || !cmp.Equal(storedWas, stored) {
			t.Fatal("an argument is changed")
		}
	}))
}

// The tag that an image is imported to, out of any reference: no panic, and never
// a piece with a separator in it.
func FuzzImportTarget(f *testing.F) {
	f.Add("quay.example.com:5000/x/y:v1@sha256:0123", "v1") // the whole form
	f.Add("x", "")                                          // a bare name
	f.Add(":::@@@///", "")                                  // separators only
	f.Add("h:5000/x", "5000/x")                             // a port is no tag
	f.Fuzz(func(t *testing.T, from, name string) {
		got := importmode.DefaultImageStreamImport(nil, importOf(image(from, "", "")), stream(tag(name, legacy)), preserve, importmode.Options{})
		if found := !got[0].New; found && (name == "" || !bytes.Contains([]byte(from), []byte(":"+name)) || bytes.ContainsAny([]byte(name), "/@")) {
			t.Errorf("%q is taken to go to the tag %q", from, name)
		}
	})
}
