package osimagestreamtest

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

var numbers = regexp.MustCompile(`[0-9]+`)

// later reports whether the version in a name is higher than that in another.
func later(a, b string) bool {
	x, y := numbers.FindAllString(a, -1), numbers.FindAllString(b, -1)
	for n := range min(len(x), len(y)) {
		p, _ := new(big.Int).SetString(x[n], 10)
		q, _ := new(big.Int).SetString(y[n], 10)
		if c := p.Cmp(q); c != 0 {
			return c > 0
		}
	}
	return len(x) > len(y)
}

func namesOf(streams []mcfgv1.OSImageStreamSet) (names []string) {
	for _, s := range byName(streams) {
		names = append(names, s.Name)
	}
	return names
}

// asked returns what spec and status of the stored object name.
func (o Offer) asked() (spec, status string) {
	if o.Stored == nil {
		return "", ""
	}
	return o.Stored.Spec.DefaultStream, o.Stored.Status.DefaultStream
}

// SingleOracle returns the one stream of OKD, and the rule that says so.
func SingleOracle(o Offer) (stream, rule string) {
	offered := namesOf(o.Streams)
	has := func(name string) bool { return slices.Contains(offered, name) }
	spec, status := o.asked()
	switch {
	case o.Partial:
		return "", "nothing-counts-until-seen"
	case len(offered) == 0:
		return "", "okd-without-a-stream"
	case len(offered) == 1:
		return offered[0], "okd-sole-stream"
	case has(spec):
		return spec, "okd-stream-of-spec"
	case spec == "" && has(status):
		return status, "okd-stream-of-status"
	case has("centos-10"):
		return "centos-10", "okd-built-in-stream"
	}
	highest := offered[0]
	for _, name := range offered {
		if later(name, highest) {
			highest = name
		}
	}
	return highest, "okd-highest-version"
}

// DefaultOracle returns the default stream, and the rule that says so.
func DefaultOracle(o Offer) (stream, rule string) {
	offered := namesOf(o.Streams)
	spec, status := o.asked()
	requested, named := spec, "spec-names-the-default"
	if spec == "" {
		requested, named = status, "status-stands-in-for-spec"
	}
	switch {
	case o.Partial:
		return "", "nothing-counts-until-seen"
	case len(offered) == 0:
		return "", "nothing-offered-no-default"
	}
	if o.Flavor == OKD {
		only, _ := SingleOracle(o)
		switch requested {
		case only:
			return only, named
		case "":
			return only, "okd-default-is-its-stream"
		}
		return only, "okd-advances"
	}
	builtIn := ""
	if o.InstallVersion != "" { // of the form x.y.z
		builtIn = map[bool]string{true: "rhel-9", false: "rhel-10"}[strings.HasPrefix(o.InstallVersion, "4.")]
	}
	switch {
	case requested != "" && slices.Contains(offered, requested):
		return requested, named
	case requested != "":
		return "", "ocp-asks"
	case len(offered) == 1:
		return offered[0], "sole-stream-is-the-default"
	case builtIn == "":
		return "", "built-in-default-is-unknown"
	case slices.Contains(offered, builtIn):
		return builtIn, "built-in-default"
	}
	return "", "built-in-default-has-left"
}

// PlanOracle returns what spec and status say in the end, and the rule that says so.
// What is stored is nil or what the CRD took.
func PlanOracle(o Offer) (spec string, status mcfgv1.OSImageStreamStatus, rule string) {
	def, why := DefaultOracle(o)
	if o.Stored != nil {
		spec, status = o.Stored.Spec.DefaultStream, o.Stored.Status
		status.AvailableStreams = byName(status.AvailableStreams)
	}
	switch {
	case o.Partial:
		return spec, status, "unseen-writes-nothing"
	case len(o.Streams) == 0:
		return spec, status, "nothing-offered-nothing-written"
	case why == "built-in-default-is-unknown" && status.DefaultStream == "":
		return spec, status, why
	case def == "" && status.DefaultStream == "":
		return spec, status, "no-default-nothing-written"
	}
	streams := byName(o.Streams)
	if def == "" {
		retired := slices.DeleteFunc(slices.Clone(status.AvailableStreams), func(s mcfgv1.OSImageStreamSet) bool {
			return s.Name != status.DefaultStream || offers(streams, s.Name)
		})
		if spec == "" {
			spec = status.DefaultStream
		}
		return spec, mcfgv1.OSImageStreamStatus{DefaultStream: status.DefaultStream, AvailableStreams: byName(append(retired, streams...))}, "retired-default-stays"
	}
	if o.Flavor == OKD {
		streams = slices.DeleteFunc(streams, func(s mcfgv1.OSImageStreamSet) bool { return s.Name != def })
	}
	goal := mcfgv1.OSImageStreamStatus{DefaultStream: def, AvailableStreams: streams}
	rule = "status-follows-the-release"
	switch {
	case o.Stored == nil:
		rule = "created-then-published"
	case spec == "":
		rule = "empty-spec-is-filled"
	case spec != def:
		rule = "spec-and-annotations-follow"
	case len(streams) < len(o.Streams):
		rule = "okd-offers-no-other"
	}
	return def, goal, rule
}
