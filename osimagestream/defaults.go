package osimagestream

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The streams that are built in as defaults.
const (
	StreamCentOS10 = "centos-10"
	StreamRHEL9    = "rhel-9"
	StreamRHEL10   = "rhel-10"
)

// Choice is the default stream. Without one, Stream is empty and Problems names
// the choices.
type Choice struct {
	Stream string
	Reason Reason
	// Field is where the stream was asked for, if it was.
	Field    string
	Problems field.ErrorList
	// Findings are those of Single, for OKD.
	Findings []Finding
}

// Default returns the stream for pools that name none; it is always one of those
// that are offered. First match wins:
//
//  1. nothing is offered: none, NoStreams, with a problem;
//  2. the stored object names a stream that is offered: that one, Spec or Status;
//  3. it names another one. OKD: the one stream there is, Advanced. OCP: none,
//     NotOffered, with a problem that names the choices;
//  4. OKD: the stream of Single, for the reason that Single had;
//  5. one stream is offered: that one, SoleStream;
//  6. the built-in default, if it is offered: BuiltIn. If not: none, NotOffered;
//     if the install version is needed and not known: none, InstallVersionUnknown;
//     both with a problem that names the choices.
//
// For OKD only the stream of Single is offered.
func Default(c Cluster) Choice {
	_, choice := choose(c)
	return choice
}

// choose returns what the cluster offers beside the default.
func choose(c Cluster) ([]mcfgv1.OSImageStreamSet, Choice) {
	requested, why, path := c.requested()
	if c.Flavor == OKD {
		s := Single(c)
		choice := Choice{s.Stream.Name, s.Reason, s.Field, s.Problems, s.Findings}
		if s.Stream.Name == "" {
			return nil, choice
		}
		if requested != "" {
			choice.Field = path.String()
			if choice.Reason = why; requested != s.Stream.Name {
				choice.Reason = ReasonAdvanced
			}
		}
		return []mcfgv1.OSImageStreamSet{s.Stream}, choice
	}

	streams, problems := acceptable(c.Streams)
	choice := Choice{Problems: problems}
	refuse := func(reason Reason, e *field.Error) ([]mcfgv1.OSImageStreamSet, Choice) {
		choice.Stream, choice.Reason = "", reason
		choice.Problems = append(choice.Problems, e)
		return streams, choice
	}
	switch {
	case len(streams) == 0:
		return refuse(ReasonNoStreams, noStreams())
	case requested != "":
		choice.Stream, choice.Reason, choice.Field = requested, why, path.String()
	case len(streams) == 1:
		choice.Stream, choice.Reason, path = streams[0].Name, ReasonSole, specPath()
	default:
		path = specPath()
		choice.Reason = ReasonBuiltIn
		choice.Stream = builtIn(c.InstallVersion)
		if choice.Stream == "" {
			return refuse(ReasonInstallVersion, field.Required(path, fmt.Sprintf(
				"the install version %q tells no default; name one of %s", c.InstallVersion, names(streams))))
		}
	}
	if index(streams, choice.Stream) < 0 {
		return refuse(ReasonNotOffered, field.NotSupported(path, choice.Stream, nameList(streams)))
	}
	return streams, choice
}

// builtIn returns OCP's default for a cluster installed with that version, or "" if
// the version has no leading number.
func builtIn(installVersion string) string {
	major, _, _ := strings.Cut(strings.TrimPrefix(installVersion, "v"), ".")
	if major == "" || strings.Trim(major, "0123456789") != "" {
		return ""
	}
	if major == "4" {
		return StreamRHEL9
	}
	return StreamRHEL10
}

// acceptable returns the streams that the CRD takes, sorted by name, in memory of
// their own. The others are problems: what Discover returns has none.
func acceptable(streams []mcfgv1.OSImageStreamSet) ([]mcfgv1.OSImageStreamSet, field.ErrorList) {
	var good []mcfgv1.OSImageStreamSet
	var problems field.ErrorList
	for _, s := range streams {
		path := availablePath().Key(s.Name)
		bad := len(problems)
		if msg := checkStreamName(s.Name); msg != "" {
			problems = append(problems, field.Invalid(path.Child("name"), s.Name, msg))
		}
		if msg := checkPullSpec(string(s.OSImage)); msg != "" {
			problems = append(problems, field.Invalid(path.Child("osImage"), s.OSImage, msg))
		}
		if msg := checkPullSpec(string(s.OSExtensionsImage)); msg != "" {
			problems = append(problems, field.Invalid(path.Child("osExtensionsImage"), s.OSExtensionsImage, msg))
		}
		if len(problems) > bad {
			continue
		}
		good = append(good, s)
	}
	slices.SortFunc(good, func(a, b mcfgv1.OSImageStreamSet) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.OSImage, b.OSImage), cmp.Compare(a.OSExtensionsImage, b.OSExtensionsImage))
	})
	for i := 1; i < len(good); i++ {
		if good[i].Name == good[i-1].Name && good[i] != good[i-1] {
			problems = append(problems, field.Duplicate(availablePath().Key(good[i].Name), good[i].OSImage))
		}
	}
	return slices.CompactFunc(good, func(a, b mcfgv1.OSImageStreamSet) bool { return a.Name == b.Name }), problems
}

func noStreams() *field.Error {
	return field.Required(availablePath(), "no source has an OS image and an extensions image of one stream")
}

// index returns the place of the stream of that name, or -1.
func index(streams []mcfgv1.OSImageStreamSet, name string) int {
	return slices.IndexFunc(streams, func(s mcfgv1.OSImageStreamSet) bool { return s.Name == name })
}

func nameList(streams []mcfgv1.OSImageStreamSet) []string {
	list := make([]string, 0, len(streams))
	for _, s := range streams {
		list = append(list, s.Name)
	}
	return list
}

func names(streams []mcfgv1.OSImageStreamSet) string { return strings.Join(nameList(streams), ", ") }
