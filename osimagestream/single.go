package osimagestream

import (
	"cmp"
	"fmt"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Selection is OKD's one stream. Without one, Stream is zero and Problems says why.
type Selection struct {
	Stream mcfgv1.OSImageStreamSet
	Reason Reason
	// Field is where the stream is asked for, if it is.
	Field    string
	Problems field.ErrorList
	// Findings names the streams that are left out, by name.
	Findings []Finding
}

// Single reduces what the release offers to the one stream that OKD has, however
// many there are. First match wins:
//
//  1. no stream: none, NoStreams, with a problem;
//  2. one stream: that one, SoleStream;
//  3. the one that spec names, else the one that status names: Spec, Status;
//  4. the built-in default: BuiltIn;
//  5. the highest version, of equal ones the first by name: HighestVersion.
//
// Streams that the CRD would not take are problems and do not count. The flavor
// does not matter here: whoever calls Single wants one.
func Single(c Cluster) Selection {
	streams, problems := acceptable(c.Streams)
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
	} else if i := index(streams, StreamCentOS10); i >= 0 {
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
				fmt.Sprintf("OKD has one stream, and that is %s; %s and %s are left out", s.Stream.Name, other.OSImage, other.OSExtensionsImage)})
		}
	}
	return s
}

// compareVersions compares the numbers in two names, the first ones first; a name
// with fewer numbers is lower.
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
