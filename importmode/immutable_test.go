package importmode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/importmode"
)

func TestStreamsAreNotChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request, stored := drawStream(t, "request", false), drawStream(t, "stored", false)
		requestWas, storedWas := request.DeepCopy(), stored.DeepCopy()
		opts := importmode.Options{IgnoreLegacy: rapid.Bool().Draw(t, "ignore")}

		imports := importOf()
		imports.Spec.Repository = &imagev1.RepositoryImportSpec{}
		names := []string{}
		for i := range request.Spec.Tags {
			name := request.Spec.Tags[i].Name
			names = append(names, name)
			imports.Spec.Images = append(imports.Spec.Images, image("h/x/y:"+name, "", request.Spec.Tags[i].ImportPolicy.ImportMode))
			one := &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Name: "s:" + name}, Tag: &request.Spec.Tags[i]}
			importmode.DefaultImageStreamTag(one, stored, preserve, opts)
			importmode.ValidateImageStreamTagUpdate(one, one, nil)
		}
		importsWas, namesWas := imports.DeepCopy(), append([]string{}, names...)

		decisions := importmode.DefaultImageStream(nil, request, stored, preserve, opts)
		importmode.DefaultManagedImageStream(nil, request, stored)
		importmode.DefaultImageStreamImport(nil, imports, stored, preserve, opts)
		importmode.DefaultRepositoryImport(nil, imports, names, stored, preserve, opts)
		importmode.ValidateImageStreamUpdate(request, stored, nil)
		importmode.ValidateImageStreamImport(imports, nil)
		decisionsWere := append([]importmode.DecidedTag(nil), decisions...)
		for i := range decisions {
			decisions[i].Findings(nil)
		}

		for what, diff := range map[string]string{
			"request": cmp.Diff(requestWas, request),
			"stored":  cmp.Diff(storedWas, stored),
			"import":  cmp.Diff(importsWas, imports),
			"names":   cmp.Diff(namesWas, names),
		} {
			if diff != "" {
				t.Fatalf("%s is changed:\n%s", what, diff)
			}
		}
		for i := range decisions {
			if decisions[i] != decisionsWere[i] {
				t.Fatalf("decision %d is changed", i)
			}
		}
	})
}

func TestConditionsAreNeitherChangedNorShared(t *testing.T) {
	for name, spec := range map[string]configv1.ImportModeType{"joined": configLegacy, "left alone": ""} {
		t.Run(name, func(t *testing.T) {
			// Room behind the last element, where an append would write.
			cluster := make([]configv1.ClusterOperatorStatusCondition, 1, 4)
			cluster[0] = configv1.ClusterOperatorStatusCondition{Type: configv1.OperatorAvailable, Status: configv1.ConditionTrue}
			operator := make([]operatorv1.OperatorCondition, 1, 4)
			operator[0] = operatorv1.OperatorCondition{Type: "Available", Status: operatorv1.ConditionTrue}
			gotCluster, _ := importmode.ClusterOperatorConditions(cluster, detected, importmode.Evaluate(spec), now)
			gotOperator, _ := importmode.OperatorConditions(operator, string(detected), importmode.Evaluate(spec), now)
			if cluster[:2][1].Type != "" || operator[:2][1].Type != "" {
				t.Error("written behind the end of the argument")
			}
			gotCluster[0].Message, gotOperator[0].Message = "changed by the caller", "changed by the caller"
			if cluster[0].Message != "" || operator[0].Message != "" {
				t.Error("the result shares memory with the argument")
			}
		})
	}
	t.Run("unchanged", func(t *testing.T) {
		existing := []operatorv1.OperatorCondition{{Type: "EvaluationConditionsDetected", Status: operatorv1.ConditionFalse, Reason: "AsExpected"}}
		got, changed := importmode.OperatorConditions(existing, string(detected), importmode.Evaluate(""), now)
		got[0].Message = "changed by the caller"
		if changed || existing[0].Message != "" {
			t.Error("the result shares memory with the argument")
		}
	})
}

func TestObservedConfigIsNotShared(t *testing.T) {
	existing := observed("Legacy")
	image := imageConfig(configLegacy)
	for range 2 {
		o, err := importmode.Observe(image, nil, existing)
		if err != nil {
			t.Fatal(err)
		}
		o.Config["imagePolicyConfig"].(map[string]any)["imageStreamImportMode"] = "changed by the caller"
		o.Config["more"] = true
		if diff := cmp.Diff(observed("Legacy"), existing); diff != "" {
			t.Fatalf("existing is changed:\n%s", diff)
		}
	}
	o, err := importmode.Observe(imageConfig("Whole"), nil, existing)
	o.Config["imagePolicyConfig"].(map[string]any)["imageStreamImportMode"] = "changed by the caller"
	if diff := cmp.Diff(observed("Legacy"), existing); diff != "" || err == nil {
		t.Errorf("the previous value that is kept shares memory with the argument:\n%s", diff)
	}
}

func TestErrorsAreNotShared(t *testing.T) {
	for range 2 {
		_, err := importmode.Convert[imagev1.ImportModeType]("Whole")
		unknown := err.(*importmode.UnknownModeError)
		if unknown.Allowed[0] != "" || unknown.Allowed[1] != "Legacy" {
			t.Fatalf("allowed %q", unknown.Allowed)
		}
		unknown.Allowed[1] = "changed by the caller"
		d := importmode.Decide(importmode.Input{Spec: "Whole", Payload: multi})
		d.Problems[0].Detail = ""
	}
	if importmode.Decide(importmode.Input{Spec: "Whole"}).Problems[0].Detail == "" {
		t.Error("problems are shared between decisions")
	}
}
