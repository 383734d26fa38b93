package polyarch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pure lists the directories whose non-test files are held to purity.
var pure = []string{
	"internal/arch", "internal/quote", "payloadarch", "payloadarch/nodearch", "importmode", "dictexpand",
	"manifestlist", "manifestlist/buildplan", "osimagestream",
}

// impure lists what pure code must not import: everything that knows of time,
// the process, the machine, a peer or another goroutine.
var impure = []string{
	"context", "os", "log", "net", "runtime", "syscall", "sync", "flag",
	"math/rand", "crypto/rand", "io/fs", "io/ioutil", "path/filepath", "unsafe", "testing",
	"k8s.io/klog", "k8s.io/utils/clock", "k8s.io/apimachinery/pkg/util/wait",
	"k8s.io/apimachinery/pkg/util/rand", "k8s.io/apimachinery/pkg/util/uuid",
}

// clocks lists what package time holds that asks for the time or waits for it. Its
// types and units are pure.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Local", "LoadLocation"}

func TestPurity(t *testing.T) {
	for _, dir := range pure {
		fset := token.NewFileSet()
		var files []*ast.File
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			f, err := parser.ParseFile(fset, filepath.Join(dir, e.Name()), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		if len(files) == 0 {
			t.Errorf("%s holds no Go file", dir)
		}
		for _, v := range impurities(fset, files) {
			t.Error(v)
		}
	}
}

// impurities returns what breaks purity in the files of one package.
func impurities(fset *token.FileSet, files []*ast.File) []string {
	var found []string
	report := func(n ast.Node, format string, args ...any) {
		found = append(found, fmt.Sprintf("%s: %s", fset.Position(n.Pos()), fmt.Sprintf(format, args...)))
	}

	vars := map[string]bool{}
	specs := map[any]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				specs[s] = true
				for _, name := range s.(*ast.ValueSpec).Names {
					vars[name.Name] = true
				}
			}
		}
	}
	isPackageVar := func(e ast.Expr) (string, bool) {
		for {
			switch x := e.(type) {
			case *ast.ParenExpr:
				e = x.X
			case *ast.SelectorExpr:
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			case *ast.StarExpr:
				e = x.X
			case *ast.Ident:
				// An identifier of another file of the package is unresolved.
				return x.Name, x.Name != "_" && vars[x.Name] && (x.Obj == nil || specs[x.Obj.Decl])
			default:
				return "", false
			}
		}
	}

	for _, f := range files {
		clock := "" // the name of package time in the file
		for _, imp := range f.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			if path == "time" {
				if clock = "time"; imp.Name != nil {
					clock = imp.Name.Name
				}
			}
			if under(path, impure) {
				report(imp, "imports %s: pure code takes such facts as arguments", path)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" {
					report(n, "has an init function")
				}
			case *ast.GoStmt:
				report(n, "starts a goroutine")
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && clock != "" && x.Name == clock && x.Obj == nil && slices.Contains(clocks, n.Sel.Name) {
					report(n, "uses time.%s: pure code takes the time as an argument", n.Sel.Name)
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok {
					if id.Name == "panic" && id.Obj == nil {
						report(n, "panics: bad input gets an error")
					}
					if (id.Name == "clear" || id.Name == "delete" || id.Name == "copy") && id.Obj == nil && len(n.Args) > 0 {
						if name, ok := isPackageVar(n.Args[0]); ok {
							report(n, "writes the package variable %s", name)
						}
					}
				}
			case *ast.AssignStmt:
				for _, lhs := range n.Lhs {
					if name, ok := isPackageVar(lhs); ok && n.Tok != token.DEFINE {
						report(n, "writes the package variable %s", name)
					}
				}
			case *ast.IncDecStmt:
				if name, ok := isPackageVar(n.X); ok {
					report(n, "writes the package variable %s", name)
				}
			case *ast.UnaryExpr:
				if name, ok := isPackageVar(n.X); ok && n.Op == token.AND {
					report(n, "takes the address of the package variable %s", name)
				}
			}
			return true
		})
	}
	return found
}

// A checker that finds nothing proves nothing, so it is shown what it must find.
func TestPurityCheckerFinds(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      int
	}{
		{"clean", `import "strings"; var table = map[string]int{"a": 1}; func F(s string) int { return table[strings.TrimSpace(s)] }`, 0},
		{"compile-time assertion", `type T struct{}; var _ interface{} = T{}`, 0},
		{"local of the same name", `var n int; func F() int { n := 1; n++; return n }`, 0},
		{"clock", `import "time"; func F() time.Time { return time.Now() }`, 1},
		{"clock under another name", `import t "time"; var F = t.Since`, 1},
		{"timer", `import "time"; func F() { <-time.After(time.Second) }`, 1},
		{"a unit of time", `import "time"; const D = 2 * time.Second`, 0},
		{"below a denied path", `import "net/http"; var _ = http.MethodGet`, 1},
		{"own architecture", `import "runtime"; const A = runtime.GOARCH`, 1},
		{"logger", `import "k8s.io/klog/v2"; func F() { klog.Info() }`, 1},
		{"init", `func init() {}`, 1},
		{"panic", `func F() { panic("x") }`, 1},
		{"goroutine", `func F() { go F() }`, 1},
		{"assigned", `var n int; func F() { n = 1 }`, 1},
		{"counted", `var n int; func F() { n++ }`, 1},
		{"map written", `var m = map[string]int{}; func F() { m["a"] = 1 }`, 1},
		{"map cleared", `var m = map[string]int{}; func F() { clear(m); delete(m, "a") }`, 2},
		{"field written", `var s struct{ n int }; func F() { s.n = 1 }`, 1},
		{"address taken", `var n int; func F() *int { return &n }`, 1},
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, tc.name, "package p; "+tc.src, 0)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		got := impurities(fset, []*ast.File{f})
		if len(got) != tc.want {
			t.Errorf("%s: %d impurities, want %d: %v", tc.name, len(got), tc.want, got)
		}
	}

	fset := token.NewFileSet()
	a, _ := parser.ParseFile(fset, "a.go", "package p; var n int", 0)
	b, _ := parser.ParseFile(fset, "b.go", "package p; func F() { n = 1 }", 0)
	if got := impurities(fset, []*ast.File{a, b}); len(got) != 1 || !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "b.go") }) {
		t.Errorf("a variable written from another file: %v", got)
	}
}
