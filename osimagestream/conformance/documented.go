package conformance

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A rule of a doc.go: a line of a table or a list that begins with its number. What
// it says goes on in the indented lines below it.
var (
	documentedRule = regexp.MustCompile(`^//\s+([A-Z]?[0-9]+)(?:\.|  )\s*(\S.*)$`)
	indentedLine   = regexp.MustCompile(`^//(?:\t|  )\s*(\S.*)$`)
)

// DocumentedRules returns what a doc.go says under each number, with white space
// folded: what a Rule has as its Sentence.
func DocumentedRules(doc string) map[string]string {
	rules := map[string]string{}
	current := ""
	for line := range strings.SplitSeq(doc, "\n") {
		if m := documentedRule.FindStringSubmatch(line); m != nil {
			current = m[1]
			rules[current] = fold(m[2])
			continue
		}
		m := indentedLine.FindStringSubmatch(line)
		if m == nil || current == "" {
			current = ""
			continue
		}
		rules[current] += " " + fold(m[1])
	}
	return rules
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// CheckDocumented returns where the rules of a suite and a doc.go do not say the
// same: each number has to be in both, with the same sentence. Several rules may
// have one number, since ids are not given again when doc.go joins two. The numbers in
// notForOthers are in the doc.go alone: they are about what only its package has.
func CheckDocumented(rules []Rule, doc string, notForOthers ...string) (problems []string) {
	documented := DocumentedRules(doc)
	seen := map[string]bool{}
	for _, r := range rules {
		seen[r.Number] = true
		switch sentence, ok := documented[r.Number]; {
		case slices.Contains(notForOthers, r.Number):
			problems = append(problems, fmt.Sprintf("rule %s is number %s, which is not for others", r.ID, r.Number))
		case !ok:
			problems = append(problems, fmt.Sprintf("rule %s is number %s, which doc.go does not have", r.ID, r.Number))
		case sentence != r.Sentence:
			problems = append(problems, fmt.Sprintf("rule %s says %q, doc.go says under %s %q", r.ID, r.Sentence, r.Number, sentence))
		}
	}
	for _, number := range notForOthers {
		seen[number] = true
		if _, ok := documented[number]; !ok {
			problems = append(problems, fmt.Sprintf("%s is not for others, and doc.go does not have it", number))
		}
	}
	for _, number := range slices.Sorted(maps.Keys(documented)) {
		if !seen[number] {
			problems = append(problems, fmt.Sprintf("doc.go has a rule %s that the suite does not have: %q", number, documented[number]))
		}
	}
	return problems
}
