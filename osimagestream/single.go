package osimagestream

import (
	"cmp"
	"fmt"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Selection is OKD's one stream. Without one, Stream is zero, and Reason and Problems
// say why. The zero value selects none.
type Selection struct {
	Stream mcfgv1.OSImageStreamSet
	Reason Reason
	// Field is where the stored object asks for the stream, empty for other
	// reasons than ReasonSpec and ReasonStatus.
	Field    string
	Problems field.ErrorList
	// Findings lists the streams that are left out, sorted by name, or says that the
	// discovery is incomplete.
	Findings []Finding
}

// Single reduces the streams of the release to the one that OKD has, by rules 33
// to 43. It does not look at the flavor: whoever calls Single wants one stream.
func Single(c Cluster) Selection {
	if !c.Discovery.Complete {
		return Selection{Reason: ReasonIncomplete, Findings: []Finding{incomplete()}}
	}
	streams, problems := acceptable(c.Discovery.Streams)
	s := Selection{Problems: problems}
	if len(streams) == 0 {
		s.Reason = ReasonNoStreams
		s.Problems = append(s.Problems, noStreams())
		return s
	}
	if len(streams) == 1 {
		s.Stream, s.Reason = streams[0], ReasonSole
		return s
	}
	requested, why, path := c.requested()
	if i := index(streams, requested); i >= 0 {
		s.Stream, s.Reason, s.Field = streams[i], why, path.String()
	} else if i := index(streams, BuiltInDefault(OKD, c.InstallVersion)); i >= 0 {
		s.Stream, s.Reason = streams[i], ReasonBuiltIn
	} else {
		s.Stream, s.Reason = streams[0], ReasonHighest
		for _, other := range streams[1:] {
			if compareVersions(other.Name, s.Stream.Name) > 0 {
				s.Stream = other
			}
		}
	}
	for _, other := range streams {
		if other.Name != s.Stream.Name {
			s.Findings = append(s.Findings, Finding{FindingNotOffered, availablePath().Key(other.Name).String(),
				fmt.Sprintf("OKD offers one stream, %s; %s and %s are left out", cut(s.Stream.Name), cut(string(other.OSImage)), cut(string(other.OSExtensionsImage)))})
		}
	}
	return s
}

// compareVersions compares two names by rule 42.
func compareVersions(a, b string) int {
	for {
		x, restA := number(a)
		y, restB := number(b)
		if x == "" || y == "" {
			return cmp.Compare(x, y)
		}
		// Equal lengths without leading zeros: the order of text is that of numbers.
		x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
			return c
		}
		a, b = restA, restB
	}
}

// number returns the first number in s and what follows it.
func number(s string) (digits, rest string) {
	const all = "0123456789"
	start := strings.IndexAny(s, all)
	if start < 0 {
		return "", ""
	}
	rest = strings.TrimLeft(s[start:], all)
	return s[start : len(s)-len(rest)], rest
}
