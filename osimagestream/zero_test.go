package osimagestream

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Every exported type is here, zero, and the results filled as well.
func TestZeroValues(t *testing.T) {
	filled := Choice{
		Stream: "a", Reason: ReasonSpec, Requested: "a", Field: "spec",
		Problems: field.ErrorList{noStreams()}, Findings: []Finding{{FindingNoStream, "path", "detail"}},
	}
	listed := map[string]bool{}
	for _, v := range []any{
		Choice{}, filled, DegradedReason(""),
		Cluster{}, Cluster{Discovery: complete(sets("a")...), Stored: stored("a", "a", set("a"))},
		Discovery{}, Discovery{true, sets("a"), filled.Problems, filled.Findings},
		Finding{}, filled.Findings[0],
		FindingCode(""), Flavor(0),
		ImageReferencesCode(""), ImageReferencesError{},
		ImageReferencesError{Code: ImageReferencesMalformed}, ImageReferencesError{Code: ImageReferencesTooLarge},
		ImageReferencesError{Code: ImageReferencesWrongKind},
		ManageReason(""), Management{}, Management{true, ReasonGateEnabled, "field", filled.Findings},
		Pair{}, Platform{}, Pool{}, Pool{Pool: pool("a", "b")}, PoolReason(""), Reason(""), Release{},
		Resolution{}, Resolution{"a", set("a"), "image", "a", ReasonOwn, "field", ReasonURLConflict, filled.Problems, filled.Findings},
		Role(0), Role(9),
		Selection{}, Selection{set("a"), ReasonSole, "field", filled.Problems, filled.Findings},
		Singleton{}, Singleton{filled, []Step{{VerbCreate, ReasonCreate, New("a")}}},
		Sources{}, Sources{&Pair{}, &corev1.ConfigMap{}, &imagev1.ImageStream{}, map[string]map[string]string{"a": {}}, "a"},
		Step{}, Step{VerbUpdate, ReasonFollow, New("a")}, Step{Object: &mcfgv1.OSImageStream{}},
		StepReason(""), Verb(""),
	} {
		listed[reflect.TypeOf(v).Name()] = true
		for _, problem := range checkZero(v) {
			t.Errorf("%T: %s", v, problem)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range exportedTypes(t, files) {
		if !listed[name] {
			t.Errorf("the exported type %s is not in the list", name)
		}
	}
}

// checkZero calls every method of a pointer to v with zero arguments, compares v
// with itself, and returns what panics.
func checkZero(v any) (problems []string) {
	try := func(what string, f func()) {
		defer func() {
			if r := recover(); r != nil {
				problems = append(problems, fmt.Sprintf("%s panics: %v", what, r))
			}
		}()
		f()
	}
	p := reflect.New(reflect.TypeOf(v))
	p.Elem().Set(reflect.ValueOf(v))
	for i := range p.NumMethod() {
		method := p.Method(i)
		var args []reflect.Value
		for j := range method.Type().NumIn() {
			args = append(args, reflect.Zero(method.Type().In(j)))
		}
		try(p.Type().Method(i).Name, func() { method.Call(args) })
	}
	try("cmp.Diff", func() { _ = cmp.Diff(v, v) })
	return problems
}

// exportedTypes returns the names of the exported types that the files declare.
func exportedTypes(t *testing.T, files []string) (names []string) {
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() {
				names = append(names, spec.Name.Name)
			}
			return true
		})
	}
	return names
}

type panics struct{ Err error }

func (p *panics) Error() string { return p.Err.Error() }

type hides struct{ n int }

// A checker that finds nothing would prove nothing.
func TestZeroCheckFinds(t *testing.T) {
	for _, v := range []any{panics{}, hides{1}} {
		if got := checkZero(v); len(got) != 1 {
			t.Errorf("%T: %v", v, got)
		}
	}
	if got := checkZero(Release{}); len(got) != 0 {
		t.Errorf("nothing to find: %v", got)
	}
	if got := exportedTypes(t, []string{"step.go"}); !cmp.Equal(got, []string{"Verb", "Step"}) {
		t.Errorf("types of step.go: %v", got)
	}
}

// What the zero values and the odd ones say.
func TestTexts(t *testing.T) {
	cause := errors.New("cause")
	for want, got := range map[string]string{
		"image-references cannot be read":                                      (&ImageReferencesError{}).Error(),
		"image-references is malformed":                                        (&ImageReferencesError{Code: ImageReferencesMalformed}).Error(),
		"image-references is malformed: cause":                                 (&ImageReferencesError{Code: ImageReferencesMalformed, Err: cause}).Error(),
		"image-references has 9 bytes, must have at most 4194304":              (&ImageReferencesError{Code: ImageReferencesTooLarge, Value: "9"}).Error(),
		`image-references has kind "x", must be "ImageStream"`:                 (&ImageReferencesError{Code: ImageReferencesWrongKind, Field: "kind", Value: "x"}).Error(),
		`image-references has apiVersion "x", must be "image.openshift.io/v1"`: (&ImageReferencesError{Code: ImageReferencesWrongKind, Field: "apiVersion", Value: "x"}).Error(),
		"a: b":                 Finding{FindingNoStream, "a", "b"}.String(),
		"b":                    Finding{Detail: "b"}.String(),
		"":                     Finding{}.String(),
		"image without a role": Role(9).String(),
		"OS image":             RoleOS.String(),
		"extensions image":     RoleExtensions.String(),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
