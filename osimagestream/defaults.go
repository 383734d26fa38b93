package osimagestream

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
)

// The streams that BuiltInDefault names.
const (
	StreamCentOS10 = "centos-10"
	StreamRHEL9    = "rhel-9"
	StreamRHEL10   = "rhel-10"
)

// Choice is the default stream. Its zero value chooses none.
type Choice struct {
	// Stream is the default, empty if there is none. Problems then names the
	// choices, unless Reason is ReasonIncomplete: the choices are not known yet.
	Stream string
	Reason Reason
	// Requested is the stream that the stored object asks for, whether it is
	// offered or not, empty if it asks for none.
	Requested string
	// Field is where the stored object asks for Requested: spec.defaultStream, or,
	// if that is empty, status.defaultStream.
	Field string
	// Problems holds those of the streams, in their order, then that of the default.
	Problems field.ErrorList
	// Findings holds those of Single on OKD, and says on both if the discovery is
	// incomplete.
	Findings []Finding
}

// Default returns the stream for pools that name none, by rules 44 to 53. It is
// always one of those that are offered.
func Default(c Cluster) Choice {
	_, choice := choose(c)
	return choice
}

// choose returns the streams that the cluster offers, and the default.
func choose(c Cluster) ([]mcfgv1.OSImageStreamSet, Choice) {
	requested, why, path := c.requested()
	choice := Choice{Requested: requested}
	if requested != "" {
		choice.Field = path.String()
	}
	if c.Flavor == OKD {
		s := Single(c)
		choice.Stream, choice.Reason, choice.Problems, choice.Findings = s.Stream.Name, s.Reason, s.Problems, s.Findings
		if s.Stream.Name == "" {
			return nil, choice
		}
		if requested == s.Stream.Name {
			choice.Reason = why
		} else if requested != "" {
			choice.Reason = ReasonAdvanced
		}
		return []mcfgv1.OSImageStreamSet{s.Stream}, choice
	}

	if !c.Discovery.Complete {
		choice.Reason, choice.Findings = ReasonIncomplete, []Finding{incomplete()}
		return nil, choice
	}
	streams, problems := acceptable(c.Discovery.Streams)
	choice.Problems = problems
	refuse := func(reason Reason, e *field.Error) ([]mcfgv1.OSImageStreamSet, Choice) {
		choice.Stream, choice.Reason = "", reason
		choice.Problems = append(choice.Problems, e)
		return streams, choice
	}
	switch {
	case len(streams) == 0:
		return refuse(ReasonNoStreams, noStreams())
	case requested != "":
		choice.Stream, choice.Reason = requested, why
	case len(streams) == 1:
		choice.Stream, choice.Reason, path = streams[0].Name, ReasonSole, specPath()
	default:
		path = specPath()
		choice.Reason = ReasonBuiltIn
		choice.Stream = BuiltInDefault(c.Flavor, c.InstallVersion)
		if choice.Stream == "" {
			return refuse(ReasonInstallVersion, field.Required(path, fmt.Sprintf(
				"no default is known for a cluster installed with version %s, which is not of the form x.y.z; name one of %s",
				quoted(c.InstallVersion), names(streams))))
		}
	}
	if index(streams, choice.Stream) < 0 {
		return refuse(ReasonNotOffered, field.NotSupported(path, cut(choice.Stream), nameList(streams)))
	}
	return streams, choice
}

// BuiltInDefault returns the default stream of a cluster that was installed with
// that version, as x.y.z or vx.y.z, by rules 54 to 57. It is empty if the default
// depends on the version and that is of another form.
func BuiltInDefault(flavor Flavor, installVersion string) string {
	if flavor == OKD {
		return StreamCentOS10
	}
	v, err := version.ParseGeneric(installVersion)
	if err != nil {
		return ""
	}
	if v.Major() == 4 {
		return StreamRHEL9
	}
	return StreamRHEL10
}

// acceptable returns the streams that count by rules 34 and 35, sorted by name, in
// memory of their own.
func acceptable(streams []mcfgv1.OSImageStreamSet) ([]mcfgv1.OSImageStreamSet, field.ErrorList) {
	var good []mcfgv1.OSImageStreamSet
	var problems field.ErrorList
	for _, s := range streams {
		path := availablePath().Key(cut(s.Name))
		bad := len(problems)
		if msg := checkStreamName(s.Name); msg != "" {
			problems = append(problems, field.Invalid(path.Child("name"), cut(s.Name), msg))
		}
		if msg := checkPullSpec(string(s.OSImage)); msg != "" {
			problems = append(problems, field.Invalid(path.Child("osImage"), cut(string(s.OSImage)), msg))
		}
		if msg := checkPullSpec(string(s.OSExtensionsImage)); msg != "" {
			problems = append(problems, field.Invalid(path.Child("osExtensionsImage"), cut(string(s.OSExtensionsImage)), msg))
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
			problems = append(problems, field.Duplicate(availablePath().Key(good[i].Name), cut(string(good[i].OSImage))))
		}
	}
	return slices.CompactFunc(good, func(a, b mcfgv1.OSImageStreamSet) bool { return a.Name == b.Name }), problems
}

// incomplete is the finding of rule 33. What was not seen, the findings of the
// discovery say.
func incomplete() Finding {
	return Finding{FindingIncomplete, field.NewPath("discovery", "complete").String(),
		"the payload or the labels of an image could not be read, so the release may have other streams than were found; nothing is written before it is known"}
}

func noStreams() *field.Error {
	return field.Required(availablePath(), "no source holds an OS image and an extensions image of one stream")
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
