package main

import (
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// each calls f with every source file of the packages that decide something, from the
// root of the repository.
func each(t *testing.T, f func(dir, file string, src []byte)) {
	t.Chdir("../..")
	dirs, err := decisions()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		p, err := gobuild.ImportDir(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range p.GoFiles {
			file := filepath.Join(dir, name)
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f(dir, file, src)
		}
	}
}

// Each condition and each part of one is among the mutants, wherever it stands. What
// conditions there are is found without the walk that makes the mutants.
func TestEveryConditionIsBroken(t *testing.T) {
	conditions := 0
	each(t, func(_, file string, src []byte) {
		_, mutants, err := rewrite(file, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		have := map[string]int{}
		for _, m := range mutants {
			have[fmt.Sprintf("%d: %s: %s", m.line, m.kind, m.source)]++
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := func(e ast.Expr, kinds ...string) {
			conditions++
			text := strings.Join(strings.Fields(string(src[fset.Position(e.Pos()).Offset:fset.Position(e.End()).Offset])), " ")
			for _, kind := range kinds {
				key := fmt.Sprintf("%d: %s: %s", fset.Position(e.Pos()).Line, kind, text)
				if have[key]--; have[key] < 0 {
					t.Errorf("%s:%s: is not among the mutants", file, key)
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				want(n.Cond, "negated", "removed", "always")
			case *ast.ForStmt:
				if n.Cond != nil {
					want(n.Cond, "removed")
				}
			case *ast.SwitchStmt:
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						if n.Tag == nil {
							want(e, "negated", "removed", "always")
						} else {
							want(e, "case negated", "case removed")
						}
					}
				}
			case *ast.BinaryExpr:
				if n.Op == token.LAND || n.Op == token.LOR {
					want(n.X, "operand of "+n.Op.String()+" left out")
					want(n.Y, "operand of "+n.Op.String()+" left out")
				}
			}
			return true
		})
	})
	if conditions < 1000 {
		t.Errorf("%d conditions in all, want the more than thousand that there are", conditions)
	}
}

// Each entry of equivalent.txt is about a mutant that exists, and stands there once.
func TestEquivalentIsUpToDate(t *testing.T) {
	all, err := readEquivalent("equivalent.txt")
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(dir, file string, src []byte) {
		_, mutants, err := rewrite(file, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mutants {
			find(all, dir, m)
		}
	})
	for i, e := range all {
		if !e.matched {
			t.Errorf("equivalent.txt:%d: matches no mutant, or one of an entry before it", e.line)
		}
		if e.reason == "" || slices.ContainsFunc(all[:i], func(o *equivalent) bool {
			return o.dir == e.dir && o.function == e.function && o.kind == e.kind && o.source == e.source && (o.nth == e.nth || o.nth == 0 || e.nth == 0)
		}) {
			t.Errorf("equivalent.txt:%d: has no reason, or stands there twice", e.line)
		}
	}
}
