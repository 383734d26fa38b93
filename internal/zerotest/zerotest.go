// Package zerotest holds the exported types of a package to what their users may
// rely on: no method of a zero value panics, and every value can be compared with
// cmp.Diff, which an unexported field would make impossible.
package zerotest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Check calls every method of each value and of a pointer to it, with zero
// arguments, and compares each value with itself. Methods that come with an
// embedded struct of another module are that module's business. The test runs in
// the directory of its package, where every exported type must have a value in
// the list; a type may be there twice, zero and filled.
func Check(t *testing.T, values ...any) {
	t.Helper()
	listed := map[string]bool{}
	for _, v := range values {
		typ := reflect.TypeOf(v)
		listed[typ.Name()] = true
		for _, problem := range check(v) {
			t.Errorf("%s: %s", typ, problem)
		}
	}
	exported, err := exportedTypes(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range exported {
		if !listed[name] {
			t.Errorf("the exported type %s is not in the list", name)
		}
	}
}

// check returns what is wrong with one value.
func check(v any) (problems []string) {
	p := reflect.New(reflect.TypeOf(v))
	p.Elem().Set(reflect.ValueOf(v))
	for i := range p.NumMethod() {
		name, method := p.Type().Method(i).Name, p.Method(i)
		if ofOthers(reflect.TypeOf(v), name) {
			continue
		}
		if err := call(method); err != nil {
			problems = append(problems, fmt.Sprintf("%s panics: %v", name, err))
		}
	}
	if err := protect(func() { _ = cmp.Diff(v, v) }); err != nil {
		problems = append(problems, fmt.Sprintf("cmp.Diff panics: %v", err))
	}
	return problems
}

// ofOthers reports whether the method comes with an embedded struct of another
// module.
func ofOthers(typ reflect.Type, method string) bool {
	if typ.Kind() != reflect.Struct {
		return false
	}
	for i := range typ.NumField() {
		f := typ.Field(i)
		if !f.Anonymous || f.Type.Kind() != reflect.Struct || strings.HasPrefix(f.Type.PkgPath(), module+"/") {
			continue
		}
		if _, ok := reflect.PointerTo(f.Type).MethodByName(method); ok {
			return true
		}
	}
	return false
}

const module = "github.com/polyarch/polyarch"

func call(method reflect.Value) error {
	typ := method.Type()
	args := make([]reflect.Value, 0, typ.NumIn())
	for i := range typ.NumIn() {
		if typ.IsVariadic() && i == typ.NumIn()-1 {
			break
		}
		args = append(args, reflect.Zero(typ.In(i)))
	}
	return protect(func() { method.Call(args) })
}

func protect(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	f()
	return nil
}

// exportedTypes returns the names of the exported types that the files of dir
// declare, but for interfaces, which have no zero value with methods.
func exportedTypes(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), dir+"/"+e.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				spec, ok := s.(*ast.TypeSpec)
				if !ok || !spec.Name.IsExported() {
					continue
				}
				if _, isInterface := spec.Type.(*ast.InterfaceType); !isInterface {
					names = append(names, spec.Name.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return names, nil
}
