package main

import (
	"fmt"
	"go/ast"
	"go/token"
)

// block leaves out each statement of a list that can be left out, loops too, and
// breaks what the statements hold.
func (r *rewriter) block(list []ast.Stmt) {
	for _, s := range list {
		if removable(s) {
			r.wrap(s, fmt.Sprintf("if !mutantOn(%d) { ", r.mutant(s, "left out")), " }")
		}
		r.statement(s)
	}
}

// removable says whether the function compiles without s: it declares nothing and ends
// nothing that the compiler wants ended.
func removable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.IncDecStmt, *ast.RangeStmt:
		return true
	case *ast.LabeledStmt:
		return removable(s.Stmt)
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE || s.Tok == token.BREAK
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		name, ok := call.Fun.(*ast.Ident)
		return !ok || name.Name != "panic"
	}
	return false
}

// statement goes through what s holds.
func (r *rewriter) statement(s ast.Node) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			r.block(n.List)
			return false
		case *ast.IfStmt:
			if n.Init != nil {
				r.statement(n.Init)
			}
			r.condition(n.Cond)
			r.block(n.Body.List)
			if n.Else != nil {
				r.statement(n.Else)
			}
			return false
		case *ast.ForStmt:
			if n.Init != nil {
				r.statement(n.Init)
			}
			if n.Cond != nil {
				r.call(n.Cond, "mutantFalse", "removed")
				r.expression(n.Cond)
			}
			r.block(n.Body.List)
			return false
		case *ast.SwitchStmt:
			r.cases(n)
			return false
		case *ast.TypeSwitchStmt:
			r.types(n)
			return false
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case ast.Expr:
			r.value(n)
			return false
		}
		return true
	})
}

// cases breaks a switch: a case's condition is negated, removed and always met; a
// case's value is negated and removed, for which the switch is made one over conditions.
func (r *rewriter) cases(s *ast.SwitchStmt) {
	if s.Init != nil {
		r.statement(s.Init)
	}
	var values []ast.Expr
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		for _, e := range c.List {
			if s.Tag == nil {
				r.condition(e)
			} else {
				values = append(values, e)
			}
		}
		r.block(c.Body)
	}
	if len(values) == 0 {
		if s.Tag != nil {
			r.value(s.Tag)
		}
		return
	}
	tag := "mutantTag"
	if s.Init == nil {
		r.wrap(s.Tag, tag+" := ", ";")
		r.value(s.Tag)
	} else {
		// What the switch declares is only a name in all of them.
		tag = r.text(s.Tag)
		r.edits = append(r.edits, edit{begin: r.at(s.Tag.Pos()), end: r.at(s.Tag.End())})
	}
	for _, e := range values {
		r.wrap(e, fmt.Sprintf("mutantNot(%d, mutantFalse(%d, %s == (", r.mutant(e, "case negated"), r.mutant(e, "case removed"), tag), ")))")
	}
}

// types removes the cases of a switch over types: the value is hidden from them.
func (r *rewriter) types(s *ast.TypeSwitchStmt) {
	var x ast.Expr
	ast.Inspect(s.Assign, func(n ast.Node) bool {
		if a, ok := n.(*ast.TypeAssertExpr); ok {
			x = a.X
		}
		return x == nil
	})
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		for _, e := range c.List {
			if r.text(e) != "nil" {
				is := "func(v any) bool { _, is := v.(" + r.text(e) + "); return is }"
				r.wrap(x, fmt.Sprintf("mutantHidden(%d, ", r.mutant(e, "case removed")), ", "+is+")")
			}
		}
		r.block(c.Body)
	}
}

// condition negates and removes what decides, and lets it always hold.
func (r *rewriter) condition(e ast.Expr) {
	r.call(e, "mutantNot", "negated")
	r.call(e, "mutantFalse", "removed")
	r.call(e, "mutantTrue", "always")
	r.expression(e)
}

// value breaks a value: one of a boolean kind is negated.
func (r *rewriter) value(e ast.Expr) {
	if boolean(e) {
		r.call(e, "mutantNot", "negated")
	}
	r.expression(e)
}

// boolean says whether e can be seen to be a boolean.
func boolean(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return boolean(e.X)
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return true
		}
	}
	return false
}

// expression breaks the parts of e.
func (r *rewriter) expression(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		r.expression(e.X)
	case *ast.BinaryExpr:
		r.binary(e)
	case *ast.CallExpr:
		r.called(e)
	case *ast.FuncLit:
		r.block(e.Body.List)
	case *ast.UnaryExpr:
		r.expression(e.X)
	default:
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ParenExpr, *ast.BinaryExpr, *ast.CallExpr, *ast.FuncLit, *ast.UnaryExpr:
				r.value(n.(ast.Expr))
				return false
			case *ast.ArrayType, *ast.MapType, *ast.StructType, *ast.FuncType:
				return false
			}
			return true
		})
	}
}

// binary leaves operands out, and moves the boundary of a comparison.
func (r *rewriter) binary(e *ast.BinaryExpr) {
	switch e.Op {
	case token.LAND:
		r.call(e.X, "mutantTrue", "operand of && left out")
		r.call(e.Y, "mutantTrue", "operand of && left out")
	case token.LOR:
		r.call(e.X, "mutantFalse", "operand of || left out")
		r.call(e.Y, "mutantFalse", "operand of || left out")
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		r.boundary(e)
		return
	}
	r.expression(e.X)
	r.expression(e.Y)
}

// boundary makes < of <= and the other way round; a > b is b < a.
func (r *rewriter) boundary(e *ast.BinaryExpr) {
	n := r.mutant(e, "boundary moved")
	name := map[token.Token]string{token.LSS: "mutantLess", token.GTR: "!mutantLessEqual",
		token.LEQ: "mutantLessEqual", token.GEQ: "!mutantLess"}[e.Op]
	r.wrap(e, fmt.Sprintf("%s(%d, ", name, n), ")")
	r.edits = append(r.edits, edit{begin: r.at(e.OpPos), end: r.at(e.OpPos) + len(e.Op.String()), text: ","})
	r.expression(e.X)
	r.expression(e.Y)
}

// called takes a function for another, makes keys of an order equal, and leaves out
// the others of values of which the first counts.
func (r *rewriter) called(e *ast.CallExpr) {
	name := r.text(e.Fun)
	if other, ok := others[name]; ok {
		r.wrap(e.Fun, fmt.Sprintf("mutantOther(%d, ", r.mutant(e, "taken for "+other)), ", "+other+")")
	} else {
		r.expression(e.Fun)
	}
	for _, a := range e.Args {
		switch _, constant := a.(*ast.BasicLit); {
		case name != "cmp.Or" || constant:
		case compares(a):
			r.call(a, "mutantZero", "key of the order left out")
		default:
			r.call(a, "mutantZero", "operand of cmp.Or left out")
		}
		r.value(a)
	}
}

func compares(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	return ok && f.Sel.Name == "Compare"
}
