package conformance_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/conformance"
)

const doc = `// Package p decides.
//
// # A table
//
//	#  facts     answer
//	1  a fact    an   answer
//	   that goes on
//	2  another   b
//
// Prose with 3  blanks is no rule.
//
// # A list
//
//	A4  x
//  5. a sentence
//     over two lines
package p
`

func TestDocumentedRules(t *testing.T) {
	want := map[string]string{"1": "a fact an answer that goes on", "2": "another b", "A4": "x", "5": "a sentence over two lines"}
	if got := conformance.DocumentedRules(doc); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestCheckDocumented(t *testing.T) {
	good := []conformance.Rule{
		{ID: "a", Number: "1", Sentence: "a fact an answer that goes on"}, {ID: "b", Number: "2", Sentence: "another b"},
		{ID: "c", Number: "A4", Sentence: "x"}, {ID: "d", Number: "5", Sentence: "a sentence over two lines"},
		{ID: "e", Number: "5", Sentence: "a sentence over two lines"},
	}
	for _, tc := range []struct {
		name  string
		rules []conformance.Rule
		// mine are not for others.
		mine []string
		want []string
	}{
		{"the same", good, nil, nil},
		{"another sentence", append([]conformance.Rule{{ID: "f", Number: "2", Sentence: "b"}}, good...), nil, []string{`"another b"`}},
		{"a number that is not there", append([]conformance.Rule{{ID: "f", Number: "9"}}, good...), nil, []string{"number 9"}},
		{"a rule that is missing", good[1:], nil, []string{"a rule 1 that the suite"}},
		{"a rule that is not for others", good[1:], []string{"1"}, nil},
		{"one that is for others, too", good, []string{"1"}, []string{"rule a is number 1, which is not for others"}},
		{"one that is not there", good, []string{"8"}, []string{"8 is not for others, and doc.go"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := conformance.CheckDocumented(tc.rules, doc, tc.mine...)
			if len(got) != len(tc.want) || len(got) == 1 && !strings.Contains(got[0], tc.want[0]) {
				t.Errorf("problems %q, want %q", got, tc.want)
			}
		})
	}
}
