package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A mutant is one way to break a package.
type mutant struct {
	number int
	file   string
	line   int
	// What names it, since lines move: the function, the kind of the change and the
	// source that it changes.
	function, kind, source string
	// nth counts, from 1, those of the function that agree in the three.
	nth int
}

func (m mutant) String() string {
	kind := m.kind
	if m.nth > 1 {
		kind += fmt.Sprint(" #", m.nth)
	}
	return fmt.Sprintf("%s:%d: %s: %s: %s", m.file, m.line, m.function, kind, m.source)
}

// An edit replaces the bytes from begin to end.
type edit struct {
	begin, end int
	text       string
	// depth orders what is inserted at one place: openings from the outside in,
	// closings from the inside out.
	depth   int
	closing bool
}

// rewriter puts the mutants of one file to sleep in it.
type rewriter struct {
	fset     *token.FileSet
	file     string
	src      []byte
	edits    []edit
	depth    int
	function string
	next     int
	mutants  []mutant
}

const same = "func(s string) string { return s }"

// others are functions that are easily taken for each other, or left out.
var others = map[string]string{
	"strings.LastIndexByte": "strings.IndexByte", "strings.IndexByte": "strings.LastIndexByte",
	"strings.LastIndex": "strings.Index", "strings.Index": "strings.LastIndex",
	"strings.HasPrefix": "strings.HasSuffix", "strings.HasSuffix": "strings.HasPrefix",
	"strings.EqualFold":   "func(a, b string) bool { return a == b }",
	"strings.TrimPrefix":  "strings.TrimSuffix",
	"strings.TrimSuffix":  "strings.TrimPrefix",
	"strings.ToLower":     same,
	"strings.TrimSpace":   same,
	"bytes.HasPrefix":     "bytes.HasSuffix",
	"bytes.LastIndexByte": "bytes.IndexByte", "bytes.IndexByte": "bytes.LastIndexByte",
}

// rewrite returns src with its mutants asleep; their numbers begin after last.
func rewrite(file string, src []byte, last int) ([]byte, []mutant, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	r := &rewriter{fset: fset, file: file, src: src, next: last}
	for _, d := range f.Decls {
		if vars, ok := d.(*ast.GenDecl); ok && vars.Tok == token.VAR {
			r.variables(vars)
		}
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			r.function = fn.Name.Name
			if fn.Recv != nil && len(fn.Recv.List) == 1 {
				r.function = strings.TrimLeft(r.text(fn.Recv.List[0].Type), "*") + "." + fn.Name.Name
			}
			r.block(fn.Body.List)
		}
	}
	return r.apply(), r.mutants, nil
}

// variables breaks the functions in the values of package variables: tables are made by
// rules too.
func (r *rewriter) variables(vars *ast.GenDecl) {
	for _, s := range vars.Specs {
		s := s.(*ast.ValueSpec)
		r.function = s.Names[0].Name
		for _, v := range s.Values {
			ast.Inspect(v, func(n ast.Node) bool {
				f, ok := n.(*ast.FuncLit)
				if ok {
					r.block(f.Body.List)
				}
				return !ok
			})
		}
	}
}

func (r *rewriter) at(p token.Pos) int { return r.fset.Position(p).Offset }

func (r *rewriter) text(n ast.Node) string {
	return strings.Join(strings.Fields(string(r.src[r.at(n.Pos()):r.at(n.End())])), " ")
}

// mutant notes a change of n and returns its number.
func (r *rewriter) mutant(n ast.Node, kind string) int {
	r.next++
	m := mutant{number: r.next, file: r.file, line: r.fset.Position(n.Pos()).Line,
		function: r.function, kind: kind, source: r.text(n), nth: 1}
	for _, o := range r.mutants {
		if o.function == m.function && o.kind == m.kind && o.source == m.source {
			m.nth++
		}
	}
	r.mutants = append(r.mutants, m)
	return r.next
}

// wrap puts opening before n and closing behind it.
func (r *rewriter) wrap(n ast.Node, opening, closing string) {
	r.depth++
	r.edits = append(r.edits,
		edit{begin: r.at(n.Pos()), end: r.at(n.Pos()), text: opening, depth: r.depth},
		edit{begin: r.at(n.End()), end: r.at(n.End()), text: closing, depth: r.depth, closing: true})
}

func (r *rewriter) call(n ast.Node, function, kind string) {
	r.wrap(n, fmt.Sprintf("%s(%d, ", function, r.mutant(n, kind)), ")")
}

// apply carries the edits out. At one place, what closes comes before what opens;
// wraps were noted from the outside in.
func (r *rewriter) apply() []byte {
	slices.SortStableFunc(r.edits, func(a, b edit) int {
		switch {
		case a.begin != b.begin:
			return a.begin - b.begin
		case a.closing != b.closing && a.closing:
			return -1
		case a.closing != b.closing:
			return 1
		case a.closing:
			return b.depth - a.depth
		}
		return a.depth - b.depth
	})
	var out bytes.Buffer
	at := 0
	for _, e := range r.edits {
		out.Write(r.src[at:e.begin])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(r.src[at:])
	return out.Bytes()
}
