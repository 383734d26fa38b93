package osimagestreamtest

import (
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
