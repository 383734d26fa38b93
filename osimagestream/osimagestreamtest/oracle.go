package osimagestreamtest

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// allTags is the pattern of tag names that the machine config operator has
// (filterImageTag in pkg/osimagestream/imagestream_source.go), with the prefixes that it
// misses.
var allTags = regexp.MustCompile(`^(rhel|stream|centos|scos)[a-zA-Z0-9.-]*-coreos[a-zA-Z0-9.-]*(-extensions[a-zA-Z0-9.-]*)?$`)

// RoleOracle is the role that labels give an image.
func RoleOracle(labels map[string]string) Role {
	switch {
	case slices.Contains([]string{"1", "true"}, strings.ToLower(labels[labelOS])):
		return OS
	case strings.ToLower(labels[labelExtensions]) == "true":
		return Extensions
	}
	return NoRole
}

// CandidateOracle reports whether a tag may be an image of a stream.
func CandidateOracle(tag imagev1.TagReference) bool {
	return tag.From != nil && tag.From.Kind == "DockerImage" &&
		(strings.Contains(tag.Annotations[sourceAnnotation], "github.com/openshift/os") || allTags.MatchString(tag.Name))
}

// DiscoverOracle pairs images by asking, for every name and source, what the rules
// say, and reports whether all was seen. It knows labels only, no assumed names.
func DiscoverOracle(s Sources) (streams []mcfgv1.OSImageStreamSet, complete bool) {
	is := func(image string, r Role, stream string) bool {
		l := s.Labels[image]
		return l[labelStream] == stream && TakesPullSpec(image) && RoleOracle(l) == r
	}
	names := map[string]bool{}
	for _, l := range s.Labels {
		if TakesStreamName(l[labelStream]) {
			names[l[labelStream]] = true
		}
	}
	var tags []imagev1.TagReference
	if s.Payload != nil {
		for _, t := range s.Payload.Spec.Tags {
			if CandidateOracle(t) {
				tags = append(tags, t)
			}
		}
	}
	slices.SortFunc(tags, func(a, b imagev1.TagReference) int {
		return strings.Compare(a.Name+"\x00"+a.From.Name, b.Name+"\x00"+b.From.Name)
	})
	var pairs []Pair // the later source first
	if s.ConfigMap != nil {
		pairs = append(pairs, Pair{s.ConfigMap.Data[keyOSImage], s.ConfigMap.Data[keyExtensions]})
	}
	if s.CLI != nil {
		pairs = append(pairs, *s.CLI)
	}
	for name := range names {
		best := map[Role]string{}
		for _, r := range []Role{OS, Extensions} {
			for _, t := range tags {
				if best[r] == "" && is(t.From.Name, r, name) {
					best[r] = t.From.Name
				}
			}
		}
		for _, p := range pairs {
			if best[OS] != "" && best[Extensions] != "" {
				break
			}
			best = map[Role]string{}
			for _, q := range []Pair{p, {p.OSExtensionsImage, p.OSImage}} { // whatever their places
				if is(q.OSImage, OS, name) && is(q.OSExtensionsImage, Extensions, name) {
					best = map[Role]string{OS: q.OSImage, Extensions: q.OSExtensionsImage}
				}
			}
		}
		if best[OS] != "" && best[Extensions] != "" {
			streams = append(streams, mcfgv1.OSImageStreamSet{Name: name, OSImage: mcfgv1.ImageDigestFormat(best[OS]),
				OSExtensionsImage: mcfgv1.ImageDigestFormat(best[Extensions])})
		}
	}
	var images []string
	for _, t := range tags {
		images = append(images, t.From.Name)
	}
	for _, p := range pairs {
		if p.OSImage != "" && p.OSExtensionsImage != "" {
			images = append(images, p.OSImage, p.OSExtensionsImage)
		}
	}
	complete = s.Payload != nil
	for _, image := range images {
		_, inspected := s.Labels[image]
		complete = complete && (inspected || !TakesPullSpec(image))
	}
	return byName(streams), complete
}

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

// PoolOracle returns what a pool that selects no machine configs is to run, the rule
// for its stream and the rule for its images.
func PoolOracle(f PoolFacts) (images PoolImages, refused bool, stream, rule string) {
	name := ""
	switch {
	case f.Pool != nil && f.Pool.Spec.OSImageStream.Name != "":
		name, stream = f.Pool.Spec.OSImageStream.Name, "own-stream-first"
	case f.Pool != nil && !slices.Contains([]string{"master", "worker", "arbiter"}, f.Pool.Name) && f.Worker == nil:
		stream = "custom-pool-without-worker"
	case f.Pool != nil && !slices.Contains([]string{"master", "worker", "arbiter"}, f.Pool.Name) && f.Worker.Spec.OSImageStream.Name != "":
		name, stream = f.Worker.Spec.OSImageStream.Name, "custom-pool-inherits"
	}
	if stream == "" {
		stream = "pool-takes-the-default"
	}
	switch {
	case f.Stored == nil:
		return images, false, stream, "singleton-missing"
	case !hasStatus(f.Stored):
		return images, false, stream, "singleton-without-status"
	case name == "":
		name = f.Stored.Status.DefaultStream
	}
	for _, s := range f.Stored.Status.AvailableStreams {
		if s.Name == name {
			return imagesOf(s), false, stream, "images-of-the-stream"
		}
	}
	return images, true, stream, "stream-not-offered"
}

// EditOracle reports whether a write to a pool is refused, and the rule that says so.
func EditOracle(pool, old *mcfgv1.MachineConfigPool, stored *mcfgv1.OSImageStream) (refused bool, rule string) {
	name := pool.Spec.OSImageStream.Name
	switch {
	case name == "":
		return false, "pool-without-a-stream"
	case old != nil && old.Spec.OSImageStream.Name == name:
		return false, "untouched-stream-is-valid"
	case stored == nil || !hasStatus(stored):
		return true, "new-stream-without-a-singleton"
	case !offers(stored.Status.AvailableStreams, name):
		return true, "new-stream-not-offered"
	}
	return false, "new-stream-offered"
}

// LastImage is MergeMachineConfigs of openshift/machine-config-operator
// (pkg/controller/common/helpers.go, as it was before it took an OSImageStreamSet) as
// far as it is about osImageURL: the worker's configs, then the others, each sorted by
// name, and each osImageURL replaces the one before.
func LastImage(configs []*mcfgv1.MachineConfig, base string) string {
	var workers, others []*mcfgv1.MachineConfig
	for _, c := range configs {
		if c.Labels[labelRole] == "worker" {
			workers = append(workers, c)
		} else {
			others = append(others, c)
		}
	}
	byName := func(a, b *mcfgv1.MachineConfig) int { return strings.Compare(a.Name, b.Name) }
	slices.SortStableFunc(workers, byName)
	slices.SortStableFunc(others, byName)
	url := base
	for _, c := range append(workers, others...) {
		if c.Spec.OSImageURL != "" {
			url = c.Spec.OSImageURL
		}
	}
	return url
}

// VersionOracle returns the version that a cluster was installed with.
func VersionOracle(cv *configv1.ClusterVersion) string {
	version := cv.Status.Desired.Version
	for n := range cv.Status.History { // the newest first
		e, oldest := cv.Status.History[n], true
		if e.State != configv1.CompletedUpdate || e.CompletionTime == nil {
			continue
		}
		for m, other := range cv.Status.History {
			if other.State != configv1.CompletedUpdate || other.CompletionTime == nil {
				continue
			}
			if other.CompletionTime.Time.Before(e.CompletionTime.Time) || other.CompletionTime.Time.Equal(e.CompletionTime.Time) && m > n {
				oldest = false
			}
		}
		if oldest {
			version = e.Version
		}
	}
	return version
}
